//===- GroupPool.h - Groups of all individuals so far ---------------------===//
#ifndef KFUSE_GA_GROUPS_GROUPPOOL_H
#define KFUSE_GA_GROUPS_GROUPPOOL_H

#include "ga/groups/Grouping.h"

namespace kfuse {

/// Each group that some individual has or had, once.
class GroupPool {
public:
  explicit GroupPool(std::uint32_t items) : ByFirst(items) {}

  void add(const Grouping &individual);
  /// Returns the groups with `item` as their first.
  const std::vector<ItemGroup> &startingAt(std::uint32_t item) const {
    return ByFirst[item];
  }

private:
  std::vector<std::vector<ItemGroup>> ByFirst;
};

} // namespace kfuse

#endif
