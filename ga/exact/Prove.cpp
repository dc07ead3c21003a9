//===- Prove.cpp - The set-partition program in whole groups --------------===//

#include "ga/exact/Prove.h"

#include "ga/exact/LinearProgram.h"
#include "ga/groups/Sweep.h"

#include <algorithm>
#include <numeric>

namespace kfuse {
namespace {

/// The difference that isn't worth a proof, as a part of the cost.
constexpr double CostRounding = 1e-8;

/// Returns some groups that wait for each other in a circle; none when all can
/// be ordered.
std::vector<std::size_t> findCircle(const Relations &relations,
                                    const Partition &groups) {
  std::vector<std::size_t> groupOf(relations.problem.size);
  for (std::size_t group = 0; group < groups.size(); ++group)
    for (std::uint32_t item : groups[group])
      groupOf[item] = group;
  std::vector<std::size_t> waiting(groups.size());
  auto forEachLater = [&](std::size_t group, auto visit) {
    for (std::uint32_t item : groups[group])
      for (std::uint32_t next : relations.successors[item])
        if (groupOf[next] != group)
          visit(groupOf[next]);
  };
  for (std::size_t group = 0; group < groups.size(); ++group)
    forEachLater(group, [&](std::size_t later) { ++waiting[later]; });
  std::vector<std::size_t> ready;
  for (std::size_t group = 0; group < groups.size(); ++group)
    if (waiting[group] == 0)
      ready.push_back(group);
  std::vector<bool> isDone(groups.size());
  for (std::size_t next = 0; next < ready.size(); ++next) {
    isDone[ready[next]] = true;
    forEachLater(ready[next], [&](std::size_t later) {
      if (--waiting[later] == 0)
        ready.push_back(later);
    });
  }
  // Each that is left waits for another that is left: going back from one to
  // the next closes a circle.
  std::vector<std::size_t> earlier(groups.size(), groups.size());
  for (std::size_t group = 0; group < groups.size(); ++group)
    if (!isDone[group])
      forEachLater(group, [&](std::size_t later) { earlier[later] = group; });
  const auto first = std::find(isDone.begin(), isDone.end(), false);
  if (first == isDone.end())
    return {};
  std::vector<std::size_t> path;
  auto at = static_cast<std::size_t>(first - isDone.begin());
  while (std::find(path.begin(), path.end(), at) == path.end()) {
    path.push_back(at);
    at = earlier[at];
  }
  path.erase(path.begin(), std::find(path.begin(), path.end(), at));
  return path;
}

/// States of a sweep: about 200 MiB.
constexpr std::size_t MostStates = 4'000'000;

double costOf(const GroupList &groups, const std::vector<std::size_t> &taken) {
  double cost = 0;
  for (std::size_t group : taken)
    cost += groups.costs[group];
  return cost;
}

Partition partitionOf(const GroupList &groups,
                      const std::vector<std::size_t> &taken) {
  Partition partition;
  for (std::size_t group : taken)
    partition.emplace_back(groups[group].begin(), groups[group].end());
  return partition;
}

/// Returns the cheapest choice of live groups, which may be circular. Returns
/// none if all cost at least as much as the known partition, and nullopt if
/// there are too many states to remember.
std::optional<std::vector<std::size_t>>
sweep(const GroupList &groups, const std::vector<std::size_t> &live,
      const std::vector<double> &prices, double cost) {
  Sweep items(static_cast<std::uint32_t>(prices.size()));
  for (std::size_t group : live)
    // Except for rounding, nothing is cheaper than its prices.
    if (!items.add(groups[group],
                   std::max(0.0, reducedCost(groups, group, prices))))
      return std::nullopt;
  const double bound = std::accumulate(prices.begin(), prices.end(), 0.0);
  const auto found = items.run(
      {.cost = cost * (1 - CostRounding) - bound, .states = MostStates});
  if (!found)
    return std::nullopt;
  std::vector<std::size_t> taken;
  for (std::size_t number : found->groups)
    taken.push_back(live[number]);
  return taken;
}

/// Searches by branch and bound with the solver, if there is one, and cuts off
/// solutions that are circular.
void branch(const Relations &relations, const GroupList &groups,
            const std::vector<std::size_t> &live, double cost,
            std::uint32_t nodes, Certificate &certificate) {
  auto program =
      SetPartitionProgram::make(relations.problem.size, unitOf(groups));
  if (!program)
    return;
  for (std::size_t group : live)
    program->addColumn(groups[group], groups.costs[group]);
  while (true) {
    const SetPartitionProgram::Choice choice =
        program->solveWhole(cost * (1 - CostRounding), nodes);
    // Within the columns; any other partition costs at least as much as this.
    if (choice.columns.empty()) {
      if (choice.isOptimal) {
        certificate.kind = BoundKind::Proof;
        certificate.bound = cost;
      } else {
        certificate.bound = std::clamp(choice.bound, certificate.bound, cost);
      }
      return;
    }
    std::vector<std::size_t> columns;
    for (std::size_t column : choice.columns)
      columns.push_back(live[column]);
    Partition found = partitionOf(groups, columns);
    const double foundCost = costOf(groups, columns);
    const std::vector<std::size_t> circle = findCircle(relations, found);
    if (!circle.empty()) {
      std::vector<std::size_t> taken;
      for (std::size_t group : circle)
        taken.push_back(choice.columns[group]);
      program->forbid(taken);
      continue;
    }
    std::sort(found.begin(), found.end());
    certificate.better = std::move(found);
    if (choice.isOptimal) {
      certificate.kind = BoundKind::Proof;
      certificate.bound = foundCost;
    } else {
      certificate.bound =
          std::clamp(choice.bound, certificate.bound, foundCost);
    }
    return;
  }
}

} // namespace

void prove(const Relations &relations, const GroupList &groups,
           const std::vector<std::size_t> &live,
           const std::vector<double> &prices, double cost, std::uint32_t nodes,
           Certificate &certificate) {
  const auto swept = sweep(groups, live, prices, cost);
  if (!swept) {
    branch(relations, groups, live, cost, nodes, certificate);
    return;
  }
  certificate.bound = swept->empty() ? cost : costOf(groups, *swept);
  Partition found = partitionOf(groups, *swept);
  if (!found.empty() && !findCircle(relations, found).empty()) {
    branch(relations, groups, live, cost, nodes, certificate);
    return;
  }
  certificate.kind = BoundKind::Proof;
  std::sort(found.begin(), found.end());
  certificate.better = std::move(found);
}

} // namespace kfuse
