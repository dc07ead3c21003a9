//===- fusion/Intervals.cpp - Which elements an access may touch ----------===//

#include "fusion/Intervals.h"

#include <algorithm>
#include <numeric>

namespace kfuse {
namespace {

/// Alternatives kept for a bound; more would only make tests longer.
constexpr std::size_t AlternativeLimit = 6;

/// All sums of one entry of each list, as far as the limit goes.
std::vector<Polynomial> sums(const std::vector<Polynomial> &lhs,
                             const std::vector<Polynomial> &rhs) {
  std::vector<Polynomial> result;
  for (const Polynomial &left : lhs)
    for (const Polynomial &right : rhs)
      if (auto sum = add(left, right);
          sum && result.size() < AlternativeLimit &&
          std::find(result.begin(), result.end(), *sum) == result.end())
        result.push_back(std::move(*sum));
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

AxisSplit splitFor(const Polynomial &index) {
  AxisSplit split{};
  for (std::uint32_t axis = 0; axis < 3; ++axis)
    split[axis] = index.mentions(Symbol{SymbolKind::BlockIdx, axis});
  return split;
}

/// What holds wherever both the shape and the guard let the access run.
Facts factsAt(const StageAccess &access, const Stage &stage, const Guard &guard,
              const AxisSplit &split, Facts facts) {
  std::vector<Symbol> coordinates = coordinatesOf(stage, split);
  for (std::uint32_t loop : access.access->loops)
    coordinates.push_back({SymbolKind::LoopCounter, loop});
  for (Symbol coordinate : coordinates)
    assumeNonEmpty(facts, rangeOf(coordinate, stage, guard, *facts.terms));
  return facts;
}

/// The common divisor of all coefficients of terms that aren't constant.
std::int64_t stepOf(const Polynomial &polynomial) {
  std::int64_t step = 0;
  for (const auto &[monomial, coefficient] : polynomial.terms())
    if (!monomial.empty())
      step = std::gcd(step, coefficient);
  return step;
}

std::int64_t constantOf(const Polynomial &polynomial) {
  auto found = polynomial.terms().find(Monomial{});
  return found == polynomial.terms().end() ? 0 : found->second;
}

bool liesBelow(const Interval &lower, const Interval &upper,
               const Facts &facts) {
  for (const Polynomial &high : lower.high)
    for (const Polynomial &low : upper.low) {
      auto gap = subtract(low, high);
      if (gap && provesPositive(facts, *gap))
        return true;
    }
  return false;
}

bool isPrintable(const Polynomial &polynomial) {
  const std::vector<Symbol> symbols = polynomial.symbols();
  return std::all_of(symbols.begin(), symbols.end(), [](Symbol symbol) {
    return symbol.kind == SymbolKind::Parameter ||
           symbol.kind == SymbolKind::BlockDim ||
           symbol.kind == SymbolKind::GridDim;
  });
}

} // namespace

std::optional<Interval> intervalOf(const StageAccess &access,
                                   const Stage &stage, const Facts &given) {
  const auto *index = std::get_if<Polynomial>(&access.index);
  if (!index)
    return std::nullopt;
  const AxisSplit split = splitFor(*index);
  auto remaining = splitAxes(*index, stage, split);
  if (!remaining)
    return std::nullopt;
  const TermTable &terms = *given.terms;
  const Guard guard = splitGuard(access.guard, stage, split);
  const Facts facts = factsAt(access, stage, guard, split, given);
  Interval interval{{Polynomial{}}, {Polynomial{}}};
  for (Symbol symbol : remaining->symbols()) {
    if (!varies(Polynomial(symbol), terms))
      continue;
    auto parts = remaining->splitLinear(symbol);
    if (symbol.kind == SymbolKind::Opaque || !parts ||
        varies(parts->coefficient, terms))
      return std::nullopt;
    const Range range = rangeOf(symbol, stage, guard, terms);
    auto negated = subtract(Polynomial{}, parts->coefficient);
    const bool rises = provesNonNegative(facts, parts->coefficient);
    if (!rises && (!negated || !provesNonNegative(facts, *negated)))
      return std::nullopt;
    auto low = scaled(rises ? range.low : range.high, parts->coefficient);
    auto high = scaled(rises ? range.high : range.low, parts->coefficient);
    interval.low = sums(interval.low, low);
    interval.high = sums(interval.high, high);
    remaining = std::move(parts->rest);
  }
  interval.low = sums(interval.low, {*remaining});
  interval.high = sums(interval.high, {*remaining});
  if (interval.low.empty() || interval.high.empty())
    return std::nullopt;
  return interval;
}

bool areDisjoint(const StageAccess &first, const Stage &firstStage,
                 const StageAccess &second, const Stage &secondStage,
                 const Facts &facts) {
  const auto &lhs = std::get<Polynomial>(first.index);
  const auto &rhs = std::get<Polynomial>(second.index);
  const std::int64_t step = std::gcd(stepOf(lhs), stepOf(rhs));
  std::int64_t distance = 0;
  if (__builtin_sub_overflow(constantOf(lhs), constantOf(rhs), &distance))
    return false;
  if (step == 0 ? distance != 0 : distance % step != 0)
    return true;
  auto one = intervalOf(first, firstStage, facts);
  auto two = intervalOf(second, secondStage, facts);
  if (!one || !two)
    return false;
  // Where one of them never runs there is nothing to show.
  const AxisSplit noSplit{};
  Facts both = factsAt(first, firstStage, first.guard, noSplit, facts);
  both = factsAt(second, secondStage, second.guard, noSplit, both);
  return liesBelow(*one, *two, both) || liesBelow(*two, *one, both);
}

std::optional<Span> spanOf(const StageAccess &access, const Stage &own,
                           const Facts &facts) {
  auto interval = intervalOf(access, own, facts);
  if (!interval || access.access->elementBytes == 0)
    return std::nullopt;
  Span span;
  span.elementBytes = access.access->elementBytes;
  std::erase_if(interval->low,
                [](const Polynomial &low) { return !isPrintable(low); });
  std::erase_if(interval->high,
                [](const Polynomial &high) { return !isPrintable(high); });
  if (interval->low.empty() || interval->high.empty())
    return std::nullopt;
  span.low = interval->low.front();
  span.high = std::move(interval->high);
  return span;
}

std::optional<Span> joinSpans(const Span &one, const Span &two,
                              const StageAccess &access, const Stage &own,
                              const Facts &given) {
  // Where the accesses never run any span will do.
  const Facts facts = factsAt(access, own, access.guard, AxisSplit{}, given);
  const auto isAtMost = [&](const Polynomial &less, const Polynomial &more) {
    const auto room = subtract(more, less);
    return room && provesNonNegative(facts, *room);
  };
  if (one.elementBytes != two.elementBytes)
    return std::nullopt;
  Span joined;
  joined.elementBytes = one.elementBytes;
  if (isAtMost(one.low, two.low))
    joined.low = one.low;
  else if (isAtMost(two.low, one.low))
    joined.low = two.low;
  else
    return std::nullopt;
  const auto collect = [&](const Span &from, const Span &other) {
    for (const Polynomial &bound : from.high)
      if (std::find(joined.high.begin(), joined.high.end(), bound) ==
              joined.high.end() &&
          std::any_of(
              other.high.begin(), other.high.end(),
              [&](const Polynomial &end) { return isAtMost(end, bound); }))
        joined.high.push_back(bound);
  };
  collect(one, two);
  collect(two, one);
  return joined.high.empty() ? std::nullopt : std::optional(joined);
}

} // namespace kfuse
