//===- ga/Search.h - Searching partitions ---------------------------------===//
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
  /// between[i][j]: something that is not an item must run after i and before
  /// j, so i and j are never in one group.
  std::vector<boost::dynamic_bitset<>> separated;
  /// kin[i][j]: i and j share an array; groups of two or more are connected in
  /// this graph unless `horizontal` lets unrelated ones meet.
  std::vector<boost::dynamic_bitset<>> kin;
  bool horizontal = true;
  /// Projected seconds of the set as one kernel; nullopt when it is illegal.
  /// Pure: called at most once for each set (the search memoises).
  std::function<std::optional<double>(const ItemSet &)> cost;
};

enum class SearchKind : std::uint8_t { Genetic, Greedy, Exhaustive };

struct SearchOptions {
  SearchKind kind = SearchKind::Genetic;
  std::uint64_t seed = 1;
  std::uint32_t population = 40;
  std::uint32_t generations = 60;     ///< stops early when nothing improves
  std::uint64_t evaluations = 200000; ///< budget of memoised cost look-ups
};

struct SearchResult {
  Partition partition;
  double cost = 0;               ///< Σ of the groups
  double singles = 0;            ///< Σ when nothing is fused
  std::uint64_t evaluations = 0; ///< distinct sets that were costed
  std::uint32_t generations = 0;
  bool provenOptimal = false;
  std::string error; ///< Exhaustive on more items than it can enumerate
};

/// Items that no exhaustive search is asked to exceed.
inline constexpr std::uint32_t ExhaustiveLimit = 14;

SearchResult search(const PartitionProblem &problem,
                    const SearchOptions &options);

/// Whether the partition covers each item once with convex groups that can be
/// ordered; an empty string, or what is wrong. Independent of the searchers.
std::string checkPartition(const PartitionProblem &problem,
                           const Partition &partition);

} // namespace kfuse

#endif
