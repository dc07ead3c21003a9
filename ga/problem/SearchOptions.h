//===- SearchOptions.h - How to search, and what was found ----------------===//
#ifndef KFUSE_GA_PROBLEM_SEARCHOPTIONS_H
#define KFUSE_GA_PROBLEM_SEARCHOPTIONS_H

#include "ga/problem/PartitionProblem.h"

#include <cstdint>
#include <string>

namespace kfuse {

enum class SearchKind : std::uint8_t {
  Genetic,      ///< the memetic grouping genetic algorithm
  Greedy,       ///< merges by the largest gain
  Exact,        ///< dynamic programming over down-sets
  Annealing,    ///< simulated annealing
  PlainGenetic, ///< a grouping genetic algorithm as published in 2014
  MinCut,       ///< recursive minimum cuts of the sharing graph
  Random,       ///< legal groups, whether they pay or not
};

/// Parts of the genetic algorithm, to see what each is good for.
struct SearchParts {
  bool crossover = true, localSearch = true, neighbourhoods = true;
};

struct SearchOptions {
  SearchKind kind = SearchKind::Genetic;
  std::uint64_t seed = 1;
  std::uint32_t population = 8; ///< of each island
  std::uint32_t islands = 1;    ///< the result depends on them
  std::uint32_t threads = 1;    ///< the result doesn't depend on them
  /// The budget: look-ups of costs for each item, of all islands together.
  std::uint64_t lookUpsPerItem = 10000;
  /// The partition that the genetic algorithm begins with, as far as it is
  /// legal; if empty, it makes up individuals.
  Partition start = {};
  SearchParts parts;
  /// Solves what few connected items allow exactly too.
  bool proves = false;
};

struct SearchResult {
  Partition partition;
  double cost = 0;               ///< Σ of the groups
  double singles = 0;            ///< Σ when nothing is fused
  std::uint64_t evaluations = 0; ///< distinct sets that were costed
  std::uint32_t generations = 0;
  bool provenOptimal = false; ///< no partition costs less
  std::string error;          ///< Exact on more items than it can enumerate
};

/// Connected items that no exact search is asked to exceed.
inline constexpr std::uint32_t ExactLimit = 20;

/// Connected items that are searched together when costs are dear. More are
/// searched in windows along their order.
inline constexpr std::uint32_t WholeLimit = 256;

} // namespace kfuse

#endif
