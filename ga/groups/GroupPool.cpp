//===- GroupPool.cpp - Groups of all individuals so far -------------------===//

#include "ga/groups/GroupPool.h"

#include <algorithm>

namespace kfuse {

void GroupPool::add(const Grouping &individual) {
  for (std::uint32_t number : individual.order()) {
    const ItemGroup &group = individual.group(number);
    std::vector<ItemGroup> &known = ByFirst[group.items.front()];
    if (std::none_of(known.begin(), known.end(), [&](const ItemGroup &other) {
          return other.key == group.key;
        }))
      known.push_back(group);
  }
}

} // namespace kfuse
