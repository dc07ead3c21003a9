//===- Ranges.cpp - Between which numbers a value lies --------------------===//

#include "graphs/program/Ranges.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <vector>

namespace kfuse {
namespace {

constexpr WideInteger Infinity = WideInteger{1} << 120;

WideInteger clamp(WideInteger value) {
  return std::clamp(value, -Infinity, Infinity);
}

WideInteger product(WideInteger lhs, WideInteger rhs) {
  WideInteger result = 0;
  if (__builtin_mul_overflow(lhs, rhs, &result))
    return (lhs < 0) == (rhs < 0) ? Infinity : -Infinity;
  return clamp(result);
}

NumberRange sum(const NumberRange &lhs, const NumberRange &rhs) {
  return {clamp(lhs.least + rhs.least), clamp(lhs.most + rhs.most)};
}

NumberRange product(const NumberRange &lhs, const NumberRange &rhs) {
  const auto [least, most] =
      std::minmax({product(lhs.least, rhs.least), product(lhs.least, rhs.most),
                   product(lhs.most, rhs.least), product(lhs.most, rhs.most)});
  return {least, most};
}

NumberRange intersection(const NumberRange &lhs, const NumberRange &rhs) {
  return {std::max(lhs.least, rhs.least), std::min(lhs.most, rhs.most)};
}

NumberRange hull(const NumberRange &lhs, const NumberRange &rhs) {
  return {std::min(lhs.least, rhs.least), std::max(lhs.most, rhs.most)};
}

/// Divides by a positive constant, rounding up or down; an infinite end stays
/// infinite.
WideInteger quotient(WideInteger value, WideInteger divisor, bool roundsUp) {
  if (value <= -Infinity || value >= Infinity)
    return value;
  const WideInteger whole = value / divisor;
  const bool isExact = whole * divisor == value;
  if (isExact || (value < 0) == roundsUp)
    return whole;
  return roundsUp ? whole + 1 : whole - 1;
}

/// Returns the range of a type of `detail` bits, negative for a signed type.
NumberRange ofType(std::int64_t detail) {
  return rangeOf(
      IntegerType{static_cast<std::uint8_t>(std::abs(detail)), detail > 0});
}

/// Returns the least number 2^k - 1 that isn't below the value, which isn't
/// negative.
WideInteger allOnes(WideInteger value) {
  WideInteger ones = 0;
  while (ones < value && ones < Infinity)
    ones = 2 * ones + 1;
  return std::min(ones, Infinity);
}

/// Takes `first` and `second` out of a product; returns false if it doesn't
/// have both.
bool takePair(Monomial &product, Symbol first, Symbol second) {
  const auto one = std::find(product.begin(), product.end(), first);
  if (one == product.end() ||
      std::find(product.begin(), product.end(), second) == product.end())
    return false;
  product.erase(one);
  product.erase(std::find(product.begin(), product.end(), second));
  return true;
}

} // namespace

NumberRange anyNumber() { return {-Infinity, Infinity}; }

NumberRange rangeOf(IntegerType type) {
  const WideInteger count = WideInteger{1} << type.bits;
  if (type.isUnsigned)
    return {0, count - 1};
  return {-count / 2, count / 2 - 1};
}

NumberRange rangeOfNarrow(const Term &narrow) { return ofType(narrow.detail); }

bool contains(const NumberRange &outer, const NumberRange &inner) {
  return outer.least <= inner.least && inner.most <= outer.most;
}

std::optional<NumberRange> rangeOfCoordinate(Symbol symbol, bool isOpenCl) {
  const WideInteger threads =
      isOpenCl ? launchLimits::GroupItems : launchLimits::BlockThreads;
  const WideInteger blocks = isOpenCl || symbol.index == 0
                                 ? launchLimits::BlocksX
                                 : launchLimits::BlocksYZ;
  switch (symbol.kind) {
  case SymbolKind::ThreadIdx:
    return NumberRange{0, threads - 1};
  case SymbolKind::BlockIdx:
    return NumberRange{0, blocks - 1};
  case SymbolKind::BlockDim:
    return NumberRange{1, threads};
  case SymbolKind::GridDim:
    return NumberRange{1, blocks};
  case SymbolKind::GlobalIdx:
    return NumberRange{0, launchLimits::Threads - 1};
  case SymbolKind::StrideIdx:
  case SymbolKind::LoopCounter:
    return NumberRange{0, launchLimits::Iterations};
  default:
    return std::nullopt;
  }
}

Polynomial withGlobalIndices(Polynomial value) {
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const Symbol thread{SymbolKind::ThreadIdx, axis};
    const Symbol block{SymbolKind::BlockIdx, axis};
    const Symbol size{SymbolKind::BlockDim, axis};
    if (!value.mentions(thread) || !value.mentions(block) ||
        !value.mentions(size))
      continue;
    const auto before = multiply(Polynomial(block), Polynomial(size));
    const auto inBlock =
        before
            ? subtract(Polynomial(Symbol{SymbolKind::GlobalIdx, axis}), *before)
            : std::nullopt;
    auto joined =
        inBlock ? substitute(value,
                             [&](Symbol symbol) {
                               return symbol == thread ? inBlock : std::nullopt;
                             })
                : std::nullopt;
    if (joined && joined->terms().size() < value.terms().size())
      value = std::move(*joined);
  }
  return value;
}

