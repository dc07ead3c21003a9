//===- Seeds.h - Where searches begin -------------------------------------===//
#ifndef KFUSE_GA_GENETIC_SEEDS_H
#define KFUSE_GA_GENETIC_SEEDS_H

#include "ga/groups/Grouping.h"
#include "ga/problem/Random.h"

namespace kfuse {

/// Merges groups of the items by the largest gain until none is left. Each gain
/// is taken for up to `noise` times more or less than it is.
void mergeGreedily(Grouping &grouping, Costs &costs, const ItemSet &items,
                   double noise, Random &random);

/// A random topological order, cut into the best runs. Such runs can always be
/// ordered.
Grouping cutRandomOrder(Costs &costs, Random &random);

/// The groups of a partition as far as they are legal; of others, what of their
/// items goes together, in order.
Grouping rebuild(const Partition &wanted, Costs &costs);

struct AnnealingPlan {
  std::uint64_t steps = 0;
  /// Temperatures, as parts of the mean cost of the items alone.
  double hot = 0.3, cold = 0.003;
};

/// Simulated annealing with moves that begin at the items: merges, relocations,
/// ejections and splits. Never ends with a worse partition.
void anneal(Grouping &grouping, Costs &costs, const ItemSet &items,
            const AnnealingPlan &plan, Random &random);

} // namespace kfuse

#endif
