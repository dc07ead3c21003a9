//===- Grouping.cpp - An individual of the search -------------------------===//

#include "ga/groups/Grouping.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <queue>

namespace kfuse {
namespace {

/// Groups on each side in the order that unrelated groups are tried with.
constexpr std::uint32_t StrangersOnEachSide = 8;

} // namespace

ItemGroup makeItemGroup(ItemSet items, Costs &costs) {
  ItemGroup group;
  group.key = keyOf(costs.relations(), items);
  group.cost = items.size() == 1 ? costs.single(items.front())
                                 : costs(group.key, [&items] { return items; });
  group.items = std::move(items);
  return group;
}

Grouping::Grouping(Costs &costs)
    : All(&costs.relations()), GroupOf(costs.problem().size),
      Position(costs.problem().size), Order(costs.problem().size) {
  std::iota(GroupOf.begin(), GroupOf.end(), 0U);
  std::iota(Position.begin(), Position.end(), 0U);
  std::iota(Order.begin(), Order.end(), 0U);
  for (std::uint32_t item = 0; item < costs.problem().size; ++item)
    Groups.push_back(makeItemGroup({item}, costs));
}

Grouping::Grouping(const Partition &partition, Costs &costs) : Grouping(costs) {
  std::vector<std::uint32_t> old;
  std::vector<ItemGroup> fresh;
  for (const ItemSet &set : partition)
    if (set.size() > 1) {
      fresh.push_back(makeItemGroup(set, costs));
      for (std::uint32_t item : set)
        old.push_back(item);
    }
  if (!fresh.empty())
    replace(old, fresh);
}

/// Sorts the groups of a part of the order, and the fresh ones that aren't in
/// the order yet, by Kahn's algorithm. The earliest that can go goes first, so
/// that the order changes little. Returns no numbers when there is a circle.
std::vector<std::uint32_t>
Grouping::sortWindow(std::uint32_t low, std::uint32_t high,
                     const std::vector<std::uint32_t> &fresh) const {
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t at = low; at <= high; ++at)
    if (!Groups[Order[at]].items.empty())
      nodes.push_back(Order[at]);
  nodes.insert(nodes.end(), fresh.begin(), fresh.end());

  thread_local std::vector<std::uint32_t> waiting;
  waiting.assign(Groups.size(), 0);
  auto isInside = [&](std::uint32_t number) {
    return Position[number] >= low && Position[number] <= high;
  };
  auto forEachLater = [&](std::uint32_t number, auto visit) {
    for (std::uint32_t item : Groups[number].items)
      for (std::uint32_t next : All->successors[item])
        if (GroupOf[next] != number && isInside(GroupOf[next]))
          visit(GroupOf[next]);
  };
  for (std::uint32_t node : nodes)
    forEachLater(node, [&](std::uint32_t later) { ++waiting[later]; });

  using Ready = std::pair<std::uint32_t, std::uint32_t>; // position, number
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
  for (std::uint32_t node : nodes)
    if (waiting[node] == 0)
      ready.emplace(Position[node], node);
  std::vector<std::uint32_t> sorted;
  while (!ready.empty()) {
    const std::uint32_t node = ready.top().second;
    ready.pop();
    sorted.push_back(node);
    forEachLater(node, [&](std::uint32_t later) {
      if (--waiting[later] == 0)
        ready.emplace(Position[later], later);
    });
  }
  if (sorted.size() < nodes.size())
    sorted.clear();
  return sorted;
}