NumberRange Ranges::of(const Polynomial &given, const Guard &guard) {
  const Polynomial value = withGlobalIndices(given);
  NumberRange range = ofSum(value, {});
  // A longer guard has what matters near the value.
  constexpr std::size_t MostConjuncts = 32;
  Guard near;
  for (std::size_t i = guard.size(); i > 0 && near.size() < MostConjuncts;
       --i) {
    const Constraint &known = guard[i - 1];
    if (known.relation == Relation::Unknown)
      continue;
    near.push_back({known.relation, withGlobalIndices(known.expression)});
  }
  if (near.empty() || value.asConstant())
    return range;
  range = intersection(range, ofSum(value, near));
  // The value with what isn't negative added or taken away.
  for (const Constraint &known : near) {
    if (known.relation == Relation::NonZero)
      continue;
    const auto more = add(value, known.expression);
    const auto less = subtract(value, known.expression);
    if (more)
      range.most = std::min(range.most, ofSum(*more, {}).most);
    if (less)
      range.least = std::max(range.least, ofSum(*less, {}).least);
    if (known.relation != Relation::Zero)
      continue;
    if (more)
      range.least = std::max(range.least, ofSum(*more, {}).least);
    if (less)
      range.most = std::min(range.most, ofSum(*less, {}).most);
  }
  return range;
}

NumberRange Ranges::ofSum(const Polynomial &value, const Guard &guard) {
  NumberRange range{0, 0};
  for (const auto &[monomial, coefficient] : value.terms())
    range = sum(
        range, product({coefficient, coefficient}, ofProduct(monomial, guard)));
  return range;
}

NumberRange Ranges::ofProduct(const Monomial &monomial, const Guard &guard) {
  Monomial factors = monomial;
  NumberRange range{1, 1};
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const Symbol size{SymbolKind::BlockDim, axis};
    if (takePair(factors, {SymbolKind::BlockIdx, axis}, size))
      range = product(range, {0, launchLimits::Threads - 1});
    if (takePair(factors, {SymbolKind::GridDim, axis}, size))
      range = product(range, {1, launchLimits::Threads});
  }
  // A quotient times its divisor is no more than the dividend.
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (factors[i].kind != SymbolKind::Opaque)
      continue;
    const Term &term = Terms[factors[i]];
    const auto divisor = term.kind == TermKind::Divide
                             ? term.operands[1].asSymbol()
                             : std::nullopt;
    Monomial rest = factors;
    if (!divisor || !takePair(rest, factors[i], *divisor))
      continue;
    const NumberRange dividend = ofSum(term.operands[0], {});
    if (dividend.least < 0 || ofSymbol(*divisor, {}).least < 0)
      continue;
    range = product(range, {0, dividend.most});
    factors = std::move(rest);
    i = 0;
  }
  for (std::size_t i = 0; i < factors.size(); ++i) {
    NumberRange factor = ofSymbol(factors[i], guard);
    // Symbols are sorted: squares stand together.
    if (i + 1 < factors.size() && factors[i] == factors[i + 1]) {
      factor = product(factor, factor);
      factor.least = std::max<WideInteger>(factor.least, 0);
      ++i;
    }
    range = product(range, factor);
  }
  return range;
}

