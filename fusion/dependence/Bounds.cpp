//===- Bounds.cpp - Bounds of values where an access runs -----------------===//

#include "fusion/dependence/Bounds.h"

#include "fusion/dependence/Division.h"
#include "fusion/dependence/Quotients.h"

#include <algorithm>

namespace kfuse {
namespace {

/// Alternatives kept for a bound; more would only make tests longer.
constexpr std::size_t AlternativeLimit = 6;

void addNew(std::vector<Polynomial> &bounds, Polynomial bound) {
  if (bounds.size() < AlternativeLimit &&
      std::find(bounds.begin(), bounds.end(), bound) == bounds.end())
    bounds.push_back(std::move(bound));
}

/// Returns all sums of one entry of each list, up to the limit.
std::vector<Polynomial> sums(const std::vector<Polynomial> &lhs,
                             const std::vector<Polynomial> &rhs) {
  std::vector<Polynomial> result;
  for (const Polynomial &left : lhs)
    for (const Polynomial &right : rhs)
      if (auto sum = add(left, right))
        addNew(result, std::move(*sum));
  return result;
}

std::vector<Polynomial> scaled(const std::vector<Polynomial> &bounds,
                               const Polynomial &factor) {
  std::vector<Polynomial> result;
  for (const Polynomial &bound : bounds)
    if (auto product = multiply(bound, factor))
      result.push_back(std::move(*product));
  return result;
}

} // namespace

Bounds::Bounds(const Stage &stage, Guard guard, const AxisSplit &split,
               KnownFacts given, const std::vector<std::uint32_t> &loops)
    : TheStage(stage), Split(split), Conjuncts(std::move(guard)),
      Known(std::move(given)) {
  for (const Constraint &constraint : Conjuncts) {
    if ((constraint.relation != Relation::NonNegative &&
         constraint.relation != Relation::Zero) ||
        varying(constraint.expression).size() < 2)
      continue;
    Sums.push_back(constraint.expression);
    if (auto other = negated(constraint.expression);
        other && constraint.relation == Relation::Zero)
      Sums.push_back(std::move(*other));
  }
  std::vector<Symbol> coordinates = coordinatesOf(stage, split);
  for (std::uint32_t loop : loops)
    coordinates.push_back({SymbolKind::LoopCounter, loop});
  for (Symbol coordinate : coordinates)
    assumeNonEmpty(Known, ofAlone(coordinate));
  if (!Sums.empty())
    for (Symbol coordinate : coordinates)
      assumeNonEmpty(Known, of(coordinate));
  for (const Polynomial &sum : Sums)
    for (Polynomial &most : upperOfTerms(sum))
      assumeNonNegative(Known, std::move(most));
}

std::vector<Symbol> Bounds::varying(const Polynomial &value) const {
  std::vector<Symbol> symbols = value.symbols();
  std::erase_if(symbols, [this](Symbol symbol) {
    return !varies(Polynomial(symbol), *Known.terms);
  });
  return symbols;
}

Range Bounds::of(Symbol symbol) {
  Range range = ofAlone(symbol);
  for (const Polynomial &sum : Sums) {
    const auto parts = sum.splitLinear(symbol);
    const auto others = parts ? negated(parts->rest) : std::nullopt;
    // At most, or at least, what the others leave.
    if (parts && parts->coefficient == Polynomial(-1))
      for (Polynomial &bound : upperOfTerms(parts->rest))
        addNew(range.high, std::move(bound));
    if (others && parts->coefficient == Polynomial(1))
      for (Polynomial &bound : upperOfTerms(parts->rest))
        if (auto low = negated(bound))
          addNew(range.low, std::move(*low));
  }
  return range;
}

/// Bounds `symbol` without the guards of sums, which bound one symbol by
/// others.
Range Bounds::ofAlone(Symbol symbol) {
  if (symbol.kind != SymbolKind::Opaque)
    return rangeOf(symbol, TheStage, Conjuncts, *Known.terms);
  const auto [place, isNew] = OfTerms.try_emplace(symbol);
  if (isNew)
    place->second = ofTerm(symbol);
  return place->second;
}

Range Bounds::ofTerm(Symbol symbol) {
  Range range;
  addGuardBounds(range, symbol, Conjuncts, *Known.terms);
  const auto digit = digitOf(symbol, TheStage, Split, *Known.terms);
  const auto last =
      digit ? subtract(digit->divisor, Polynomial(1)) : std::nullopt;
  if (!last || !provesNonNegative(Known, *last))
    return range;
  // In the text's coordinates no block is taken away from the global index.
  const Polynomial &text = (*Known.terms)[symbol].operands[0];
  const std::vector<Polynomial> lows = lower(digit->dividend);
  const auto isAtLeastZero = [this](const Polynomial &low) {
    return provesNonNegative(Known, low);
  };
  const bool isNatural = isAtLeastZero(text) ||
                         std::any_of(lows.begin(), lows.end(), isAtLeastZero);
  if (isNatural)
    addNew(range.low, Polynomial{});
  if (digit->isRemainder) {
    addNew(range.high, *last);
    if (auto low = negated(*last); low && !isNatural)
      addNew(range.low, std::move(*low));
  } else if (isNatural) {
    const std::vector<Polynomial> highs = upper(digit->dividend);
    for (const Polynomial &high : highs)
      if (auto bound = quotient(high, digit->divisor))
        addNew(range.high, std::move(*bound));
    // No quotient is more than its dividend.
    for (const Polynomial &high : highs)
      addNew(range.high, high);
  }
  return range;
}

/// Returns an upper bound of x / d, for x in [0, dividend] and d at least 1.
std::optional<Polynomial> Bounds::quotient(const Polynomial &dividend,
                                           const Polynomial &divisor) const {
  const auto parts = divide(dividend, divisor);
  const auto lack = parts ? negated(parts->rest) : std::nullopt;
  if (lack && provesPositive(Known, *lack))
    return subtract(parts->quotient, Polynomial(1));
  const auto room = parts ? subtract(divisor, parts->rest) : std::nullopt;
  if (room && provesPositive(Known, *room))
    return parts->quotient;
  return std::nullopt;
}

/// Adds to `value` a multiple of `bounded`, which is never negative, so that
/// less of it differs between threads.
std::vector<Polynomial> Bounds::shortened(const Polynomial &value,
                                          const Polynomial &bounded) const {
  const std::vector<Symbol> before = varying(value);
  std::vector<Polynomial> shorter;
  for (const Symbol symbol : before) {
    const auto mine = value.splitLinear(symbol);
    const auto other = bounded.splitLinear(symbol);
    const auto divisor = other ? negated(other->coefficient) : std::nullopt;
    const auto times =
        mine && divisor ? divide(mine->coefficient, *divisor) : std::nullopt;
    if (!times || !times->rest.isZero() || times->quotient.isZero() ||
        varies(times->quotient, *Known.terms) ||
        !provesNonNegative(Known, times->quotient))
      continue;
    const auto more = multiply(times->quotient, bounded);
    auto sum = more ? add(value, *more) : std::nullopt;
    if (sum && varying(*sum).size() < before.size())
      addNew(shorter, std::move(*sum));
  }
  return shorter;
}

std::vector<Polynomial> Bounds::upper(const Polynomial &value,
                                      unsigned mostSums) {
  std::vector<Polynomial> bounds;
  for (const Polynomial &sum : Sums)
    for (const Polynomial &shorter :
         mostSums > 0 ? shortened(value, sum) : std::vector<Polynomial>{})
      if (bounds.size() < AlternativeLimit)
        for (Polynomial &bound : upper(shorter, mostSums - 1))
          addNew(bounds, std::move(bound));
  for (Polynomial &bound : upperOfTerms(value))
    addNew(bounds, std::move(bound));
  return bounds;
}

std::vector<Polynomial> Bounds::lower(const Polynomial &value) {
  const auto opposite = negated(value);
  if (!opposite)
    return {};
  return scaled(upper(*opposite), Polynomial(-1));
}

/// Bounds `value` by the bounds of each symbol on its own.
std::vector<Polynomial> Bounds::upperOfTerms(Polynomial value) {
  std::vector<Polynomial> bounds = {Polynomial{}};
  for (const Symbol symbol : varying(value)) {
    auto parts = value.splitLinear(symbol);
    if (!parts || varies(parts->coefficient, *Known.terms))
      return {};
    const bool rises = provesNonNegative(Known, parts->coefficient);
    const auto opposite = negated(parts->coefficient);
    if (!rises && (!opposite || !provesNonNegative(Known, *opposite)))
      return {};
    const Range range = ofAlone(symbol);
    bounds = sums(bounds,
                  scaled(rises ? range.high : range.low, parts->coefficient));
    value = std::move(parts->rest);
  }
  return sums(bounds, {value});
}

} // namespace kfuse
