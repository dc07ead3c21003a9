//===- Grouping.h - An individual of the search ---------------------------===//
//
// A partition with a topological order of its groups. All changes go through
// `replace`, which keeps the order or refuses; so nothing ever has to be
// repaired.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GA_GROUPS_GROUPING_H
#define KFUSE_GA_GROUPS_GROUPING_H

#include "ga/groups/CostMemo.h"

namespace kfuse {

struct ItemGroup {
  ItemSet items;
  SetKey key;
  double cost = 0;
};

/// A group of the items, with its cost.
ItemGroup makeItemGroup(ItemSet items, Costs &costs);

class Grouping {
public:
  /// Each item on its own.
  explicit Grouping(Costs &costs);
  /// The groups of a partition that can be ordered.
  Grouping(const Partition &partition, Costs &costs);

  std::uint32_t groupOf(std::uint32_t item) const { return GroupOf[item]; }
  const ItemGroup &group(std::uint32_t number) const { return Groups[number]; }
  /// Numbers in use, each after those that it waits for.
  const std::vector<std::uint32_t> &order() const { return Order; }
  std::uint32_t position(std::uint32_t number) const {
    return Position[number];
  }
  double cost() const;

  /// Puts groups in the place of others that have the same items; false, and
  /// nothing is changed, when they would wait for each other in a circle.
  bool replace(const std::vector<std::uint32_t> &old,
               const std::vector<ItemGroup> &fresh);

  /// Groups with kin of the items of `number`; if unrelated items may meet,
  /// also those that are next in the order. Each once, without `number`.
  std::vector<std::uint32_t> partners(std::uint32_t number) const;

  Partition partition() const;

private:
  const Relations *All;
  std::vector<std::uint32_t> GroupOf;  ///< by item
  std::vector<ItemGroup> Groups;       ///< by number; empty when not in use
  std::vector<std::uint32_t> Position; ///< by number
  std::vector<std::uint32_t> Order;    ///< numbers
  std::vector<std::uint32_t> Free;     ///< numbers that are not in use

  std::vector<std::uint32_t>
  sortWindow(std::uint32_t low, std::uint32_t high,
             const std::vector<std::uint32_t> &fresh) const;
};

/// The union of sets that have nothing in common, in order.
ItemSet unite(const ItemSet &lhs, const ItemSet &rhs);
/// `set` without `item`.
ItemSet without(const ItemSet &set, std::uint32_t item);

} // namespace kfuse

#endif
