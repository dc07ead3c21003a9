//===- Neighbourhoods.cpp - Several groups, solved exactly ----------------===//

#include "ga/genetic/Neighbourhoods.h"

#include "ga/exact/Exact.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace kfuse {
namespace {

constexpr std::size_t MostGroups = 12;
/// Items of a neighbourhood, fewer when it is dense. When costs are dear, fewer
/// sets are tried.
constexpr std::size_t LeastItems = 8, MostItems = 24, MostDearItems = 6;
/// Neighbourhoods in a row that are not dense, after which more is tried.
constexpr std::size_t ThinForMore = 40;
/// Candidates for groups after which a neighbourhood is too dense.
constexpr std::size_t MostCandidates = 400;
/// One in this many neighbourhoods may be denser: if most are dense, only that
/// finds what takes many changes at once.
constexpr std::size_t DenseOneIn = 24, DenseItems = 16, DenseCandidates = 5000;

/// Returns the numbers of a group and of some groups around it, which are added
/// only up to `most` items altogether.
std::vector<std::uint32_t> gather(const Grouping &grouping,
                                  std::uint32_t number, std::size_t most,
                                  Random &random) {
  std::vector<std::uint32_t> gathered = {number};
  std::size_t items = grouping.group(number).items.size();
  std::vector<std::uint32_t> open = grouping.partners(number);
  while (gathered.size() < MostGroups && !open.empty()) {
    const std::size_t choice = random.below(open.size());
    const std::uint32_t next = open[choice];
    open[choice] = open.back();
    open.pop_back();
    const std::size_t more = grouping.group(next).items.size();
    if (items + more > most)
      continue;
    items += more;
    gathered.push_back(next);
    for (std::uint32_t partner : grouping.partners(next))
      if (std::find(gathered.begin(), gathered.end(), partner) ==
              gathered.end() &&
          std::find(open.begin(), open.end(), partner) == open.end())
        open.push_back(partner);
  }
  return gathered;
}

/// Some items of an individual as a problem of their own: the other groups stay
/// as they are, and what leads through them separates and orders.
class Subproblem {
public:
  Subproblem(const Grouping &grouping, Costs &costs,
             std::vector<std::uint32_t> numbers)
      : State(grouping), Ask(costs) {
    // The order of the groups is that of paths through others, too.
    std::sort(numbers.begin(), numbers.end(),
              [&](std::uint32_t lhs, std::uint32_t rhs) {
                return State.position(lhs) < State.position(rhs);
              });
    for (std::uint32_t number : numbers)
      Items.insert(Items.end(), State.group(number).items.begin(),
                   State.group(number).items.end());
    High = State.position(numbers.back());
    relate();
    for (std::size_t i = 0; i < Items.size(); ++i)
      followOthers(i);
    for (std::size_t i = Items.size(); i-- > 0;)
      for (Mask rest = Small.after[i]; rest != 0; rest &= rest - 1) {
        const int later = std::countr_zero(rest);
        Small.after[i] |= Small.after[static_cast<std::size_t>(later)];
      }
    for (std::size_t i = 0; i < Items.size(); ++i)
      for (std::size_t j = i + 1; j < Items.size(); ++j)
        if ((Small.after[i] & bit(j)) != 0)
          Small.before[j] |= bit(i);
  }

  /// Returns groups that cost at most `most`, none if there are none; nullopt
  /// if there are too many ways to group the items.
  std::optional<std::vector<ItemGroup>> best(double most,
                                             std::size_t candidates) {
    auto masks = solve(Small, [this](Mask members) { return costOf(members); },
                       {.candidates = candidates, .cost = most});
    if (!masks)
      return std::nullopt;
    std::vector<ItemGroup> groups;
    for (Mask mask : *masks)
      groups.push_back(makeItemGroup(itemsOf(mask), Ask));
    return groups;
  }

private:
  static Mask bit(std::size_t item) { return Mask{1} << item; }

  void relate() {
    const std::size_t count = Items.size();
    const PartitionProblem &problem = Ask.problem();
    Small.hereditary = problem.hereditary;
    Small.before.resize(count);
    Small.after.resize(count);
    Small.separated.resize(count);
    Small.kin.resize(count);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < count; ++j) {
        if (i != j && (problem.horizontal || problem.kin[Items[i]][Items[j]]))
          Small.kin[i] |= bit(j);
        if (problem.separated[Items[i]][Items[j]])
          separate(i, j);
        if (problem.reach[Items[i]][Items[j]])
          Small.after[i] |= bit(j);
      }
  }

