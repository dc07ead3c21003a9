//===- RandomOrder.h - Random orders, cut into the best runs --------------===//
#ifndef KFUSE_GA_GENETIC_RANDOMORDER_H
#define KFUSE_GA_GENETIC_RANDOMORDER_H

#include "ga/groups/Grouping.h"
#include "ga/problem/Random.h"

namespace kfuse {

/// Cuts a random topological order into the best runs. Such runs can always be
/// ordered.
Grouping cutRandomOrder(Costs &costs, Random &random);

} // namespace kfuse

#endif
