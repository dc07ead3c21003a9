//===- ga/Variation.cpp - Crossover and mutation --------------------------===//

#include "ga/Variation.h"

#include <algorithm>
#include <tuple>

namespace kfuse {
namespace {

/// A parent's group and the share of its singles' time that it saves.
struct Heritage {
  double saving = 0;
  const ItemGroup *group = nullptr;
};

std::vector<Heritage> heritageOf(const Grouping &parent, const ItemSet &items,
                                 const std::vector<bool> &isFree,
                                 Costs &costs) {
  std::vector<Heritage> groups;
  for (std::uint32_t item : items) {
    const ItemGroup &group = parent.group(parent.groupOf(item));
    if (group.items.size() < 2 || group.items.front() != item ||
        !std::all_of(group.items.begin(), group.items.end(),
                     [&](std::uint32_t member) { return isFree[member]; }))
      continue;
    const double singles = costs.singles(group.items);
    if (singles > 0)
      groups.push_back({1 - group.cost / singles, &group});
  }
  std::sort(groups.begin(), groups.end(),
            [](const Heritage &lhs, const Heritage &rhs) {
              return std::tie(rhs.saving, lhs.group->items) <
                     std::tie(lhs.saving, rhs.group->items);
            });
  return groups;
}

} // namespace

ItemSet randomWindow(const Relations &relations, std::size_t size,
                     Random &random) {
  const std::uint32_t count = relations.problem.size;
  std::vector<bool> isSeen(count);
  ItemSet window;
  auto add = [&](std::uint32_t item) {
    if (!isSeen[item])
      window.push_back(item);
    isSeen[item] = true;
  };
  size = std::min<std::size_t>(size, count);
  for (std::size_t next = 0; window.size() < size; ++next) {
    // Where kin end, the window goes on with what is numbered next.
    if (next == 0)
      add(random.below(count));
    else if (next == window.size())
      for (std::uint32_t item = window.back(); next == window.size();
           item = (item + 1) % count)
        add(item);
    for (std::uint32_t kin : relations.kin[window[next]])
      if (window.size() < size)
        add(kin);
  }
  std::sort(window.begin(), window.end());
  return window;
}

ItemSet dissolve(Grouping &grouping, Costs &costs, const ItemSet &items) {
  ItemSet freed;
  for (std::uint32_t item : items) {
    const std::uint32_t number = grouping.groupOf(item);
    const ItemSet members = grouping.group(number).items;
    if (!std::includes(items.begin(), items.end(), members.begin(),
                       members.end()))
      continue;
    freed.push_back(item);
    if (members.size() < 2)
      continue;
    std::vector<ItemGroup> singles;
    for (std::uint32_t member : members)
      singles.push_back(makeItemGroup({member}, costs));
    grouping.replace({number}, singles);
  }
  return freed;
}

ItemSet crossOver(Grouping &child, const Grouping &mother,
                  const Grouping &father, const ItemSet &window, Costs &costs,
                  Random &random) {
  const ItemSet freed = dissolve(child, costs, window);
  std::vector<bool> isFree(costs.problem().size);
  for (std::uint32_t item : freed)
    isFree[item] = true;
  const std::vector<Heritage> heritage[2] = {
      heritageOf(mother, freed, isFree, costs),
      heritageOf(father, freed, isFree, costs)};
  std::size_t next[2] = {0, 0};
  std::uint32_t turn = random.below(2);
  while (next[0] < heritage[0].size() || next[1] < heritage[1].size()) {
    turn = 1 - turn;
    while (next[turn] < heritage[turn].size()) {
      const ItemGroup &group = *heritage[turn][next[turn]++].group;
      if (!std::all_of(group.items.begin(), group.items.end(),
                       [&](std::uint32_t item) { return isFree[item]; }))
        continue;
      std::vector<std::uint32_t> old;
      for (std::uint32_t item : group.items)
        old.push_back(child.groupOf(item));
      if (!child.replace(old, {group}))
        continue;
      for (std::uint32_t item : group.items)
        isFree[item] = false;
      break;
    }
  }
  return freed;
}

} // namespace kfuse
