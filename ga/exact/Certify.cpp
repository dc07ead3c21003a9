//===- Certify.cpp - How far a partition is from the best -----------------===//

#include "ga/exact/Certify.h"

#include "ga/exact/LinearProgram.h"
#include "ga/exact/Prove.h"
#include "ga/groups/GroupList.h"

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
  double dearest = 0; ///< of all groups
  double bound() const {
    return std::accumulate(prices.begin(), prices.end(), 0.0);
  }
};

/// Takes the prices if their bound is better, and drops the groups that no
/// better partition can have then.
void update(Pricing &pricing, const GroupList &groups,
            std::vector<double> prices, double cost) {
  if (std::accumulate(prices.begin(), prices.end(), 0.0) <= pricing.bound())
    return;
  pricing.prices = std::move(prices);
  const double most = cost - pricing.bound() + Rounding * cost;
  // No group of a large problem leaves so much; checking all takes long.
  if (most >= pricing.dearest)
    return;
  std::erase_if(pricing.live, [&](std::size_t group) {
    return groups[group].size() > 1 &&
           reducedCost(groups, group, pricing.prices) > most;
  });
}

/// Returns prices that distribute each group's cost over its items as these
/// cost alone. If the known partition is the best and also solves the relaxed
/// program, these prices are near the program's.
std::vector<double> knownPrices(const PartitionProblem &problem,
                                const Partition &partition) {
  std::vector<double> prices(problem.size);
  for (const ItemSet &group : partition) {
    double alone = 0;
    for (std::uint32_t item : group)
      alone += prices[item] = problem.cost({item}).value_or(0);
    const double share =
        alone > 0 ? problem.cost(group).value_or(0) / alone : 0;
    for (std::uint32_t item : group)
      prices[item] *= share;
  }
  return prices;
}

/// Finds prices without a solver: repairs `prices` for `rounds` rounds, until
/// little is left to distribute.
Pricing ascend(const GroupList &groups, std::vector<double> prices, double cost,
               int rounds) {
  Pricing pricing;
  pricing.prices.resize(prices.size());
  pricing.live.resize(groups.size());
  std::iota(pricing.live.begin(), pricing.live.end(), std::size_t{0});
  pricing.dearest = *std::max_element(groups.costs.begin(), groups.costs.end());
  for (int round = 0; round < rounds; ++round) {
    prices = repairPrices(groups, pricing.live, std::move(prices));
    update(pricing, groups, prices, cost);
  }
  return pricing;
}

/// For each item a few of its groups that are worth more than they cost, first
/// the one that lacks the largest share for each of its items.
class Lacking {
public:
  Lacking(const GroupList &groups, const std::vector<std::size_t> &live,
          const std::vector<double> &prices)
      : ByItem(prices.size()) {
    for (std::size_t group : live) {
      const double rest = reducedCost(groups, group, prices);
      if (rest < 0)
        add(groups[group],
            {rest / static_cast<double>(groups[group].size()), group});
    }
  }

  /// Returns prices by which no group is worth more than it costs, like
  /// `repairPrices`, but raises none.
  std::vector<double> repaired(std::vector<double> prices) const {
    for (std::size_t item = 0; item < prices.size(); ++item)
      if (!ByItem[item].empty())
        prices[item] += ByItem[item].front().first;
    return prices;
  }

  /// Lists the groups that lack more than `tolerance`.
  std::vector<std::size_t> groups(double tolerance) const {
    std::vector<std::size_t> found;
    for (const std::vector<Entry> &entries : ByItem)
      for (const Entry &entry : entries)
        if (entry.first < -tolerance)
          found.push_back(entry.second);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

private:
  static constexpr std::size_t PerItem = 4;
  using Entry = std::pair<double, std::size_t>;

  void add(std::span<const std::uint32_t> items, const Entry &entry) {
    for (std::uint32_t item : items) {
      std::vector<Entry> &list = ByItem[item];
      if (list.size() == PerItem && list.back() <= entry)
        continue;
      list.insert(std::upper_bound(list.begin(), list.end(), entry), entry);
      if (list.size() > PerItem)
        list.pop_back();
    }
  }

  std::vector<std::vector<Entry>> ByItem;
};

/// Solves the relaxed program by column generation, from prices that are near
/// its solution.
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
  std::vector<const ItemSet *> known(pricing.prices.size());
  for (const ItemSet &set : partition)
    known[set.front()] = &set;
  for (std::size_t group = 0; group < groups.size(); ++group)
    if (groups[group].size() == 1 ||
        (known[groups[group].front()] &&
         std::ranges::equal(*known[groups[group].front()], groups[group])))
      add(group);
  // Then what is nearly worth its cost at the start.
  std::vector<double> prices = pricing.prices;
  for (double &price : prices)
    price *= 1.02;
  for (std::size_t group : Lacking(groups, pricing.live, prices).groups(0))
    add(group);
  for (int round = 0; round < MostRounds; ++round) {
    prices = program.solve();
    prices.resize(pricing.prices.size());
    const Lacking lacking(groups, pricing.live, prices);
    update(pricing, groups, lacking.repaired(prices), cost);
    const double value = std::accumulate(prices.begin(), prices.end(), 0.0);
    if (value - pricing.bound() <= Close * value)
      return;
    bool isMore = false;
    for (std::size_t group : lacking.groups(Rounding * unitOf(groups)))
      isMore = add(group) || isMore;
    if (!isMore)
      return;
  }
}

} // namespace

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
  Pricing pricing =
      ascend(groups, knownPrices(problem, partition), cost, program ? 2 : 50);
  result.kind = BoundKind::DualAscent;
  if (program) {
    solveRelaxed(*program, groups, partition, cost, pricing);
    result.kind = BoundKind::LinearProgram;
  }
  // Partitions that need other groups cost at least what is known.
  result.bound = std::min(pricing.bound(), cost);
  if (options.prove)
    prove(relations, groups, pricing.live, pricing.prices, cost, options.nodes,
          result);
  return result;
}

} // namespace kfuse
