//===- ga/Certificate.cpp - How far a partition is from the best ----------===//

#include "ga/Certificate.h"

#include "ga/GroupList.h"
#include "ga/LinearProgram.h"
#include "ga/Prove.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace kfuse {
namespace {

constexpr double Infinity = std::numeric_limits<double>::infinity();
/// A bound this close to the program's value is as good.
constexpr double Close = 1e-5;
constexpr int MostRounds = 400;

/// What the prices of a group's items leave of its cost.
double reducedCost(const GroupList &groups, std::size_t group,
                   const std::vector<double> &prices) {
  double rest = groups.costs[group];
  for (std::uint32_t item : groups[group])
    rest -= prices[item];
  return rest;
}

/// Prices that no group exceeds. Each item's price changes by the least share
/// that a group of it has left, or lacks; for the sum over a group that is at
/// most what the group has left.
std::vector<double> repair(const GroupList &groups,
                           const std::vector<double> &prices) {
  std::vector<double> change(prices.size(), Infinity);
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const double share = reducedCost(groups, group, prices) /
                         static_cast<double>(groups[group].size());
    for (std::uint32_t item : groups[group])
      change[item] = std::min(change[item], share);
  }
  std::vector<double> repaired = prices;
  for (std::size_t item = 0; item < prices.size(); ++item)
    repaired[item] += change[item];
  return repaired;
}

double sum(const std::vector<double> &prices) {
  return std::accumulate(prices.begin(), prices.end(), 0.0);
}

/// Without a solver: repairs until nothing is left to give.
std::vector<double> ascend(const GroupList &groups, std::size_t items) {
  std::vector<double> prices(items);
  for (int round = 0; round < 50; ++round)
    prices = repair(groups, prices);
  return prices;
}

/// Groups whose items are worth more than they cost; for each item a few that
/// lack the largest share.
std::vector<std::size_t> wanted(const GroupList &groups,
                                const std::vector<double> &prices,
                                double tolerance) {
  constexpr std::size_t PerItem = 3;
  using Entry = std::pair<double, std::size_t>;
  std::vector<std::vector<Entry>> best(prices.size());
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const double rest = reducedCost(groups, group, prices);
    if (rest >= -tolerance)
      continue;
    const Entry entry{rest / static_cast<double>(groups[group].size()), group};
    for (std::uint32_t item : groups[group]) {
      std::vector<Entry> &list = best[item];
      if (list.size() == PerItem && list.back() <= entry)
        continue;
      list.insert(std::upper_bound(list.begin(), list.end(), entry), entry);
      if (list.size() > PerItem)
        list.pop_back();
    }
  }
  std::vector<std::size_t> found;
  for (const std::vector<Entry> &list : best)
    for (const Entry &entry : list)
      found.push_back(entry.second);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

/// The relaxed program by column generation, from prices that are near.
std::vector<double> solveRelaxed(SetPartitionProgram &program,
                                 const GroupList &groups,
                                 const Partition &partition,
                                 const std::vector<double> &start) {
  // The partition and single items first, so that there is a solution.
  std::vector<bool> isAdded(groups.size());
  auto add = [&](std::size_t group) {
    if (!isAdded[group])
      program.addColumn(groups[group], groups.costs[group]);
    isAdded[group] = true;
  };
  double scale = 0;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const auto items = groups[group];
    const ItemSet set(items.begin(), items.end());
    if (set.size() == 1 ||
        std::binary_search(partition.begin(), partition.end(), set))
      add(group);
    scale = std::max(scale, groups.costs[group]);
  }
  // Then what is nearly worth its cost at the start.
  std::vector<double> prices = start;
  for (double &price : prices)
    price *= 1.02;
  for (std::size_t group : wanted(groups, prices, 0))
    add(group);
  std::vector<double> best = start;
  for (int round = 0; round < MostRounds; ++round) {
    prices = program.solve();
    prices.resize(start.size());
    const std::vector<double> repaired = repair(groups, prices);
    if (sum(repaired) > sum(best))
      best = repaired;
    if (sum(prices) - sum(best) <= Close * sum(best))
      break;
    const std::vector<std::size_t> more = wanted(groups, prices, scale * 1e-9);
    for (std::size_t group : more)
      add(group);
    if (more.empty())
      break;
  }
  return best;
}

} // namespace

const char *boundName(BoundKind kind) {
  switch (kind) {
  case BoundKind::None:
    return "none";
  case BoundKind::DualAscent:
    return "dual ascent";
  case BoundKind::LinearProgram:
    return "linear program";
  case BoundKind::Proof:
    return "proof";
  }
  return "";
}

Certificate certify(const PartitionProblem &problem, const Partition &partition,
                    const CertifyOptions &options) {
  Certificate result;
  if (!problem.hereditary || problem.size == 0)
    return result;
  const Relations relations(problem);
  const GroupList groups = listGroups(relations, options.mostSets);
  result.groups = groups.size();
  if (!groups.isComplete)
    return result;
  std::vector<double> prices = ascend(groups, problem.size);
  result.kind = BoundKind::DualAscent;
  if (auto program = SetPartitionProgram::make(problem.size, unitOf(groups))) {
    prices = solveRelaxed(*program, groups, partition, prices);
    result.kind = BoundKind::LinearProgram;
  }
  result.bound = sum(prices);
  if (options.prove && result.kind == BoundKind::LinearProgram)
    prove(relations, groups, prices, partition, options.nodes, result);
  return result;
}

} // namespace kfuse
