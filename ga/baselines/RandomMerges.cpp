//===- RandomMerges.cpp - Legal groups, whatever they cost ----------------===//

#include "ga/baselines/RandomMerges.h"

#include "ga/groups/Grouping.h"
#include "ga/problem/Random.h"

namespace kfuse {
namespace {

/// Sizes that groups may grow to; small ones are the likeliest.
constexpr std::size_t SmallestLimit = 2, LargestLimit = 8;
/// Merges that are tried for each item.
constexpr std::uint32_t TriesPerItem = 8;

} // namespace

Partition mergeAtRandom(Costs &costs, std::uint64_t seed) {
  Random random(seed);
  Grouping grouping(costs);
  const std::uint32_t items = costs.problem().size;
  std::vector<std::size_t> limits(items);
  for (std::size_t &limit : limits)
    limit = SmallestLimit +
            random.below(1 + random.below(LargestLimit - SmallestLimit + 1));
  for (std::uint32_t i = 0; i < TriesPerItem * items; ++i) {
    const auto item = static_cast<std::uint32_t>(random.below(items));
    const std::uint32_t number = grouping.groupOf(item);
    const std::vector<std::uint32_t> partners = grouping.partners(number);
    if (partners.empty())
      continue;
    const std::uint32_t partner = partners[random.below(partners.size())];
    const ItemSet both =
        unite(grouping.group(number).items, grouping.group(partner).items);
    if (both.size() > limits[both.front()] || costs(both) == Illegal)
      continue;
    grouping.replace({number, partner}, {makeItemGroup(both, costs)});
  }
  return grouping.partition();
}

} // namespace kfuse