bool Grouping::replace(const std::vector<std::uint32_t> &old,
                       const std::vector<ItemGroup> &fresh) {
  std::uint32_t low = Position[old.front()], high = low;
  for (std::uint32_t number : old) {
    low = std::min(low, Position[number]);
    high = std::max(high, Position[number]);
  }
  // Fresh groups get new numbers first, so that the old ones can come back.
  std::vector<ItemGroup> kept;
  for (std::uint32_t number : old) {
    kept.push_back(std::move(Groups[number]));
    Groups[number] = {};
  }
  std::vector<std::uint32_t> numbers;
  for (const ItemGroup &group : fresh) {
    if (Free.empty()) {
      Free.push_back(static_cast<std::uint32_t>(Groups.size()));
      Groups.emplace_back();
      Position.push_back(0);
    }
    numbers.push_back(Free.back());
    Free.pop_back();
    // Beside the first of the places that its items had.
    std::uint32_t place = high;
    for (std::uint32_t item : group.items)
      place = std::min(place, Position[GroupOf[item]]);
    Position[numbers.back()] = place;
    Groups[numbers.back()] = group;
  }
  auto point = [&](const std::vector<std::uint32_t> &to) {
    for (std::uint32_t number : to)
      for (std::uint32_t item : Groups[number].items)
        GroupOf[item] = number;
  };
  point(numbers);
  const std::vector<std::uint32_t> sorted = sortWindow(low, high, numbers);
  const bool isOrdered = !sorted.empty();
  if (!isOrdered) {
    for (std::size_t i = 0; i < old.size(); ++i)
      Groups[old[i]] = std::move(kept[i]);
    point(old);
    for (std::uint32_t number : numbers)
      Groups[number] = {};
    Free.insert(Free.end(), numbers.begin(), numbers.end());
    return false;
  }
  Free.insert(Free.end(), old.begin(), old.end());
  const std::uint32_t room = high - low + 1;
  std::copy_n(sorted.begin(), std::min<std::size_t>(room, sorted.size()),
              Order.begin() + low);
  if (sorted.size() < room)
    Order.erase(Order.begin() + low +
                    static_cast<std::ptrdiff_t>(sorted.size()),
                Order.begin() + high + 1);
  else
    Order.insert(Order.begin() + high + 1, sorted.begin() + room, sorted.end());
  const std::size_t end =
      sorted.size() == room ? high + std::size_t{1} : Order.size();
  for (std::size_t at = low; at < end; ++at)
    Position[Order[at]] = static_cast<std::uint32_t>(at);
  return true;
}

std::vector<std::uint32_t> Grouping::partners(std::uint32_t number) const {
  thread_local std::vector<std::uint64_t> seen;
  thread_local std::uint64_t epoch = 0;
  ++epoch;
  if (seen.size() < Groups.size())
    seen.resize(Groups.size());
  seen[number] = epoch;
  std::vector<std::uint32_t> found;
  auto add = [&](std::uint32_t other) {
    if (seen[other] == epoch)
      return;
    seen[other] = epoch;
    found.push_back(other);
  };
  for (std::uint32_t item : Groups[number].items)
    for (std::uint32_t kin : All->kin[item])
      add(GroupOf[kin]);
  if (All->problem.horizontal) {
    const std::uint32_t at = Position[number];
    const std::size_t end =
        std::min<std::size_t>(Order.size(), at + StrangersOnEachSide + 1);
    for (std::size_t i = at - std::min(at, StrangersOnEachSide); i < end; ++i)
      add(Order[i]);
  }
  return found;
}

double Grouping::cost() const {
  double sum = 0;
  for (std::uint32_t number : Order)
    sum += Groups[number].cost;
  return sum;
}

Partition Grouping::partition() const {
  Partition partition;
  for (std::uint32_t number : Order)
    partition.push_back(Groups[number].items);
  std::sort(partition.begin(), partition.end());
  return partition;
}

ItemSet unite(const ItemSet &lhs, const ItemSet &rhs) {
  ItemSet both;
  both.reserve(lhs.size() + rhs.size());
  std::merge(lhs.begin(), lhs.end(), rhs.begin(), rhs.end(),
             std::back_inserter(both));
  return both;
}

ItemSet without(const ItemSet &set, std::uint32_t item) {
  ItemSet rest;
  rest.reserve(set.size());
  for (std::uint32_t other : set)
    if (other != item)
      rest.push_back(other);
  return rest;
}

} // namespace kfuse