NumberRange Ranges::ofSymbol(Symbol symbol, const Guard &guard) {
  NumberRange range =
      symbol.kind == SymbolKind::Opaque ? ofTerm(symbol) : Given(symbol);
  for (const Constraint &known : guard) {
    if (!known.expression.mentions(symbol))
      continue;
    const auto split = known.expression.splitLinear(symbol);
    const auto factor = split ? split->coefficient.asConstant() : std::nullopt;
    if (!factor || *factor == 0 || *factor == INT64_MIN)
      continue;
    // factor*symbol + rest >= 0
    const NumberRange rest = ofSum(split->rest, {});
    const WideInteger size = std::abs(*factor);
    if (known.relation == Relation::NonZero) {
      // A value at an end of the range is left out.
      if (const auto constant = split->rest.asConstant();
          constant && size == 1) {
        const WideInteger out =
            *factor > 0 ? -WideInteger{*constant} : *constant;
        range.least += out == range.least;
        range.most -= out == range.most;
      }
      continue;
    }
    if (*factor < 0 || known.relation == Relation::Zero)
      range.most =
          std::min(range.most, quotient(*factor < 0 ? rest.most : -rest.least,
                                        size, false));
    if (*factor > 0 || known.relation == Relation::Zero)
      range.least =
          std::max(range.least,
                   quotient(*factor > 0 ? -rest.most : rest.least, size, true));
  }
  return range;
}

NumberRange Ranges::ofTerm(Symbol symbol) {
  if (const auto known = OfTerms.find(symbol.index); known != OfTerms.end())
    return known->second;
  const NumberRange range = computed(Terms[symbol]);
  OfTerms.emplace(symbol.index, range);
  return range;
}

NumberRange Ranges::computed(const Term &term) {
  std::vector<NumberRange> operands;
  for (const Polynomial &operand : term.operands)
    operands.push_back(of(operand));
  const bool areNatural =
      std::all_of(operands.begin(), operands.end(),
                  [](const NumberRange &range) { return range.least >= 0; });
  const auto isNatural = [&](std::size_t i) { return operands[i].least >= 0; };
  switch (term.kind) {
  case TermKind::Divide: {
    const auto divisor = term.operands[1].asConstant();
    if (divisor && *divisor > 0)
      return {operands[0].least <= -Infinity ? -Infinity
                                             : operands[0].least / *divisor,
              operands[0].most >= Infinity ? Infinity
                                           : operands[0].most / *divisor};
    if (areNatural)
      return {0, operands[0].most};
    const WideInteger most =
        std::max(operands[0].most, clamp(-operands[0].least));
    return {-most, most};
  }
  case TermKind::Remainder: {
    // It takes the sign of the dividend, and is no larger.
    const WideInteger largest = std::max<WideInteger>(
        std::max(operands[1].most, clamp(-operands[1].least)) - 1, 0);
    return {isNatural(0) ? 0 : std::max(-largest, operands[0].least),
            std::clamp<WideInteger>(operands[0].most, 0, largest)};
  }
  case TermKind::Minimum:
    return {std::min(operands[0].least, operands[1].least),
            std::min(operands[0].most, operands[1].most)};
  case TermKind::Maximum:
    return {std::max(operands[0].least, operands[1].least),
            std::max(operands[0].most, operands[1].most)};
  case TermKind::ShiftRight:
    return isNatural(0)
               ? NumberRange{0, operands[0].most}
               : NumberRange{operands[0].least,
                             std::max<WideInteger>(operands[0].most, -1)};
  case TermKind::BitAnd: {
    if (!isNatural(0) && !isNatural(1))
      break;
    WideInteger most = Infinity;
    for (const NumberRange &operand : operands)
      if (operand.least >= 0)
        most = std::min(most, operand.most);
    return {0, most};
  }
  case TermKind::BitOr:
  case TermKind::BitXor:
    if (!areNatural)
      break;
    return {0, allOnes(std::max(operands[0].most, operands[1].most))};
  case TermKind::Narrow: {
    const NumberRange type = ofType(term.detail);
    return contains(type, operands[0]) ? operands[0] : type;
  }
  case TermKind::Compare:
    return {0, 1};
  case TermKind::Select:
    return hull(operands[1], operands[2]);
  case TermKind::Unique:
    if (!term.operands.empty())
      return ofType(term.operands[0].asConstant().value_or(-64));
    break;
  case TermKind::ShiftLeft:
    break;
  }
  return anyNumber();
}

} // namespace kfuse
