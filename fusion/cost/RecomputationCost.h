//===- RecomputationCost.h - What computing at each read takes ------------===//
#ifndef KFUSE_FUSION_COST_RECOMPUTATIONCOST_H
#define KFUSE_FUSION_COST_RECOMPUTATIONCOST_H

#include "fusion/cost/Traffic.h"

namespace kfuse {

/// The work of members that others call, beyond their arithmetic.
struct RecomputationWork {
  /// How often each member of the group runs for each element of its own.
  std::vector<double> times;
  double instructions = 0;
  /// The bytes that loads of several inputs move, each at data-dependent
  /// places, beyond those of the array that isn't stored any more.
  double gatheredBytes = 0;
};

/// Returns the work of the kernel's recomputed members. `stages` holds the
/// traffic of each member as a kernel of its own.
RecomputationWork
recomputationsOf(const Problem &problem, const FusedKernel &kernel,
                 const std::vector<const LaunchTraffic *> &stages);

} // namespace kfuse

#endif
