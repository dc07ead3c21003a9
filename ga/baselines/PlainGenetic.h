//===- PlainGenetic.h - A grouping genetic algorithm of 2014 --------------===//
#ifndef KFUSE_GA_BASELINES_PLAINGENETIC_H
#define KFUSE_GA_BASELINES_PLAINGENETIC_H

#include "ga/groups/CostMemo.h"

#include <cstdint>

namespace kfuse {

/// Runs the grouping genetic algorithm as published in 2014, from random
/// individuals and without local search. Crossover injects groups of one parent
/// into the other. Mutation takes a group apart or merges it with another.
/// Illegal groups get a penalty; groups that wait for each other in a circle
/// are dropped from the result.
Partition plainGenetic(Costs &costs, std::uint64_t seed);

} // namespace kfuse

#endif
