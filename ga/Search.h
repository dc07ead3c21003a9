//===- Search.h - Searching partitions ------------------------------------===//
//
// Minimise Σ T_p(F_j) over partitions of K into legal groups whose graph is
// acyclic. The searchers know nothing of programs: they see numbers of items,
// order edges, pairs that may never meet, and a pure cost of a set.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GA_SEARCH_H
#define KFUSE_GA_SEARCH_H

#include <boost/dynamic_bitset.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace kfuse {

/// A set of items in ascending order.
using ItemSet = std::vector<std::uint32_t>;
/// A partition: each item in exactly one set, sets sorted by first item.
using Partition = std::vector<ItemSet>;

/// The abstract problem. Items 0..size-1 are in a topological order.
struct PartitionProblem {
  std::uint32_t size = 0;
  /// reach[i][j]: item j must run after item i (transitively closed, also
  /// through things that are not items).
  std::vector<boost::dynamic_bitset<>> reach;
  /// separated[i][j]: i and j are never in one group, because something that is
  /// not an item must run after i and before j, or for another reason.
  std::vector<boost::dynamic_bitset<>> separated;
  /// kin[i][j]: i and j share an array; groups of two or more are connected in
  /// this graph unless `horizontal` lets unrelated ones meet.
  std::vector<boost::dynamic_bitset<>> kin;
  bool horizontal = true;
  /// Items that a group has at most.
  std::uint32_t mostItems = std::numeric_limits<std::uint32_t>::max();
  /// Projected seconds of the set as one kernel; nullopt when it is illegal.
  /// Pure: called at most once for each set (the search memoises).
  std::function<std::optional<double>(const ItemSet &)> cost;
  /// A cost takes about as long as looking it up, so that many may be tried;
  /// what is legal stays so when items leave.
  bool hereditary = false;
  /// The cost may be asked for by several threads at once.
  bool concurrent = false;
};

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
  /// Of the genetic algorithm: what the population begins with, as far as it is
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

/// Connected items that are searched together where costs are dear. More are
/// searched in windows along their order.
inline constexpr std::uint32_t WholeLimit = 256;

SearchResult search(const PartitionProblem &problem,
                    const SearchOptions &options);

/// Whether the partition covers each item once with convex groups that can be
/// ordered; an empty string, or what is wrong. Independent of the searchers.
std::string checkPartition(const PartitionProblem &problem,
                           const Partition &partition);

/// The same of a result, and whether its costs are those of its groups.
std::string checkResult(const PartitionProblem &problem,
                        const SearchResult &result);

} // namespace kfuse

#endif
