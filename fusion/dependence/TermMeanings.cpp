//===- TermMeanings.cpp - What operators say of their operands ------------===//

#include "fusion/dependence/TermMeanings.h"

#include <algorithm>
#include <optional>
#include <set>

namespace kfuse {
namespace {

constexpr std::size_t MostTerms = 24;
constexpr std::int64_t MostBits = 62;

using Value = std::optional<Polynomial>;

Value less(const Value &value, std::int64_t amount) {
  return value ? subtract(*value, Polynomial(amount)) : std::nullopt;
}

/// Adds a conjunct, unless it overflowed.
void addTo(Guard &guard, Relation relation, const Value &value) {
  if (value)
    guard.push_back({relation, *value});
}
/// Adds `a >= b + more`.
void addAtLeast(Guard &guard, const Polynomial &a, const Polynomial &b,
                std::int64_t more = 0) {
  addTo(guard, Relation::NonNegative, less(subtract(a, b), more));
}

/// Compares `a` and `b` in the way of TermKind::Compare, or negates that.
Guard comparison(std::int64_t way, bool holds, const Polynomial &a,
                 const Polynomial &b) {
  Guard guard;
  if (way == 0 || way == 1)
    addTo(guard, (way == 0) == holds ? Relation::Zero : Relation::NonZero,
          subtract(a, b));
  else if (holds)
    addAtLeast(guard, b, a, way == 2 ? 1 : 0);
  else
    addAtLeast(guard, a, b, way == 2 ? 0 : 1);
  return guard;
}

/// Checks whether the term has the operands of its operator.
bool isWhole(const Term &term) {
  switch (term.kind) {
  case TermKind::Divide:
  case TermKind::Remainder:
  case TermKind::ShiftRight:
  case TermKind::BitAnd:
  case TermKind::Compare:
    return term.operands.size() == 2;
  case TermKind::Select:
    return term.operands.size() == 3;
  case TermKind::Narrow:
    return term.operands.size() == 1;
  case TermKind::Minimum:
  case TermKind::Maximum:
    return !term.operands.empty();
  case TermKind::ShiftLeft:
  case TermKind::BitOr:
  case TermKind::BitXor:
  case TermKind::Unique:
    break;
  }
  return false; // nothing is known of it
}

/// Returns the term, if something is known of it.
const Term *termOf(Symbol symbol, const TermTable &terms) {
  const bool isTerm =
      symbol.kind == SymbolKind::Opaque && symbol.index < terms.size();
  return isTerm && isWhole(terms[symbol]) ? &terms[symbol] : nullptr;
}

/// The symbol that alone decides whether the expression is 0, and whether the
/// statement says that it is not.
struct Truth {
  Symbol symbol;
  bool isTrue = false;
};
std::optional<Truth> truthOf(const Constraint &statement,
                             const TermTable &terms) {
  const auto &sum = statement.expression.terms();
  const std::vector<Symbol> symbols = statement.expression.symbols();
  if (symbols.size() != 1 || (statement.relation != Relation::Zero &&
                              statement.relation != Relation::NonZero))
    return std::nullopt;
  const bool isZero = statement.relation == Relation::Zero;
  const Term *term = termOf(symbols.front(), terms);
  if (sum.size() == 1)
    return Truth{symbols.front(), !isZero};
  // `c == 1`, for a c that is 0 or 1.
  if (term && term->kind == TermKind::Compare && sum.size() == 2 &&
      statement.expression ==
          subtract(Polynomial(symbols.front()), Polynomial(1)))
    return Truth{symbols.front(), isZero};
  return std::nullopt;
}

Statements openedLogic(const Term &term, bool isTrue) {
  Statements opened;
  const Polynomial &first = term.operands[0];
  const auto is = [](const Polynomial &value, bool truth) {
    return Constraint{truth ? Relation::NonZero : Relation::Zero, value};
  };
  const auto second = term.operands[1].asConstant();
  const auto third = term.operands[2].asConstant();
  const bool isAnd = third && *third == 0, isOr = second && *second != 0;
  if (!isAnd && !isOr)
    return opened;
  const Polynomial &other = term.operands[isAnd ? 1 : 2];
  if (isAnd == isTrue)
    opened.all = {is(first, isTrue), is(other, isTrue)};
  else
    opened.choices = {{{is(first, isTrue)}, {is(other, isTrue)}}};
  return opened;
}

/// Collects sums that are at least 0.
class Meanings {
public:
  Meanings(std::vector<Polynomial> &sums, const KnownFacts &facts)
      : Sums(sums), Known(facts), Proved(facts) {}

