//===- Genetic.h - The grouping genetic algorithm -------------------------===//
//
// Memetic: individuals are partitions whose groups can be ordered, so nothing
// has to be repaired or punished. Crossover gives a child the best choice of
// all known groups within a window of the items. Mutation upsets a window.
// Every child is improved by local search and by exact search of
// neighbourhoods.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GA_GENETIC_GENETIC_H
#define KFUSE_GA_GENETIC_GENETIC_H

#include "ga/groups/CostMemo.h"
#include "ga/problem/SearchOptions.h"

namespace kfuse {

struct GeneticResult {
  Partition partition;
  std::uint32_t generations = 0;
};

/// Runs the islands, each with its share of the budget. If `inRuns` is set and
/// there is nothing to start from, an island begins with runs of the order,
/// which cost little.
GeneticResult genetic(CostMemo &memo, const SearchOptions &options,
                      std::uint64_t budget, bool inRuns);

} // namespace kfuse

#endif
