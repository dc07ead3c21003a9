//===- ga/Genetic.h - The grouping genetic algorithm ----------------------===//
//
// Individuals are partitions whose groups can be ordered, so nothing has to be
// repaired or punished. Crossover hands down whole groups; every child is
// improved by local search.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GA_GENETIC_H
#define KFUSE_GA_GENETIC_H

#include "ga/CostMemo.h"

namespace kfuse {

struct GeneticResult {
  Partition partition;
  std::uint32_t generations = 0;
};

GeneticResult genetic(CostMemo &memo, const SearchOptions &options);

} // namespace kfuse

#endif
