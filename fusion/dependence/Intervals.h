//===- Intervals.h - Which elements an access may touch -------------------===//
//
// Bounds of an index over the threads that run the access. They show that two
// accesses never meet, and become the byte ranges of run-time overlap tests.
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

/// Whether the two accesses never touch one element. Both indices are
/// polynomials and count elements of one size from one start.
bool areDisjoint(const StageAccess &first, const Stage &firstStage,
                 const StageAccess &second, const Stage &secondStage,
                 const KnownFacts &facts);

/// The elements that the access spans, from the kernel's pointer, in Parameter,
/// BlockDim and GridDim; `own` is the stage in the kernel's symbols.
std::optional<Span> spanOf(const StageAccess &access, const Stage &own,
                           const KnownFacts &facts);

/// The end of the span, which has one, that hosts test: the first that doesn't
/// depend on the launch's shape, which is the closest as a rule.
const Polynomial &endOf(const Span &span);

/// What accesses run in: a guard, and loops, which go round at least once.
struct AccessContext {
  Guard guard;
  std::vector<std::uint32_t> loops;
  bool operator==(const AccessContext &) const = default;
};
AccessContext contextOf(const StageAccess &access);
/// What holds wherever an access in either context runs.
AccessContext commonOf(const AccessContext &one, const AccessContext &other,
                       const Stage &stage, const KnownFacts &facts);

/// Whether all of a span, whose accesses run in that context, is in the other
/// one, up to its `endOf`.
bool liesWithin(const Span &inner, const AccessContext &context,
                const Span &outer, const Stage &stage, const KnownFacts &facts);
/// The same of the elements of the access, both counted from the array's start.
bool liesWithin(const StageAccess &access, const Span &outer,
                const Stage &stage, const KnownFacts &facts);

/// One span for the accesses of two, all of which run in that context: from the
/// lower begin to the higher end, where it is known which these are, and that
/// nothing lies between the two unless that may be.
std::optional<Span> joinSpans(const Span &one, const Span &two,
                              const AccessContext &context, const Stage &own,
                              const KnownFacts &facts, bool mayLieApart);

} // namespace kfuse

#endif
