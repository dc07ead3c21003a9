//===- Intervals.h - Which elements an access may touch -------------------===//
//
// Bounds of an index over the threads that run the access. They show that two
// accesses never touch one element (Disjoint.h), and become the byte ranges of
// run-time overlap tests.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_INTERVALS_H
#define KFUSE_FUSION_DEPENDENCE_INTERVALS_H

#include "fusion/dependence/Coordinates.h"
#include "fusion/dependence/KnownFacts.h"
#include "fusion/plan/Plan.h"

#include <optional>

namespace kfuse {

/// Every entry of `low` and `high` is a bound of the index.
struct Interval {
  std::vector<Polynomial> low, high;
};
std::optional<Interval> intervalOf(const StageAccess &access,
                                   const Stage &stage, const KnownFacts &facts);

/// Returns the elements that the access spans, from the kernel's pointer, in
/// Parameter, BlockDim and GridDim; `own` is the stage in the kernel's symbols.
std::optional<Span> spanOf(const StageAccess &access, const Stage &own,
                           const KnownFacts &facts);

/// Returns the end of the span, which has one, that hosts test: the first that
/// doesn't depend on the launch's shape, usually the closest.
const Polynomial &endOf(const Span &span);

/// The context of accesses: a guard, and loops, which run at least once.
struct AccessContext {
  Guard guard;
  std::vector<std::uint32_t> loops;
  bool operator==(const AccessContext &) const = default;
};
AccessContext contextOf(const StageAccess &access);
/// Returns what holds whenever both the shape and the context let an access
/// run.
KnownFacts factsAt(const AccessContext &context, const Stage &stage,
                   const KnownFacts &facts);
/// Returns what holds whenever an access in either context runs.
AccessContext commonOf(const AccessContext &one, const AccessContext &other,
                       const Stage &stage, const KnownFacts &facts);

/// Checks whether all of `inner`, whose accesses run in `context`, is in
/// `outer`, up to its `endOf`.
bool liesWithin(const Span &inner, const AccessContext &context,
                const Span &outer, const Stage &stage, const KnownFacts &facts);
/// Checks the same for the elements of the access, both counted from the
/// array's start.
bool liesWithin(const StageAccess &access, const Span &outer,
                const Stage &stage, const KnownFacts &facts);

/// Joins two spans, whose accesses all run in `context`: from the lower begin
/// to the higher end, if it is known which these are. Unless `mayLieApart`,
/// nothing may lie between the two.
std::optional<Span> joinSpans(const Span &one, const Span &two,
                              const AccessContext &context, const Stage &own,
                              const KnownFacts &facts, bool mayLieApart);

} // namespace kfuse

#endif
