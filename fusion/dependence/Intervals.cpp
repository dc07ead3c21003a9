//===- Intervals.cpp - Which elements an access may touch -----------------===//

#include "fusion/dependence/Intervals.h"

#include "fusion/dependence/Bounds.h"
#include "fusion/dependence/Quotients.h"

#include <algorithm>

namespace kfuse {
namespace {

/// Returns the axes on which the index, or what it divides, depends on the
/// block.
AxisSplit splitFor(const Polynomial &index, const Stage &stage,
                   const TermTable &terms) {
  AxisSplit split{};
  std::vector<Polynomial> parts = {index};
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (const Symbol symbol : parts[i].symbols()) {
      if (symbol.kind == SymbolKind::BlockIdx)
        split[symbol.index] = true;
      if (auto digit = digitOf(symbol, stage, AxisSplit{}, terms);
          digit &&
          std::find(parts.begin(), parts.end(), digit->dividend) == parts.end())
        parts.push_back(std::move(digit->dividend));
    }
  return split;
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

KnownFacts factsAt(const AccessContext &context, const Stage &stage,
                   const KnownFacts &facts) {
  return Bounds(stage, context.guard, AxisSplit{}, facts, context.loops)
      .facts();
}

std::optional<Interval> intervalOf(const StageAccess &access,
                                   const Stage &stage,
                                   const KnownFacts &facts) {
  const auto *index = std::get_if<Polynomial>(&access.index);
  if (!index)
    return std::nullopt;
  const AxisSplit split = splitFor(*index, stage, *facts.terms);
  const auto remaining = splitAxes(*index, stage, split);
  if (!remaining)
    return std::nullopt;
  Bounds bounds(stage, splitGuard(access.guard, stage, split), split, facts,
                access.access->loops);
  Interval interval{bounds.lower(*remaining), bounds.upper(*remaining)};
  if (interval.low.empty() || interval.high.empty())
    return std::nullopt;
  return interval;
}

std::optional<Span> spanOf(const StageAccess &access, const Stage &own,
                           const KnownFacts &facts) {
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

const Polynomial &endOf(const Span &span) {
  const auto shapeless = std::find_if(
      span.high.begin(), span.high.end(), [](const Polynomial &bound) {
        return !bound.mentions(SymbolKind::GridDim) &&
               !bound.mentions(SymbolKind::BlockDim);
      });
  return shapeless == span.high.end() ? span.high.front() : *shapeless;
}

bool liesWithin(const Span &inner, const AccessContext &context,
                const Span &outer, const Stage &stage,
                const KnownFacts &given) {
  if (inner.elementBytes != outer.elementBytes)
    return false;
  const KnownFacts facts = factsAt(context, stage, given);
  const auto isAtMost = [&](const Polynomial &less, const Polynomial &more) {
    const auto room = subtract(more, less);
    return room && provesNonNegative(facts, *room);
  };
  return isAtMost(outer.low, inner.low) &&
         std::any_of(inner.high.begin(), inner.high.end(),
                     [&](const Polynomial &high) {
                       return isAtMost(high, endOf(outer));
                     });
}

bool liesWithin(const StageAccess &access, const Span &outer,
                const Stage &stage, const KnownFacts &facts) {
  const auto interval = intervalOf(access, stage, facts);
  return interval &&
         std::any_of(interval->low.begin(), interval->low.end(),
                     [&](const Polynomial &low) {
                       return liesWithin(
                           {low, interval->high, access.access->elementBytes},
                           contextOf(access), outer, stage, facts);
                     });
}

AccessContext contextOf(const StageAccess &access) {
  return {access.guard, access.access->loops};
}

AccessContext commonOf(const AccessContext &one, const AccessContext &other,
                       const Stage &stage, const KnownFacts &given) {
  AccessContext common;
  const auto addImplied = [&](const Guard &guard, const AccessContext &by) {
    const KnownFacts facts = factsAt(by, stage, given);
    for (const Constraint &each : guard)
      if (std::find(common.guard.begin(), common.guard.end(), each) ==
              common.guard.end() &&
          (std::find(by.guard.begin(), by.guard.end(), each) !=
               by.guard.end() ||
           (each.relation == Relation::NonNegative &&
            provesNonNegative(facts, each.expression))))
        common.guard.push_back(each);
  };
  addImplied(one.guard, other);
  addImplied(other.guard, one);
  for (const std::uint32_t loop : one.loops)
    if (std::find(other.loops.begin(), other.loops.end(), loop) !=
        other.loops.end())
      common.loops.push_back(loop);
  return common;
}

std::optional<Span> joinSpans(const Span &one, const Span &two,
                              const AccessContext &context, const Stage &own,
                              const KnownFacts &given, bool mayLieApart) {
  // If the accesses never run, any span will do.
  const KnownFacts facts = factsAt(context, own, given);
  const auto isAtMost = [&](const Polynomial &less, const Polynomial &more) {
    const auto room = subtract(more, less);
    return room && provesNonNegative(facts, *room);
  };
  if (one.elementBytes != two.elementBytes)
    return std::nullopt;
  const auto reaches = [&](const Span &from, const Span &other) {
    const auto behind = add(endOf(from), Polynomial(std::int64_t{1}));
    return behind && isAtMost(other.low, *behind);
  };
  if (!mayLieApart && (!reaches(one, two) || !reaches(two, one)))
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
