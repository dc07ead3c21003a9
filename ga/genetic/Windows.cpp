//===- Windows.cpp - Parts of an individual, and dissolving ---------------===//

#include "ga/genetic/Windows.h"

#include <algorithm>

namespace kfuse {
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
    // When kin end, the window goes on with the item numbered next.
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

} // namespace kfuse
