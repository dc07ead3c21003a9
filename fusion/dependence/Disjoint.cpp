//===- Disjoint.cpp - Accesses without a common element -------------------===//

#include "fusion/dependence/Disjoint.h"

#include "fusion/dependence/Bounds.h"
#include "fusion/dependence/Intervals.h"

#include <algorithm>
#include <numeric>

namespace kfuse {
namespace {

/// Returns what holds if both accesses run. If one of them never does, there is
/// nothing to show.
KnownFacts factsOfBoth(const StageAccess &first, const Stage &firstStage,
                       const StageAccess &second, const Stage &secondStage,
                       const KnownFacts &facts) {
  return factsAt(contextOf(second), secondStage,
                 factsAt(contextOf(first), firstStage, facts));
}

/// Checks whether a conjunct of the guard is false for every thread.
bool neverRuns(const StageAccess &access, const Stage &stage,
               const KnownFacts &facts) {
  Bounds bounds(stage, {}, AxisSplit{}, facts, {});
  return std::any_of(
      access.guard.begin(), access.guard.end(), [&](const Constraint &one) {
        if (one.relation != Relation::NonNegative &&
            one.relation != Relation::Zero)
          return false;
        const std::vector<Polynomial> highs = bounds.upper(one.expression);
        return std::any_of(highs.begin(), highs.end(),
                           [&](const Polynomial &high) {
                             const auto lack = subtract(Polynomial{}, high);
                             return lack && provesPositive(facts, *lack);
                           });
      });
}

/// Returns the common divisor of all coefficients of terms that aren't
/// constant.
std::int64_t stepOf(const Polynomial &polynomial) {
  std::int64_t step = 0;
  for (const auto &[monomial, coefficient] : polynomial.terms())
    if (!monomial.empty())
      step = std::gcd(step, coefficient);
  return step;
}

std::int64_t constantPart(const Polynomial &polynomial) {
  auto found = polynomial.terms().find(Monomial{});
  return found == polynomial.terms().end() ? 0 : found->second;
}

bool liesBelow(const Interval &lower, const Interval &upper,
               const KnownFacts &facts) {
  for (const Polynomial &high : lower.high)
    for (const Polynomial &low : upper.low) {
      auto gap = subtract(low, high);
      if (gap && provesPositive(facts, *gap))
        return true;
    }
  return false;
}

} // namespace

bool areDisjoint(const StageAccess &first, const Stage &firstStage,
                 const StageAccess &second, const Stage &secondStage,
                 const KnownFacts &facts) {
  const auto &lhs = std::get<Polynomial>(first.index);
  const auto &rhs = std::get<Polynomial>(second.index);
  const std::int64_t step = std::gcd(stepOf(lhs), stepOf(rhs));
  std::int64_t distance = 0;
  if (__builtin_sub_overflow(constantPart(lhs), constantPart(rhs), &distance))
    return false;
  if (step == 0 ? distance != 0 : distance % step != 0)
    return true;
  if (neverRuns(first, firstStage, facts) ||
      neverRuns(second, secondStage, facts))
    return true;
  const KnownFacts both =
      factsOfBoth(first, firstStage, second, secondStage, facts);
  auto one = intervalOf(first, firstStage, facts);
  auto two = intervalOf(second, secondStage, facts);
  if (one && two &&
      (liesBelow(*one, *two, both) || liesBelow(*two, *one, both)))
    return true;
  const std::vector<Rooms> ways =
      waysToDiffer(first, firstStage, second, secondStage, both);
  return !ways.empty() && ways.front().empty();
}

std::vector<Rooms> waysToBeDisjoint(const StageAccess &first,
                                    const Stage &firstStage,
                                    const StageAccess &second,
                                    const Stage &secondStage,
                                    const KnownFacts &facts) {
  return waysToDiffer(
      first, firstStage, second, secondStage,
      factsOfBoth(first, firstStage, second, secondStage, facts));
}

} // namespace kfuse
