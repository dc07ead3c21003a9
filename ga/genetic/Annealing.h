//===- Annealing.h - Simulated annealing ----------------------------------===//
#ifndef KFUSE_GA_GENETIC_ANNEALING_H
#define KFUSE_GA_GENETIC_ANNEALING_H

#include "ga/groups/Grouping.h"
#include "ga/problem/Random.h"

#include <cstdint>

namespace kfuse {

struct AnnealingPlan {
  std::uint64_t steps = 0;
  /// Temperatures, as parts of the mean cost of the items alone.
  double hot = 0.3, cold = 0.003;
};

/// Runs simulated annealing with moves that begin at the items: merges,
/// relocations, ejections and splits. Never ends with a worse partition.
void anneal(Grouping &grouping, Costs &costs, const ItemSet &items,
            const AnnealingPlan &plan, Random &random);

} // namespace kfuse

#endif
