//===- Baselines.h - Searches to compare with -----------------------------===//
#ifndef KFUSE_GA_BASELINES_BASELINES_H
#define KFUSE_GA_BASELINES_BASELINES_H

#include "ga/groups/CostMemo.h"

namespace kfuse {

/// The grouping genetic algorithm as published in 2014: random individuals,
/// crossover that injects groups of one parent into the other, mutation that
/// takes a group apart or moves an item, and a penalty for groups that are
/// illegal or wait for each other. No local search.
Partition plainGenetic(Costs &costs, std::uint64_t seed);

/// Cuts the graph of what groups would save in two along its minimum cut (of
/// Stoer and Wagner), and each part again, until it is a group that pays or a
/// single item.
Partition minCut(Costs &costs);

/// Merges groups at random as long as they are legal, up to a random size: the
/// costs have no say in it.
Partition mergeAtRandom(Costs &costs, std::uint64_t seed);

} // namespace kfuse

#endif
