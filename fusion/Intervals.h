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

/// One span for two accesses that run under one guard, which `access` has: from
/// the lower begin to the higher end, where it is known which these are.
std::optional<Span> joinSpans(const Span &one, const Span &two,
                              const StageAccess &access, const Stage &own,
                              const Facts &facts);

} // namespace kfuse

#endif