  void ofTerm(Symbol symbol) {
    const Term &term = (*Known.terms)[symbol];
    const Polynomial value(symbol);
    const auto &operands = term.operands;
    switch (term.kind) {
    case TermKind::Divide:
      return ofQuotient(value, operands);
    case TermKind::Remainder:
      return ofRemainder(value, operands);
    case TermKind::Minimum:
      for (const Polynomial &operand : operands)
        addDifference(operand, value);
      return;
    case TermKind::Maximum:
      for (const Polynomial &operand : operands)
        addDifference(value, operand);
      return;
    case TermKind::ShiftRight: {
      const auto bits = operands[1].asConstant();
      const Value whole =
          bits && *bits >= 0 && *bits < MostBits
              ? multiply(value, Polynomial(std::int64_t{1} << *bits))
              : std::nullopt;
      if (!whole)
        return;
      addDifference(operands[0], *whole);
      addDifference(*whole, operands[0], (std::int64_t{1} << *bits) - 1);
      return;
    }
    case TermKind::BitAnd:
      for (std::size_t i = 0; i < operands.size(); ++i)
        if (const auto mask = operands[i].asConstant())
          ofMask(value, operands[1 - i], *mask);
      return;
    case TermKind::Narrow:
      return ofNarrowed(value, term.detail);
    case TermKind::Compare:
      add(value);
      addDifference(Polynomial(1), value);
      return;
    case TermKind::Select:
    case TermKind::ShiftLeft:
    case TermKind::BitOr:
    case TermKind::BitXor:
    case TermKind::Unique:
      return;
    }
  }

  /// Adds that products of non-negative numbers aren't negative, and that a
  /// positive factor makes nothing smaller.
  void ofProducts() {
    std::set<Monomial> products;
    for (const Polynomial &sum : Sums)
      for (const auto &[monomial, coefficient] : sum.terms())
        products.insert(monomial);
    while (!products.empty()) {
      const Monomial product = *products.begin();
      products.erase(products.begin());
      if (product.empty() ||
          !std::all_of(product.begin(), product.end(), [this](Symbol symbol) {
            return Proved.nonNegative(Polynomial(symbol));
          }))
        continue;
      add(Polynomial(product, 1));
      for (std::size_t i = 0; i < product.size(); ++i) {
        if ((i > 0 && product[i] == product[i - 1]) ||
            !Proved.positive(Polynomial(product[i])))
          continue;
        Monomial rest = product;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
        addDifference(Polynomial(product, 1), Polynomial(rest, 1));
        products.insert(rest);
      }
    }
  }

private:
  void add(const Value &value) {
    if (value)
      Sums.push_back(*value);
  }
  /// Adds `more + extra >= less`.
  void addDifference(const Polynomial &more, const Polynomial &less,
                     std::int64_t extra = 0) {
    if (const Value room = subtract(more, less))
      add(kfuse::add(*room, Polynomial(extra)));
  }
  bool isNegative(const Polynomial &value) const {
    const Value other = negated(value);
    return other && Proved.positive(*other);
  }

  /// Adds the bounds of a quotient, rounded towards 0.
  void ofQuotient(const Polynomial &value,
                  const std::vector<Polynomial> &operands) {
    const Polynomial &dividend = operands[0], &divisor = operands[1];
    const Value whole = multiply(value, divisor);
    if (!whole || !Proved.positive(divisor))
      return;
    if (Proved.nonNegative(dividend) || Proved.positive(value)) {
      add(value);
      addDifference(dividend, *whole);
    } else if (isNegative(dividend)) {
      add(negated(value));
      addDifference(*whole, dividend);
    }
    // The rest is less than the divisor.
    if (const Value end = kfuse::add(*whole, divisor))
      addDifference(*end, dividend, -1);
    if (const Value end = kfuse::add(dividend, divisor))
      addDifference(*end, *whole, -1);
  }

  /// Adds the bounds of a remainder, which has the dividend's sign.
  void ofRemainder(const Polynomial &value,
                   const std::vector<Polynomial> &operands) {
    const Polynomial &dividend = operands[0], &divisor = operands[1];
    if (!Proved.positive(divisor))
      return;
    addDifference(divisor, value, -1);
    if (const Value end = kfuse::add(value, divisor))
      add(less(end, 1));
    if (Proved.nonNegative(dividend)) {
      add(value);
      addDifference(dividend, value);
    } else if (isNegative(dividend)) {
      add(negated(value));
      addDifference(value, dividend);
    }
  }

  void ofMask(const Polynomial &value, const Polynomial &other,
              std::int64_t mask) {
    if (mask >= 0) {
      add(value);
      addDifference(Polynomial(mask), value);
      if (Proved.nonNegative(other))
        addDifference(other, value);
    } else if ((~mask & (~mask + 1)) == 0) { // the last bits are taken away
      addDifference(other, value);
      addDifference(value, other, ~mask);
    }
  }

  /// Adds the range of a type of so many bits, signed if `bits` is negative.
  void ofNarrowed(const Polynomial &value, std::int64_t bits) {
    const std::int64_t width = bits < 0 ? -bits - 1 : bits;
    if (bits >= 0)
      add(value);
    if (width > MostBits)
      return;
    const std::int64_t end = std::int64_t{1} << width;
    addDifference(Polynomial(end - 1), value);
    if (bits < 0)
      addDifference(value, Polynomial(-end));
  }

