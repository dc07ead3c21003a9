//===- Totals.h - What all launches take together -------------------------===//
#ifndef KFUSE_DRIVER_PIPELINE_TOTALS_H
#define KFUSE_DRIVER_PIPELINE_TOTALS_H

#include "fusion/plan/Plan.h"
#include "fusion/plan/Problem.h"

#include <cstddef>

namespace kfuse {

/// Totals of the launches in the text; those of a loop's body count once, and
/// those of a function whose statements stand for its calls count there.
struct Totals {
  std::size_t launches = 0; ///< on the longest way through branches
  /// Launches in an arm of a branch count half: as far as is known they run
  /// every other time.
  double bytes = 0;   ///< of global memory, read and written
  double seconds = 0; ///< projected
};

/// Returns the totals of the launches as kernels of their own.
Totals totalsUnfused(const Problem &problem);
/// Returns the totals of the plan's kernels; swaps of pointers aren't kernels.
Totals totalsOf(const Program &program, const FusionPlan &plan);
/// Returns the projected seconds that the plan saves. Unlike totals they
/// compare between texts that have copies of other launches.
double savedSeconds(const Problem &problem, const FusionPlan &plan);
/// The least difference of saved seconds that isn't the rounding of sums.
inline constexpr double LeastGain = 1e-12;

} // namespace kfuse

#endif
