//===- PlainGenetic.h - A grouping genetic algorithm of 2014 --------------===//
#ifndef KFUSE_GA_BASELINES_PLAINGENETIC_H
#define KFUSE_GA_BASELINES_PLAINGENETIC_H

#include "ga/groups/CostMemo.h"

#include <cstdint>

namespace kfuse {

/// The grouping genetic algorithm as published in 2014: random individuals,
/// crossover that injects groups of one parent into the other, mutation that
/// takes a group apart or moves an item, and a penalty for groups that are
/// illegal or wait for each other. No local search.
Partition plainGenetic(Costs &costs, std::uint64_t seed);

} // namespace kfuse

#endif