  void separate(std::size_t i, std::size_t j) {
    Small.separated[i] |= bit(j);
    Small.separated[j] |= bit(i);
  }

  /// Finds the members that wait for other groups which wait for `from`.
  void followOthers(std::size_t from) {
    thread_local std::vector<std::uint64_t> seen;
    thread_local std::uint64_t epoch = 0;
    ++epoch;
    if (seen.size() < 2 * Ask.problem().size)
      seen.resize(2 * Ask.problem().size);
    std::vector<std::uint32_t> work;
    auto visit = [&](std::uint32_t item, bool isOutside) {
      for (std::uint32_t next : Ask.relations().successors[item]) {
        const std::uint32_t number = State.groupOf(next);
        if (State.position(number) > High || seen[number] == epoch)
          continue;
        const auto member = std::find(Items.begin(), Items.end(), next);
        if (member == Items.end()) {
          seen[number] = epoch;
          work.push_back(number);
        } else if (isOutside) {
          const auto to = static_cast<std::size_t>(member - Items.begin());
          Small.after[from] |= bit(to);
          separate(from, to);
        }
      }
    };
    visit(Items[from], false);
    while (!work.empty()) {
      const std::uint32_t number = work.back();
      work.pop_back();
      for (std::uint32_t item : State.group(number).items)
        visit(item, true);
    }
  }

  ItemSet itemsOf(Mask mask) const {
    ItemSet set;
    for (; mask != 0; mask &= mask - 1)
      set.push_back(Items[static_cast<std::size_t>(std::countr_zero(mask))]);
    std::sort(set.begin(), set.end());
    return set;
  }

  double costOf(Mask mask) {
    SetKey key;
    for (Mask rest = mask; rest != 0; rest &= rest - 1) {
      const auto item = static_cast<std::size_t>(std::countr_zero(rest));
      key = key ^ Ask.relations().keys[Items[item]];
    }
    return Ask(key, [&] { return itemsOf(mask); });
  }

  const Grouping &State;
  Costs &Ask;
  std::uint32_t High = 0;
  std::vector<std::uint32_t> Items; ///< by number in the small problem
  SmallProblem Small;
};

} // namespace

NeighbourhoodSearch::NeighbourhoodSearch(Costs &costs)
    : Ask(costs),
      MayTakeAll(costs.problem().size <=
                 (costs.problem().hereditary ? DenseItems : MostDearItems)),
      Most(costs.problem().hereditary ? MostItems : MostDearItems) {}

void NeighbourhoodSearch::improve(Grouping &grouping, ItemQueue &queue,
                                  Random &random) {
  while (!queue.isEmpty() && !Ask.isSpent() && !HasSolvedAll) {
    // The first neighbourhood of a small problem is all of it.
    const bool isAll = std::exchange(MayTakeAll, false);
    const bool isDense = isAll || (Most < DenseItems && Most > MostDearItems &&
                                   random.below(DenseOneIn) == 0);
    const std::vector<std::uint32_t> old =
        isAll ? grouping.order()
              : gather(grouping, grouping.groupOf(queue.pop()),
                       isDense ? DenseItems : Most, random);
    if (old.size() < 2 && !isAll)
      continue;
    double before = 0;
    for (std::uint32_t number : old)
      before += grouping.group(number).cost;
    const auto fresh = Subproblem(grouping, Ask, old)
                           .best(before * (1 - Negligible),
                                 isDense ? DenseCandidates : MostCandidates);
    if (!fresh && !isDense) {
      Most = std::max(LeastItems, Most - 1);
      Thin = 0;
    }
    if (!fresh)
      continue;
    HasSolvedAll = HasSolvedAll || isAll;
    if (++Thin == ThinForMore) {
      Thin = 0;
      if (Ask.problem().hereditary)
        Most = std::min(MostItems, Most + 1);
    }
    if (!fresh->empty() && grouping.replace(old, *fresh))
      for (const ItemGroup &group : *fresh)
        queue.push(group.items.front());
  }
}

} // namespace kfuse