  std::vector<Polynomial> &Sums;
  const KnownFacts &Known;
  const Proofs Proved;
};

/// Returns the cases: `value` is the operand, or that is outside the type.
std::vector<Guard> casesOfNarrowed(const Polynomial &value, const Term &term) {
  const Polynomial &whole = term.operands[0];
  const std::int64_t width = term.detail < 0 ? -term.detail - 1 : term.detail;
  Guard equal, above, below;
  addTo(equal, Relation::Zero, subtract(value, whole));
  if (width <= MostBits)
    addAtLeast(above, whole, Polynomial(std::int64_t{1} << width));
  const std::int64_t least =
      term.detail < 0 && width <= MostBits ? -(std::int64_t{1} << width) : 0;
  addAtLeast(below, Polynomial(least), whole, 1);
  return {equal, above, below};
}

} // namespace

Statements meaningOf(const Constraint &statement, const TermTable &terms) {
  Statements opened;
  if (const auto truth = truthOf(statement, terms))
    if (const Term *term = termOf(truth->symbol, terms)) {
      if (term->kind == TermKind::Compare)
        opened.all = comparison(term->detail, truth->isTrue, term->operands[0],
                                term->operands[1]);
      if (term->kind == TermKind::Select)
        opened = openedLogic(*term, truth->isTrue);
      if (!opened.all.empty() || !opened.choices.empty())
        return opened;
    }
  const auto other = negated(statement.expression);
  if (statement.relation == Relation::NonZero && other &&
      !statement.expression.asConstant()) {
    Guard above, below;
    addTo(above, Relation::NonNegative, less(statement.expression, 1));
    addTo(below, Relation::NonNegative, less(other, 1));
    opened.choices = {{above, below}};
    return opened;
  }
  opened.all = {statement};
  return opened;
}

std::vector<Symbol> termsIn(const std::vector<Polynomial> &polynomials,
                            const TermTable &terms) {
  std::vector<Symbol> found;
  const auto collect = [&](const Polynomial &polynomial) {
    for (const Symbol symbol : polynomial.symbols())
      if (termOf(symbol, terms) && found.size() < MostTerms &&
          std::find(found.begin(), found.end(), symbol) == found.end())
        found.push_back(symbol);
  };
  std::for_each(polynomials.begin(), polynomials.end(), collect);
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const Polynomial &operand : terms[found[i]].operands)
      collect(operand);
  return found;
}

void addMeanings(std::vector<Polynomial> &sums, const KnownFacts &facts) {
  Meanings meanings(sums, facts);
  for (const Symbol term : termsIn(sums, *facts.terms))
    meanings.ofTerm(term);
  meanings.ofProducts();
}

std::vector<Guard> casesOf(Symbol symbol, const KnownFacts &facts) {
  const Term &term = (*facts.terms)[symbol];
  const Polynomial value(symbol);
  const auto &operands = term.operands;
  std::vector<Guard> cases;
  switch (term.kind) {
  case TermKind::Divide:
  case TermKind::Remainder: {
    const Value other = negated(operands[0]);
    if (!other || provesNonNegative(facts, operands[0]) ||
        provesPositive(facts, *other) || !provesPositive(facts, operands[1]))
      return {};
    cases.resize(2);
    addTo(cases[0], Relation::NonNegative, operands[0]);
    addTo(cases[1], Relation::NonNegative, less(other, 1));
    return cases;
  }
  case TermKind::Minimum:
  case TermKind::Maximum:
    for (const Polynomial &operand : operands) {
      Guard equal;
      addTo(equal, Relation::Zero, subtract(value, operand));
      cases.push_back(std::move(equal));
    }
    return cases;
  case TermKind::Compare:
    for (const bool holds : {true, false}) {
      Guard one = comparison(term.detail, holds, operands[0], operands[1]);
      addTo(one, Relation::Zero, less(value, holds ? 1 : 0));
      cases.push_back(std::move(one));
    }
    return cases;
  case TermKind::Select:
    for (const bool holds : {true, false}) {
      Guard one = {{holds ? Relation::NonZero : Relation::Zero, operands[0]}};
      const Polynomial &chosen = operands[holds ? 1 : 2];
      // An equation with 0 would be taken for the truth of a conjunction.
      if (chosen.asConstant()) {
        addAtLeast(one, value, chosen);
        addAtLeast(one, chosen, value);
      } else {
        addTo(one, Relation::Zero, subtract(value, chosen));
      }
      cases.push_back(std::move(one));
    }
    return cases;
  case TermKind::Narrow:
    return casesOfNarrowed(value, term);
  case TermKind::ShiftRight:
  case TermKind::ShiftLeft:
  case TermKind::BitAnd:
  case TermKind::BitOr:
  case TermKind::BitXor:
  case TermKind::Unique:
    break;
  }
  return {};
}

} // namespace kfuse
