//===- Adapter.cpp - A program as a partition problem ---------------------===//

#include "ga/problem/Adapter.h"

#include "fusion/PlanGroup.h"

#include <algorithm>
#include <limits>

namespace kfuse {
namespace {

using Bits = boost::dynamic_bitset<>;

constexpr std::uint32_t NoItem = std::numeric_limits<std::uint32_t>::max();

/// Returns the launches in the order of their nodes in the order-of-execution
/// graph, which are numbered topologically.
std::vector<LaunchId> itemsOf(const Problem &problem) {
  std::vector<LaunchId> items;
  for (std::uint32_t i = 0; i < problem.program.launches.size(); ++i)
    items.push_back(static_cast<LaunchId>(i));
  std::sort(items.begin(), items.end(), [&](LaunchId lhs, LaunchId rhs) {
    return problem.order.nodeOfLaunch[indexOf(lhs)] <
           problem.order.nodeOfLaunch[indexOf(rhs)];
  });
  return items;
}

/// Maps each node to its item, or a fixed step to NoItem.
std::vector<std::uint32_t> itemOfNode(const Problem &problem,
                                      const std::vector<LaunchId> &items) {
  std::vector<std::uint32_t> itemOf(problem.order.nodes.size(), NoItem);
  for (std::uint32_t item = 0; item < items.size(); ++item)
    itemOf[problem.order.nodeOfLaunch[indexOf(items[item])]] = item;
  return itemOf;
}

/// Returns the items of a set of nodes.
Bits itemsIn(const Bits &nodes, const std::vector<std::uint32_t> &itemOf,
             std::size_t count) {
  Bits items(count);
  for (auto node = nodes.find_first(); node != Bits::npos;
       node = nodes.find_next(node))
    if (itemOf[node] != NoItem)
      items.set(itemOf[node]);
  return items;
}

/// Returns whether both launches are in one region. Launches of different
/// regions never share a group.
bool isSameRegion(const Problem &problem, LaunchId lhs, LaunchId rhs) {
  return problem.program[lhs].region == problem.program[rhs].region;
}

/// Fills separated[i] with the items that come after a fixed step which comes
/// after i, and with the items of other regions. A loop or branch is itself a
/// fixed step that orders what is inside and outside.
void separate(const Problem &problem, const std::vector<LaunchId> &items,
              const std::vector<std::uint32_t> &itemOf,
              PartitionProblem &result) {
  Bits fixed(itemOf.size());
  for (std::size_t node = 0; node < itemOf.size(); ++node)
    fixed[node] = itemOf[node] == NoItem;
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    std::uint32_t node = problem.order.nodeOfLaunch[indexOf(items[i])];
    Bits between = problem.order.reach[node] & fixed;
    Bits behind(itemOf.size());
    for (auto step = between.find_first(); step != Bits::npos;
         step = between.find_next(step))
      behind |= problem.order.reach[step];
    result.separated.push_back(itemsIn(behind, itemOf, items.size()));
    for (std::uint32_t j = 0; j < items.size(); ++j)
      if (!isSameRegion(problem, items[i], items[j]))
        result.separated.back().set(j);
  }
}

} // namespace

PartitionProblem partitionProblem(const Problem &problem) {
  std::vector<LaunchId> items = itemsOf(problem);
  std::vector<std::uint32_t> itemOf = itemOfNode(problem, items);
  PartitionProblem result;
  result.size = static_cast<std::uint32_t>(items.size());
  result.horizontal = problem.options.horizontal;
  separate(problem, items, itemOf, result);
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    std::uint32_t node = problem.order.nodeOfLaunch[indexOf(items[i])];
    result.reach.push_back(
        itemsIn(problem.order.reach[node], itemOf, items.size()));
    Bits kin(items.size());
    for (std::uint32_t j = 0; j < items.size(); ++j)
      kin[j] = i != j && !result.separated[i][j] && !result.separated[j][i] &&
               problem.deps.shares[indexOf(items[i])][indexOf(items[j])];
    result.kin.push_back(std::move(kin));
  }
  result.mostItems = MostMembers;
  result.cost = [&problem, items](const ItemSet &set) -> std::optional<double> {
    std::vector<LaunchId> group;
    for (std::uint32_t item : set)
      group.push_back(items[item]);
    auto plan = planGroup(problem, group);
    if (const auto *kernel = std::get_if<FusedKernel>(&plan);
        kernel && !spillsMore(*kernel))
      return kernel->projection.seconds;
    return std::nullopt;
  };
  return result;
}

Groups toGroups(const Problem &problem, const Partition &partition) {
  std::vector<LaunchId> items = itemsOf(problem);
  Groups groups;
  for (const ItemSet &set : partition) {
    groups.emplace_back();
    for (std::uint32_t item : set)
      groups.back().push_back(items[item]);
  }
  return groups;
}

Partition toPartition(const Problem &problem, const Groups &groups) {
  std::vector<LaunchId> items = itemsOf(problem);
  std::vector<std::uint32_t> itemOf = itemOfNode(problem, items);
  std::vector<bool> named(items.size());
  Partition partition;
  for (const std::vector<LaunchId> &group : groups) {
    ItemSet set;
    for (LaunchId launch : group) {
      set.push_back(itemOf[problem.order.nodeOfLaunch[indexOf(launch)]]);
      named[set.back()] = true;
    }
    std::sort(set.begin(), set.end());
    partition.push_back(std::move(set));
  }
  for (std::uint32_t item = 0; item < items.size(); ++item)
    if (!named[item])
      partition.push_back({item});
  std::sort(partition.begin(), partition.end());
  return partition;
}

} // namespace kfuse
