//===- RecomputationCost.h - What computing at each read takes ------------===//
#ifndef KFUSE_FUSION_COST_RECOMPUTATIONCOST_H
#define KFUSE_FUSION_COST_RECOMPUTATIONCOST_H

#include "fusion/cost/Traffic.h"

namespace kfuse {

/// What the members that others call take beyond their arithmetic.
struct RecomputationWork {
  /// By member of the group, how often it runs for each element of its own.
  std::vector<double> times;
  double instructions = 0;
  /// What loads of several inputs move, each at places that data tell, beyond
  /// those of the array that isn't stored any more.
  double gatheredBytes = 0;
};

/// `stages` are the traffic of the members as kernels of their own.
RecomputationWork
recomputationsOf(const Problem &problem, const FusedKernel &kernel,
                 const std::vector<const LaunchTraffic *> &stages);

} // namespace kfuse

#endif
