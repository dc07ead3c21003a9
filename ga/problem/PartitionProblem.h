//===- PartitionProblem.h - Items to be put into groups -------------------===//
#ifndef KFUSE_GA_PROBLEM_PARTITIONPROBLEM_H
#define KFUSE_GA_PROBLEM_PARTITIONPROBLEM_H

#include <boost/dynamic_bitset.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
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

} // namespace kfuse

#endif
