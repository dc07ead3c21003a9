//===- Crossover.cpp - The best choice of known groups --------------------===//
//
// Flaws in a good partition take many groups to mend: if kernels share arrays
// all along a chain, six to ten groups of 35 to 56 items change at once. Each
// of these groups, or one that is nearly it, is in some individual. So the
// window's best partition is looked for among them, by a set-partition program
// instead of a lottery.
//
//===----------------------------------------------------------------------===//

#include "ga/genetic/Crossover.h"

#include "ga/genetic/LocalSearch.h"
#include "ga/groups/GroupList.h"
#include "ga/groups/Sweep.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <unordered_set>

namespace kfuse {
namespace {

/// States that go on from each step of a sweep.
constexpr std::size_t SweepWidth = 50;
/// A look-up takes as long as this many groups that a sweep tries.
constexpr std::size_t TriesPerLookUp = 4;
constexpr int PriceRounds = 10;
/// How much of a group's cost its prices may leave, as a part of the groups'
/// mean cost, so that its like is tried too, and is a candidate.
constexpr double NearlyWorth = 0.2;

/// Keys are random already.
struct KeyHash {
  std::size_t operator()(SetKey key) const { return key.low; }
};

class Recombination {
public:
  Recombination(const Grouping &child, const ItemSet &window, Costs &costs)
      : Ask(costs), PlaceOf(costs.problem().size, Absent) {
    for (std::uint32_t item : window) {
      const ItemGroup &group = child.group(child.groupOf(item));
      if (!std::includes(window.begin(), window.end(), group.items.begin(),
                         group.items.end()))
        continue;
      PlaceOf[item] = static_cast<std::uint32_t>(Items.size());
      Items.push_back(item);
      // The child's groups are worth their costs.
      Prices.push_back(group.cost / static_cast<double>(group.items.size()));
      if (group.items.front() != item)
        continue;
      Old.push_back(child.groupOf(item));
      Before += group.cost;
    }
  }

  const ItemSet &items() const { return Items; }
  const std::vector<std::uint32_t> &old() const { return Old; }

  void addFrom(const GroupPool &pool) {
    for (std::uint32_t item : Items)
      for (const ItemGroup &group : pool.startingAt(item))
        if (std::all_of(group.items.begin(), group.items.end(), isInside()))
          add(group);
    updatePrices();
  }

  /// Adds candidates that differ from one that is nearly worth its cost: by an
  /// item more, an item less, or one item instead of another.
  void addLike() {
    for (std::size_t i = 0, count = Candidates.size(); i < count; ++i)
      if (reducedCost(List, i, Prices) <= tolerance())
        // Passes a copy: the list grows.
        addLike(ItemGroup(Candidates[i]));
    updatePrices();
  }

  /// Returns the best choice, if it costs less than what the child has.
  std::vector<ItemGroup> choose() {
    Sweep sweep(static_cast<std::uint32_t>(Items.size()));
    std::vector<std::size_t> swept;
    for (std::size_t i = 0; i < List.size(); ++i)
      if (sweep.add(List[i], std::max(0.0, reducedCost(List, i, Prices))))
        swept.push_back(i);
    const double bound = std::accumulate(Prices.begin(), Prices.end(), 0.0);
    const auto found = sweep.run(
        {.cost = Before * (1 - Negligible) - bound, .width = SweepWidth});
    Ask.charge(found->tries / TriesPerLookUp);
    std::vector<ItemGroup> chosen;
    for (std::size_t number : found->groups)
      chosen.push_back(Candidates[swept[number]]);
    return chosen;
  }

private:
  static constexpr std::uint32_t Absent =
      std::numeric_limits<std::uint32_t>::max();

  std::function<bool(std::uint32_t)> isInside() const {
    return [this](std::uint32_t item) { return PlaceOf[item] != Absent; };
  }

  double tolerance() const {
    return NearlyWorth * Before / static_cast<double>(Old.size());
  }

  double worthOf(const ItemSet &set) const {
    double worth = 0;
    for (std::uint32_t item : set)
      worth += Prices[PlaceOf[item]];
    return worth;
  }

  void add(ItemGroup group) {
    Known.insert(group.key);
    for (std::uint32_t item : group.items)
      List.items.push_back(PlaceOf[item]);
    List.ends.push_back(List.items.size());
    List.costs.push_back(group.cost);
    Candidates.push_back(std::move(group));
  }

  void addLike(const ItemGroup &group) {
    const double worth = worthOf(group.items);
    auto price = [this](std::uint32_t item) { return Prices[PlaceOf[item]]; };
    auto consider = [&](SetKey key, double itsWorth, const auto &makeSet) {
      if (!Known.insert(key).second)
        return;
      const double cost = Ask(key, makeSet);
      if (cost - itsWorth <= tolerance())
        add({makeSet(), key, cost});
    };
    const std::vector<SetKey> &keys = Ask.relations().keys;
    const ItemSet around = kinOf(group.items);
    for (std::uint32_t more : around)
      consider(group.key ^ keys[more], worth + price(more),
               [&] { return unite(group.items, {more}); });
    if (group.items.size() < 2)
      return;
    for (std::uint32_t less : group.items) {
      const ItemSet rest = without(group.items, less);
      const SetKey key = group.key ^ keys[less];
      consider(key, worth - price(less), [&] { return rest; });
      for (std::uint32_t more : around)
        consider(key ^ keys[more], worth - price(less) + price(more),
                 [&] { return unite(rest, {more}); });
    }
  }

  /// Returns the window's items that share an array with the set's, and aren't
  /// in it.
  ItemSet kinOf(const ItemSet &set) const {
    ItemSet found;
    for (std::uint32_t item : set)
      for (std::uint32_t kin : Ask.relations().kin[item])
        if (PlaceOf[kin] != Absent &&
            !std::binary_search(set.begin(), set.end(), kin))
          found.push_back(kin);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  void updatePrices() {
    std::vector<std::size_t> all(List.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    for (int round = 0; round < PriceRounds; ++round)
      Prices = repairPrices(List, all, std::move(Prices));
  }

  Costs &Ask;
  std::vector<std::uint32_t> PlaceOf; ///< by item of the problem
  ItemSet Items;
  std::vector<std::uint32_t> Old; ///< the child's groups of the items
  double Before = 0;              ///< their cost
  std::vector<double> Prices;     ///< by place
  std::vector<ItemGroup> Candidates;
  GroupList List;                            ///< the candidates, by place
  std::unordered_set<SetKey, KeyHash> Known; ///< of the candidates and more
};

} // namespace

ItemSet recombine(Grouping &child, const GroupPool &pool, const ItemSet &window,
                  Costs &costs) {
  Recombination choice(child, window, costs);
  if (choice.old().size() < 2)
    return {};
  choice.addFrom(pool);
  if (costs.problem().hereditary)
    choice.addLike();
  const std::vector<ItemGroup> fresh = choice.choose();
  if (fresh.empty() || !child.replace(choice.old(), fresh))
    return {};
  return choice.items();
}

} // namespace kfuse
