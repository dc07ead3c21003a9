//===- PolynomialArithmetic.cpp - Integer expressions as polynomials ------===//

#include "frontend/kernel/PolynomialArithmetic.h"

#include <algorithm>
#include <numeric>

namespace kfuse {
namespace {

IndexExpr combine(const IndexExpr &lhs, const IndexExpr &rhs,
                  std::optional<Polynomial> (*operation)(const Polynomial &,
                                                         const Polynomial &)) {
  const auto *left = std::get_if<Polynomial>(&lhs);
  const auto *right = std::get_if<Polynomial>(&rhs);
  if (!left)
    return lhs;
  if (!right)
    return rhs;
  if (std::optional<Polynomial> result = operation(*left, *right))
    return *result;
  return NotPolynomial::Overflow;
}

Constraint negated(const Constraint &constraint) {
  switch (constraint.relation) {
  case Relation::Zero:
    return {Relation::NonZero, constraint.expression};
  case Relation::NonZero:
    return {Relation::Zero, constraint.expression};
  case Relation::NonNegative:
    if (std::optional<Polynomial> rest =
            subtract(Polynomial(-1), constraint.expression))
      return {Relation::NonNegative, *rest};
    break;
  case Relation::Unknown:
    break;
  }
  return {};
}

/// Returns `value` or its negative, whichever has a positive first coefficient,
/// because equality doesn't distinguish `a - b` from `b - a`.
Polynomial withPositiveLead(const Polynomial &value) {
  if (!value.isZero() && value.terms().rbegin()->second < 0)
    if (std::optional<Polynomial> flipped =
            multiply(value, Polynomial(std::int64_t{-1})))
      return *flipped;
  return value;
}

/// Returns the sum of the terms that both have.
Polynomial commonPart(const Polynomial &one, const Polynomial &other) {
  Polynomial common;
  for (const auto &[product, coefficient] : one.terms()) {
    const auto found = other.terms().find(product);
    if (found != other.terms().end() && found->second == coefficient)
      common = *add(common, Polynomial(product, coefficient));
  }
  return common;
}

/// Returns the product of a number and parameters that all terms of both have
/// as factors.
Polynomial commonFactor(const Polynomial &one, const Polynomial &other) {
  std::int64_t number = 0;
  std::optional<Monomial> parameters;
  for (const Polynomial *value : {&one, &other})
    for (const auto &[product, coefficient] : value->terms()) {
      if (coefficient == INT64_MIN) // has no absolute value
        return Polynomial(1);
      number = std::gcd(number, coefficient);
      Monomial common;
      for (const Symbol symbol : product)
        if (symbol.kind == SymbolKind::Parameter &&
            (!parameters ||
             std::count(parameters->begin(), parameters->end(), symbol) >
                 std::count(common.begin(), common.end(), symbol)))
          common.push_back(symbol);
      parameters = std::move(common);
    }
  return parameters ? Polynomial(*parameters, number) : Polynomial(1);
}

} // namespace

Branch unknownBranch() { return {{Constraint{}}, {Constraint{}}}; }

bool isUnknown(const Guard &guard) {
  return std::any_of(guard.begin(), guard.end(), [](const Constraint &c) {
    return c.relation == Relation::Unknown;
  });
}

KernelArithmetic::KernelArithmetic(TermTable &terms, Ranges::OfSymbol ranges)
    : Terms(terms), Known(terms, std::move(ranges)) {}

IndexExpr KernelArithmetic::add(const IndexExpr &lhs,
                                const IndexExpr &rhs) const {
  return combine(lhs, rhs, kfuse::add);
}

IndexExpr KernelArithmetic::subtract(const IndexExpr &lhs,
                                     const IndexExpr &rhs) const {
  return combine(lhs, rhs, kfuse::subtract);
}

IndexExpr KernelArithmetic::multiply(const IndexExpr &lhs,
                                     const IndexExpr &rhs) const {
  return combine(lhs, rhs, kfuse::multiply);
}

IndexExpr KernelArithmetic::term(TermKind kind, const IndexExpr &lhs,
                                 const IndexExpr &rhs) const {
  const auto *left = std::get_if<Polynomial>(&lhs);
  const auto *right = std::get_if<Polynomial>(&rhs);
  if (!left)
    return lhs;
  if (!right)
    return rhs;
  if (kind == TermKind::Minimum || kind == TermKind::Maximum)
    if (const Polynomial *one = largerOf(*left, *right))
      return (kind == TermKind::Maximum) == (one == left) ? *left : *right;
  if (kind == TermKind::BitAnd && isConjunction(*left) && isConjunction(*right))
    return multiply(*left, *right);
  if (std::optional<Digit> digit = digitOf(kind, *left, *right))
    return term(digit->kind, digit->value, Polynomial(digit->base));
  Term result{kind, 0, {recombine(*left), recombine(*right)}};
  const bool commutes = kind == TermKind::BitAnd || kind == TermKind::BitOr ||
                        kind == TermKind::BitXor || kind == TermKind::Minimum ||
                        kind == TermKind::Maximum;
  if (commutes && result.operands[1] < result.operands[0])
    std::swap(result.operands[0], result.operands[1]);
  // Truncating division twice is division by the product.
  if (std::optional<Symbol> inner = result.operands[0].asSymbol();
      kind == TermKind::Divide && inner && inner->kind == SymbolKind::Opaque) {
    const Term &before = Terms[*inner];
    if (before.kind == TermKind::Divide)
      if (std::optional<Polynomial> product =
              kfuse::multiply(before.operands[1], result.operands[1]))
        result.operands = {before.operands[0], *product};
  }
  return makeTerm(Terms, std::move(result));
}

bool KernelArithmetic::isConjunction(const Polynomial &value) const {
  if (value.terms().size() != 1 || value.terms().begin()->second != 1)
    return false;
  const Monomial &product = value.terms().begin()->first;
  return std::all_of(product.begin(), product.end(), [&](Symbol symbol) {
    return symbol.kind == SymbolKind::Opaque &&
           Terms[symbol].kind == TermKind::Compare;
  });
}

const Polynomial *KernelArithmetic::largerOf(const Polynomial &lhs,
                                             const Polynomial &rhs) const {
  const std::optional<Polynomial> difference = kfuse::subtract(lhs, rhs);
  if (difference && isNonNegative(*difference, {}))
    return &lhs;
  const std::optional<Polynomial> opposite = kfuse::subtract(rhs, lhs);
  return opposite && isNonNegative(*opposite, {}) ? &rhs : nullptr;
}

std::optional<KernelArithmetic::Digit>
KernelArithmetic::digitOf(TermKind kind, const Polynomial &lhs,
                          const Polynomial &rhs) const {
  if (kind == TermKind::ShiftRight) {
    const std::optional<std::int64_t> places = rhs.asConstant();
    if (places && *places >= 0 && *places < 62 && isNonNegative(lhs, {}))
      return Digit{TermKind::Divide, lhs, std::int64_t{1} << *places};
  }
  if (kind == TermKind::BitAnd)
    for (const auto &[value, mask] : {std::pair(&lhs, &rhs), {&rhs, &lhs}}) {
      const std::optional<std::int64_t> ones = mask->asConstant();
      if (ones && *ones >= 0 && (*ones & (*ones + 1)) == 0 &&
          isNonNegative(*value, {}))
        return Digit{TermKind::Remainder, *value, *ones + 1};
    }
  return std::nullopt;
}

IndexExpr KernelArithmetic::select(const Polynomial &condition,
                                   const IndexExpr &whenTrue,
                                   const IndexExpr &whenFalse) const {
  if (whenTrue == whenFalse)
    return whenTrue;
  const auto *left = std::get_if<Polynomial>(&whenTrue);
  const auto *right = std::get_if<Polynomial>(&whenFalse);
  if (!left)
    return whenTrue;
  if (!right)
    return whenFalse;
  // 0 <= e with e the difference of the two values, or one less.
  if (std::optional<Symbol> symbol = condition.asSymbol())
    if (std::optional<Constraint> test = constraintOf(*symbol);
        test && test->relation == Relation::NonNegative)
      if (std::optional<Polynomial> difference =
              kfuse::subtract(*right, *left)) {
        auto isOffBy = [&](const Polynomial &value, int sign) {
          std::optional<Polynomial> signedValue =
              kfuse::multiply(value, Polynomial(std::int64_t{sign}));
          if (!signedValue)
            return false;
          std::optional<Polynomial> gap =
              kfuse::subtract(*signedValue, test->expression);
          std::optional<std::int64_t> constant =
              gap ? gap->asConstant() : std::nullopt;
          return constant && (*constant == 0 || *constant == 1);
        };
        if (isOffBy(*difference, 1))
          return term(TermKind::Minimum, *left, *right);
        if (isOffBy(*difference, -1))
          return term(TermKind::Maximum, *left, *right);
      }
  // `x > 0 ? i - w : i` is `i - w * (x > 0)`: a sum that tells how far apart
  // the choices are.
  const Polynomial shared = commonPart(*left, *right);
  const auto one = kfuse::subtract(*left, shared);
  const auto other = kfuse::subtract(*right, shared);
  if (!one || !other)
    return makeTerm(Terms, {TermKind::Select, 0, {condition, *left, *right}});
  const Polynomial factor = commonFactor(*one, *other);
  const auto first = kfuse::divideExactly(*one, factor);
  const auto second = kfuse::divideExactly(*other, factor);
  if (!first || !second)
    return NotPolynomial::Overflow;
  const auto scaled = kfuse::multiply(
      makeTerm(Terms, {TermKind::Select, 0, {condition, *first, *second}}),
      factor);
  const auto sum = scaled ? kfuse::add(*scaled, shared) : std::nullopt;
  return sum ? IndexExpr(*sum) : IndexExpr(NotPolynomial::Overflow);
}

bool KernelArithmetic::fits(const Polynomial &value, IntegerType type,
                            const Guard &guard) const {
  return contains(rangeOf(type), Known.of(value, guard));
}

IndexExpr KernelArithmetic::fitted(const IndexExpr &value, IntegerType type,
                                   const Guard &guard) const {
  const auto *polynomial = std::get_if<Polynomial>(&value);
  if (!polynomial || fits(*polynomial, type, guard))
    return value;
  const std::int64_t detail =
      type.isUnsigned ? type.bits : -static_cast<std::int64_t>(type.bits);
  return makeTerm(Terms, {TermKind::Narrow, detail, {recombine(*polynomial)}});
}

IndexExpr KernelArithmetic::wrapped(const IndexExpr &value,
                                    unsigned bits) const {
  const auto *polynomial = std::get_if<Polynomial>(&value);
  if (!polynomial || bits >= 64)
    return value;
  const std::int64_t range = std::int64_t{1} << bits;
  IndexExpr result = value;
  for (const auto &[monomial, coefficient] : polynomial->terms()) {
    const std::int64_t rest = ((coefficient % range) + range) % range;
    Polynomial change((rest >= range / 2 ? rest - range : rest) - coefficient);
    if (change.isZero())
      continue;
    IndexExpr difference = std::move(change);
    for (Symbol symbol : monomial)
      difference = multiply(difference, Polynomial(symbol));
    result = add(result, difference);
  }
  return result;
}

IndexExpr KernelArithmetic::divideExactly(const IndexExpr &value,
                                          std::int64_t divisor) const {
  const auto *polynomial = std::get_if<Polynomial>(&value);
  if (!polynomial)
    return value;
  Polynomial result;
  for (const auto &[monomial, coefficient] : polynomial->terms()) {
    if (divisor <= 0 || coefficient % divisor != 0)
      return NotPolynomial::Unsupported;
    Polynomial part(coefficient / divisor);
    for (Symbol symbol : monomial)
      if (auto product = kfuse::multiply(part, Polynomial(symbol)))
        part = *product;
      else
        return NotPolynomial::Overflow;
    if (auto sum = kfuse::add(result, part))
      result = *sum;
    else
      return NotPolynomial::Overflow;
  }
  return result;
}

/// Returns the quotient of a remainder, as it would be interned.
Term KernelArithmetic::quotientOf(const Term &remainder) const {
  Term quotient{TermKind::Divide, 0, remainder.operands};
  const std::optional<Symbol> inner = quotient.operands[0].asSymbol();
  if (inner && inner->kind == SymbolKind::Opaque &&
      Terms[*inner].kind == TermKind::Divide)
    if (std::optional<Polynomial> product =
            kfuse::multiply(Terms[*inner].operands[1], quotient.operands[1]))
      quotient.operands = {Terms[*inner].operands[0], *product};
  return quotient;
}

Polynomial KernelArithmetic::recombine(Polynomial value) const {
  const auto isA = [this](Symbol symbol, TermKind kind) {
    return symbol.kind == SymbolKind::Opaque && Terms[symbol].kind == kind;
  };
  bool changed = true;
  while (changed) {
    changed = false;
    const std::vector<Symbol> symbols = value.symbols();
    for (Symbol symbol : symbols) {
      if (!isA(symbol, TermKind::Remainder))
        continue;
      const Term quotient = quotientOf(Terms[symbol]);
      const auto divided =
          std::find_if(symbols.begin(), symbols.end(), [&](Symbol other) {
            return isA(other, TermKind::Divide) && Terms[other] == quotient;
          });
      std::optional<Polynomial::LinearSplit> split = value.splitLinear(symbol);
      if (divided == symbols.end() || !split)
        continue;
      // c*(x % w) + rest = c*x + rest - c*w*(x / w), if that removes x / w.
      const Term &remainder = Terms[symbol];
      IndexExpr candidate =
          add(split->rest, multiply(split->coefficient, remainder.operands[0]));
      candidate = subtract(candidate, multiply(split->coefficient,
                                               multiply(remainder.operands[1],
                                                        Polynomial(*divided))));
      const auto *combined = std::get_if<Polynomial>(&candidate);
      if (!combined || combined->mentions(*divided))
        continue;
      value = *combined;
      changed = true;
      break;
    }
  }
  return value;
}

bool KernelArithmetic::isNonNegative(const Polynomial &value,
                                     const Guard &guard) const {
  return Known.of(value, guard).least >= 0;
}

Polynomial KernelArithmetic::comparison(const Constraint &constraint) const {
  const Polynomial none;
  if (constraint.relation == Relation::NonNegative)
    return makeTerm(Terms,
                    {TermKind::Compare, 3, {none, constraint.expression}});
  const Polynomial equal = makeTerm(
      Terms,
      {TermKind::Compare, 0, {withPositiveLead(constraint.expression), none}});
  if (constraint.relation == Relation::Zero)
    return equal;
  return kfuse::subtract(Polynomial(1), equal).value_or(equal);
}

std::optional<Constraint> KernelArithmetic::constraintOf(Symbol symbol) const {
  if (symbol.kind != SymbolKind::Opaque)
    return std::nullopt;
  const Term &term = Terms[symbol];
  if (term.kind != TermKind::Compare)
    return std::nullopt;
  if (term.detail == 3 && term.operands[0].isZero())
    return Constraint{Relation::NonNegative, term.operands[1]};
  if (term.detail == 0 && term.operands[1].isZero())
    return Constraint{Relation::Zero, term.operands[0]};
  return std::nullopt;
}

Branch KernelArithmetic::nonNegative(const IndexExpr &value) const {
  const auto *polynomial = std::get_if<Polynomial>(&value);
  if (!polynomial)
    return unknownBranch();
  if (std::optional<std::int64_t> constant = polynomial->asConstant())
    return truth(Polynomial(std::int64_t{*constant >= 0}));
  const Constraint holds{Relation::NonNegative, recombine(*polynomial)};
  return {{holds}, {negated(holds)}};
}

Branch KernelArithmetic::zero(const IndexExpr &value) const {
  const auto *polynomial = std::get_if<Polynomial>(&value);
  if (!polynomial)
    return unknownBranch();
  if (std::optional<std::int64_t> constant = polynomial->asConstant())
    return truth(Polynomial(std::int64_t{*constant == 0}));
  const Constraint holds{Relation::Zero,
                         withPositiveLead(recombine(*polynomial))};
  return {{holds}, {negated(holds)}};
}

Branch KernelArithmetic::truth(const IndexExpr &value) const {
  const auto *polynomial = std::get_if<Polynomial>(&value);
  if (!polynomial)
    return unknownBranch();
  const Constraint never{Relation::NonNegative, Polynomial(-1)};
  if (std::optional<std::int64_t> constant = polynomial->asConstant())
    return *constant != 0 ? Branch{{}, {never}} : Branch{{never}, {}};
  // A product of comparisons is their conjunction.
  auto conjunction = [&](const Polynomial &product) -> std::optional<Guard> {
    if (product.terms().size() != 1 || product.terms().begin()->second != 1)
      return std::nullopt;
    Guard result;
    for (Symbol symbol : product.terms().begin()->first)
      if (std::optional<Constraint> constraint = constraintOf(symbol))
        result.push_back(*constraint);
      else
        return std::nullopt;
    return result;
  };
  if (std::optional<Guard> holds = conjunction(*polynomial))
    return {*holds, negation(*holds)};
  if (std::optional<Polynomial> complement =
          kfuse::subtract(Polynomial(1), *polynomial))
    if (std::optional<Guard> fails = conjunction(*complement))
      return {negation(*fails), *fails};
  Branch equal = zero(*polynomial);
  return {std::move(equal.whenFalse), std::move(equal.whenTrue)};
}

std::optional<Polynomial>
KernelArithmetic::boolean(const Guard &conjunction) const {
  Polynomial product(1);
  for (const Constraint &constraint : conjunction) {
    if (constraint.relation == Relation::Unknown)
      return std::nullopt;
    product = both(product, comparison(constraint));
  }
  return product;
}

Polynomial KernelArithmetic::both(const Polynomial &lhs,
                                  const Polynomial &rhs) const {
  constexpr std::size_t MostTerms = 64;
  if (lhs.terms().size() * rhs.terms().size() <= MostTerms)
    if (std::optional<Polynomial> product = kfuse::multiply(lhs, rhs))
      return *std::move(product);
  return makeTerm(Terms, {TermKind::BitAnd, 0, {lhs, rhs}});
}

Guard KernelArithmetic::negation(const Guard &conjunction) const {
  if (conjunction.empty())
    return {{Relation::NonNegative, Polynomial(-1)}};
  if (conjunction.size() == 1)
    return {negated(conjunction.front())};
  if (std::optional<Polynomial> product = boolean(conjunction))
    return {{Relation::Zero, *product}};
  return {Constraint{}};
}

bool KernelArithmetic::mentions(const Polynomial &value,
                                const std::vector<Symbol> &symbols) const {
  const bool mayMention =
      std::any_of(symbols.begin(), symbols.end(), [&](Symbol symbol) {
        return dependsOn(value, symbol.kind, Terms);
      });
  if (!mayMention)
    return false;
  const std::vector<Symbol> all = symbolsDeep(value, Terms);
  return std::any_of(all.begin(), all.end(), [&](Symbol symbol) {
    return std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
  });
}

} // namespace kfuse
