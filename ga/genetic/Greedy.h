//===- Greedy.h - Merges by the largest gain ------------------------------===//
#ifndef KFUSE_GA_GENETIC_GREEDY_H
#define KFUSE_GA_GENETIC_GREEDY_H

#include "ga/groups/Grouping.h"
#include "ga/problem/Random.h"

namespace kfuse {

/// Merges groups of the items by the largest gain until none is left. Each gain
/// is taken for up to `noise` times more or less than it is.
void mergeGreedily(Grouping &grouping, Costs &costs, const ItemSet &items,
                   double noise, Random &random);

} // namespace kfuse

#endif
