//===- fusion/Intervals.h - Which elements an access may touch ------------===//
//
// Bounds of an index over the threads that run the access. They show that two
// accesses never meet, and become the byte ranges of run-time overlap tests.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_INTERVALS_H
#define KFUSE_FUSION_INTERVALS_H

#include "fusion/Coordinates.h"
#include "fusion/Facts.h"
#include "fusion/Plan.h"

#include <optional>

namespace kfuse {

/// Every entry of `low` and `high` is a bound of the index.
struct Interval {
  std::vector<Polynomial> low, high;
};
std::optional<Interval> intervalOf(const StageAccess &access,
                                   const Stage &stage, const Facts &facts);

/// Whether the two accesses never touch one element. Both indices are
/// polynomials and count elements of one size from one start.
bool areDisjoint(const StageAccess &first, const Stage &firstStage,
                 const StageAccess &second, const Stage &secondStage,
                 const Facts &facts);

/// The elements that the access spans, from the kernel's pointer, in Parameter,
/// BlockDim and GridDim; `own` is the stage in its own frame.
std::optional<Span> spanOf(const StageAccess &access, const Stage &own,
                           const Facts &facts);

/// Whether the span, counted from the array's start in the values of `stage`,
/// has all elements of the access.
bool liesWithin(const StageAccess &access, const Stage &stage, const Span &span,
                const Facts &facts);

/// One span for two accesses that run under the guard of `either`, if not
/// always: from the lower begin to the higher end, where it is known which these
/// are, and that nothing lies between the two unless that may be.
std::optional<Span> joinSpans(const Span &one, const Span &two,
                              const StageAccess &either, const Stage &own,
                              const Facts &facts, bool mayLieApart);

} // namespace kfuse

#endif
