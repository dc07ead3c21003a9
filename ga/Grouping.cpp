//===- ga/Grouping.cpp - A partition under construction -------------------===//

#include "ga/Grouping.h"

#include <algorithm>
#include <iterator>

namespace kfuse {

using Bits = boost::dynamic_bitset<>;

Grouping::Grouping(const PartitionProblem &problem)
    : Problem(&problem), GroupOf(problem.size), Groups(problem.size) {
  for (std::uint32_t item = 0; item < problem.size; ++item) {
    GroupOf[item] = item;
    Groups[item] = {item};
  }
}

std::vector<std::uint32_t> Grouping::groups() const {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < Groups.size(); ++i)
    if (!Groups[i].empty())
      numbers.push_back(i);
  return numbers;
}

bool Grouping::canForm(const ItemSet &set) const {
  Bits members(Problem->size), pending(Problem->size);
  for (std::uint32_t item : set) {
    members.set(item);
    pending |= Problem->reach[item];
  }
  pending -= members;
  Bits seen = pending;
  for (auto next = pending.find_first(); next != Bits::npos;
       next = pending.find_first()) {
    for (std::uint32_t item : Groups[GroupOf[next]]) {
      pending.reset(item);
      if (members[item])
        continue;
      seen.set(item);
      if (Problem->reach[item].intersects(members))
        return false;
      Bits found = Problem->reach[item] - seen;
      seen |= found;
      pending |= found;
    }
  }
  return true;
}

void Grouping::form(const ItemSet &set) {
  for (std::uint32_t item : set) {
    ItemSet &old = Groups[GroupOf[item]];
    old.erase(std::find(old.begin(), old.end(), item));
  }
  auto free = std::find_if(Groups.begin(), Groups.end(),
                           [](const ItemSet &group) { return group.empty(); });
  auto number = static_cast<std::uint32_t>(free - Groups.begin());
  *free = set;
  for (std::uint32_t item : set)
    GroupOf[item] = number;
}

void Grouping::dissolve(std::uint32_t number) {
  ItemSet items = Groups[number];
  for (std::size_t i = 1; i < items.size(); ++i)
    form({items[i]});
}

std::vector<std::uint32_t> Grouping::kinGroups(std::uint32_t number) const {
  Bits kin(Problem->size);
  for (std::uint32_t item : Groups[number])
    kin |= Problem->kin[item];
  std::vector<std::uint32_t> found;
  for (auto item = kin.find_first(); item != Bits::npos;
       item = kin.find_next(item))
    if (GroupOf[item] != number)
      found.push_back(GroupOf[item]);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

double Grouping::cost(CostMemo &memo) const {
  double sum = 0;
  for (const ItemSet &group : Groups)
    if (!group.empty())
      sum += memo(group).value_or(0);
  return sum;
}

Partition Grouping::partition() const {
  Partition partition;
  for (const ItemSet &group : Groups)
    if (!group.empty())
      partition.push_back(group);
  std::sort(partition.begin(), partition.end());
  return partition;
}

ItemSet unite(const ItemSet &lhs, const ItemSet &rhs) {
  ItemSet both;
  std::merge(lhs.begin(), lhs.end(), rhs.begin(), rhs.end(),
             std::back_inserter(both));
  return both;
}

ItemSet without(const ItemSet &set, std::uint32_t item) {
  ItemSet rest = set;
  rest.erase(std::find(rest.begin(), rest.end(), item));
  return rest;
}

} // namespace kfuse
