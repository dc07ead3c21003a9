//===- ga/Grouping.h - A partition under construction ---------------------===//
//
// An individual: a partition whose graph of groups is acyclic. Taking a group
// apart keeps it so; every other change is tried with `canForm` first.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GA_GROUPING_H
#define KFUSE_GA_GROUPING_H

#include "ga/CostMemo.h"

namespace kfuse {

class Grouping {
public:
  /// Each item on its own.
  explicit Grouping(const PartitionProblem &problem);

  std::uint32_t groupOf(std::uint32_t item) const { return GroupOf[item]; }
  /// Empty for a number that is not in use.
  const ItemSet &group(std::uint32_t number) const { return Groups[number]; }
  std::vector<std::uint32_t> groups() const; ///< numbers in use

  /// Whether `set` can become one group without a circle: no path leaves it
  /// and comes back through what remains of the other groups.
  bool canForm(const ItemSet &set) const;
  /// Makes `set` one group; its items leave the groups they were in.
  void form(const ItemSet &set);
  /// Makes every item of the group a group of its own.
  void dissolve(std::uint32_t number);

  /// Numbers of the groups other than `number` that hold kin of its items.
  std::vector<std::uint32_t> kinGroups(std::uint32_t number) const;

  double cost(CostMemo &memo) const;
  Partition partition() const;

private:
  const PartitionProblem *Problem;
  std::vector<std::uint32_t> GroupOf;
  std::vector<ItemSet> Groups;
};

/// The union of sets that have nothing in common, in order.
ItemSet unite(const ItemSet &lhs, const ItemSet &rhs);
/// `set` without `item`.
ItemSet without(const ItemSet &set, std::uint32_t item);

/// Improves until no merge (of two or three), move, ejection or split of a
/// group lowers the cost, or the budget is spent.
void improve(Grouping &grouping, CostMemo &memo);

/// Merges by the largest gain until none is left.
Grouping greedy(CostMemo &memo);

} // namespace kfuse

#endif
