//===- Rebuild.cpp - A partition of another problem -----------------------===//

#include "ga/genetic/Rebuild.h"

#include <algorithm>

namespace kfuse {
namespace {

/// Joins the groups that have the items; returns false if that isn't legal.
bool join(Grouping &grouping, Costs &costs, const ItemSet &items) {
  if (costs(items) == Illegal)
    return false;
  std::vector<std::uint32_t> old;
  for (const std::uint32_t item : items)
    if (const std::uint32_t group = grouping.groupOf(item);
        std::find(old.begin(), old.end(), group) == old.end())
      old.push_back(group);
  return grouping.replace(old, {makeItemGroup(items, costs)});
}

} // namespace

Grouping rebuild(const Partition &wanted, Costs &costs) {
  Grouping grouping(costs);
  for (const ItemSet &group : wanted) {
    if (group.size() < 2 || join(grouping, costs, group))
      continue;
    std::vector<ItemSet> parts;
    for (const std::uint32_t item : group) {
      const auto part =
          std::find_if(parts.begin(), parts.end(), [&](const ItemSet &each) {
            return join(grouping, costs, unite(each, {item}));
          });
      if (part == parts.end())
        parts.push_back({item});
      else
        *part = unite(*part, {item});
    }
  }
  return grouping;
}

} // namespace kfuse
