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

/// Makes a group of the items, with its cost.
ItemGroup makeItemGroup(ItemSet items, Costs &costs);

class Grouping {
public:
  /// Creates a group of its own for each item.
  explicit Grouping(Costs &costs);
  /// Creates the groups of a partition, if they can be ordered.
  Grouping(const Partition &partition, Costs &costs);

  std::uint32_t groupOf(std::uint32_t item) const { return GroupOf[item]; }
  const ItemGroup &group(std::uint32_t number) const { return Groups[number]; }
  /// Returns the numbers in use, each after those that it waits for.
  const std::vector<std::uint32_t> &order() const { return Order; }
  std::uint32_t position(std::uint32_t number) const {
    return Position[number];
  }
  double cost() const;

  /// Puts groups in the place of others that have the same items. Returns
  /// false, and changes nothing, when groups would wait for each other in a
  /// circle.
  bool replace(const std::vector<std::uint32_t> &old,
               const std::vector<ItemGroup> &fresh);

  /// Returns the groups with kin of the items of `number`; if unrelated items
  /// may share a group, also those that are next in the order. Lists each once,
  /// without `number`.
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

/// Returns the union of two sets without a common item, in order.
ItemSet unite(const ItemSet &lhs, const ItemSet &rhs);
/// Returns `set` without `item`.
ItemSet without(const ItemSet &set, std::uint32_t item);

} // namespace kfuse

#endif
