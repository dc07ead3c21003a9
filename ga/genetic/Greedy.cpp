//===- Greedy.cpp - Merges by the largest gain ----------------------------===//

#include "ga/genetic/Greedy.h"

#include <algorithm>
#include <queue>
#include <tuple>

namespace kfuse {
namespace {

/// A merge of two groups as they were when the gain was computed.
struct Merge {
  double gain = 0;
  std::uint32_t first = 0, second = 0; ///< an item of each
  SetKey firstKey, secondKey;
  bool operator<(const Merge &other) const {
    // If gains are equal, the earlier groups come first.
    return std::tie(gain, other.first, other.second) <
           std::tie(other.gain, first, second);
  }
};

} // namespace

void mergeGreedily(Grouping &grouping, Costs &costs, const ItemSet &items,
                   double noise, Random &random) {
  std::priority_queue<Merge> queue;
  auto propose = [&](std::uint32_t number) {
    const ItemGroup &group = grouping.group(number);
    for (std::uint32_t partner : grouping.partners(number)) {
      const ItemGroup &other = grouping.group(partner);
      const double both = costs(group.key ^ other.key, [&] {
        return unite(group.items, other.items);
      });
      double gain = group.cost + other.cost - both;
      if (gain <= 0)
        continue;
      if (noise > 0)
        gain *= 1 + noise * (2 * random.unit() - 1);
      if (group.items.front() < other.items.front())
        queue.push({gain, group.items.front(), other.items.front(), group.key,
                    other.key});
      else
        queue.push({gain, other.items.front(), group.items.front(), other.key,
                    group.key});
    }
  };
  for (std::uint32_t item : items)
    if (grouping.group(grouping.groupOf(item)).items.front() == item)
      propose(grouping.groupOf(item));
  while (!queue.empty() && !costs.isSpent()) {
    const Merge merge = queue.top();
    queue.pop();
    const std::uint32_t first = grouping.groupOf(merge.first);
    const std::uint32_t second = grouping.groupOf(merge.second);
    if (first == second || grouping.group(first).key != merge.firstKey ||
        grouping.group(second).key != merge.secondKey)
      continue;
    if (grouping.replace({first, second},
                         {makeItemGroup(unite(grouping.group(first).items,
                                              grouping.group(second).items),
                                        costs)}))
      propose(grouping.groupOf(merge.first));
  }
}

} // namespace kfuse
