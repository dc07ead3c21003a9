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

/// A part that isn't worth more than rounding.
constexpr double Rounding = 1e-8;
/// A bound this close to the program's value is as good.
constexpr double Close = 1e-5;
constexpr int MostRounds = 400;

/// Prices, and the groups that a partition better than the one that is known
/// can have: each leaves less of its cost than the bound leaves of that one's.
struct Pricing {
  std::vector<double> prices;
  std::vector<std::size_t> live;
  double bound() const {
    return std::accumulate(prices.begin(), prices.end(), 0.0);
  }
};

/// Takes the prices if their bound is better, and lets go of groups.
void update(Pricing &pricing, const GroupList &groups,
            std::vector<double> prices, double cost) {
  if (std::accumulate(prices.begin(), prices.end(), 0.0) <= pricing.bound())
    return;
  pricing.prices = std::move(prices);
  const double most = cost - pricing.bound() + Rounding * cost;
  std::erase_if(pricing.live, [&](std::size_t group) {
    return groups[group].size() > 1 &&
           reducedCost(groups, group, pricing.prices) > most;
  });
}

/// Without a solver: repairs until little is left to give.
Pricing ascend(const GroupList &groups, std::size_t items, double cost,
               int rounds) {
  Pricing pricing;
  pricing.prices.resize(items);
  pricing.live.resize(groups.size());
  std::iota(pricing.live.begin(), pricing.live.end(), std::size_t{0});
  for (int round = 0; round < rounds; ++round)
    update(pricing, groups, repairPrices(groups, pricing.live, pricing.prices),
           cost);
  return pricing;
}

/// Live groups whose items are worth more than they cost; for each item a few
/// that lack the largest share.
std::vector<std::size_t> wanted(const GroupList &groups,
                                const std::vector<std::size_t> &live,
                                const std::vector<double> &prices,
                                double tolerance) {
  constexpr std::size_t PerItem = 4;
  using Entry = std::pair<double, std::size_t>;
  std::vector<std::vector<Entry>> best(prices.size());
  for (std::size_t group : live) {
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
void solveRelaxed(SetPartitionProgram &program, const GroupList &groups,
                  const Partition &partition, double cost, Pricing &pricing) {
  std::vector<bool> isAdded(groups.size());
  auto add = [&](std::size_t group) {
    if (isAdded[group])
      return false;
    isAdded[group] = true;
    program.addColumn(groups[group], groups.costs[group]);
    return true;
  };
  // The partition and single items first, so that there is a solution.
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const ItemSet set(groups[group].begin(), groups[group].end());
    if (set.size() == 1 ||
        std::binary_search(partition.begin(), partition.end(), set))
      add(group);
  }
  // Then what is nearly worth its cost at the start.
  std::vector<double> prices = pricing.prices;
  for (double &price : prices)
    price *= 1.02;
  for (std::size_t group : wanted(groups, pricing.live, prices, 0))
    add(group);
  for (int round = 0; round < MostRounds; ++round) {
    prices = program.solve();
    prices.resize(pricing.prices.size());
    // The program's own prices swing; near the best ones the bound grows.
    std::vector<double> middle = pricing.prices;
    for (std::size_t item = 0; item < middle.size(); ++item)
      middle[item] += 0.4 * (prices[item] - middle[item]);
    update(pricing, groups, repairPrices(groups, pricing.live, middle), cost);
    const double value = std::accumulate(prices.begin(), prices.end(), 0.0);
    if (value - pricing.bound() <= Close * value)
      break;
    bool isMore = false;
    for (std::size_t group :
         wanted(groups, pricing.live, prices, Rounding * unitOf(groups)))
      isMore = add(group) || isMore;
    if (!isMore) {
      update(pricing, groups, repairPrices(groups, pricing.live, prices), cost);
      break;
    }
  }
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
  double cost = 0;
  for (const ItemSet &group : partition)
    cost += problem.cost(group).value_or(0);
  auto program = SetPartitionProgram::make(problem.size, unitOf(groups));
  Pricing pricing = ascend(groups, problem.size, cost, program ? 10 : 50);
  result.kind = BoundKind::DualAscent;
  if (program) {
    solveRelaxed(*program, groups, partition, cost, pricing);
    result.kind = BoundKind::LinearProgram;
  }
  // All that the live groups don't allow costs at least what is known.
  result.bound = std::min(pricing.bound(), cost);
  if (options.prove)
    prove(relations, groups, pricing.live, pricing.prices, cost, options.nodes,
          result);
  return result;
}

} // namespace kfuse
