//===- Exact.cpp - The optimum of a small problem -------------------------===//

#include "ga/exact/Exact.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <queue>

namespace kfuse {
namespace {

Mask bit(int item) { return Mask{1} << item; }

/// A set that may be a group.
struct Candidate {
  Mask members = 0;
  Mask before = 0; ///< what must run earlier, without the members
  double cost = 0;
};

/// Lists every candidate once: connected sets are made from their lowest member
/// by adding neighbours that no earlier branch had.
class Lister {
public:
  Lister(const SmallProblem &problem, const std::function<double(Mask)> &cost)
      : Small(problem), Cost(cost) {}

  void addFrom(int lowest) {
    // Items below have had their turn.
    const Mask past = bit(lowest) | (bit(lowest) - 1);
    extend(bit(lowest), Small.kin[lowest] & ~past, past | Small.kin[lowest]);
  }
  const std::vector<Candidate> &found() const { return Found; }

private:
  /// Adds the set, and the sets that grow out of it by open items. Each item
  /// that joins opens its kin that weren't seen yet. Items that were seen and
  /// aren't open are left to other branches.
  void extend(Mask members, Mask open, Mask seen) {
    if (!add(members, open | ~seen))
      return;
    while (open != 0) {
      const int next = std::countr_zero(open);
      open &= open - 1;
      if ((Small.separated[next] & members) == 0)
        extend(members | bit(next), open | (Small.kin[next] & ~seen),
               seen | Small.kin[next]);
    }
  }

  /// Adds the set if it is a candidate; returns false when nothing can grow out
  /// of it.
  bool add(Mask members, Mask open) {
    Mask before = 0, after = 0, separated = 0;
    for (Mask rest = members; rest != 0; rest &= rest - 1) {
      const int item = std::countr_zero(rest);
      before |= Small.before[item];
      after |= Small.after[item];
      separated |= Small.separated[item];
    }
    // A set that isn't convex becomes so only with all that is between.
    const Mask between = before & after & ~members;
    if (between != 0)
      return (between & ~open) == 0 && (between & separated) == 0;
    const double cost = Cost(members);
    if (cost == Illegal)
      return !Small.hereditary;
    Found.push_back({members, before & ~members, cost});
    return true;
  }

  const SmallProblem &Small;
  const std::function<double(Mask)> &Cost;
  std::vector<Candidate> Found;
};

/// Returns prices of the items whose sum over a group never exceeds the group's
/// cost, and subtracts them from the costs. The ascent is repeated: each item's
/// price grows by the least share that a group with it has left.
std::vector<double> takePrices(std::vector<Candidate> &candidates, int size) {
  constexpr int Rounds = 8;
  std::vector<double> prices(static_cast<std::size_t>(size));
  std::vector<double> change(prices.size());
  auto forEachMember = [](Mask members, auto visit) {
    for (; members != 0; members &= members - 1)
      visit(static_cast<std::size_t>(std::countr_zero(members)));
  };
  for (int round = 0; round < Rounds; ++round) {
    std::fill(change.begin(), change.end(), Illegal);
    for (const Candidate &group : candidates) {
      const double share = group.cost / std::popcount(group.members);
      forEachMember(group.members, [&](std::size_t item) {
        change[item] = std::min(change[item], share);
      });
    }
    for (std::size_t item = 0; item < prices.size(); ++item)
      prices[item] += change[item];
    for (Candidate &group : candidates) {
      forEachMember(group.members,
                    [&](std::size_t item) { group.cost -= change[item]; });
      group.cost = std::max(group.cost, 0.0); // except for rounding, it is
    }
  }
  return prices;
}

/// The cheapest way to each down-set that was met.
class WayTable {
public:
  struct Way {
    Mask done = Nowhere;
    Mask last = 0; ///< the group that led here
    double cost = Illegal;
  };

  Way &operator[](Mask done) {
    if (2 * Used >= Ways.size())
      grow();
    Way &way = place(done);
    Used += way.done == Nowhere;
    way.done = done;
    return way;
  }

private:
  static constexpr Mask Nowhere = ~Mask{0};

  Way &place(Mask done) {
    const std::size_t mask = Ways.size() - 1;
    std::size_t index = done * 0x9e3779b1U & mask;
    while (Ways[index].done != Nowhere && Ways[index].done != done)
      index = (index + 1) & mask;
    return Ways[index];
  }
  void grow() {
    std::vector<Way> old = std::move(Ways);
    Ways = std::vector<Way>(4 * old.size());
    for (const Way &way : old)
      if (way.done != Nowhere)
        place(way.done) = way;
  }

  std::vector<Way> Ways = std::vector<Way>(256);
  std::size_t Used = 0;
};

/// The dynamic program over down-sets, the cheapest first (Dijkstra): as prices
/// are off the costs, that is the way which promises most.
class DownSets {
public:
  DownSets(const SmallProblem &problem, const std::vector<Candidate> &groups,
           double most)
      : Small(problem), Most(most),
        All((Mask{2} << (problem.kin.size() - 1)) - 1),
        ByLowest(problem.kin.size()) {
    for (const Candidate &group : groups)
      if (group.cost <= most)
        ByLowest[static_cast<std::size_t>(std::countr_zero(group.members))]
            .push_back(group);
  }

  /// Returns the best groups that cost no more; none if there are none.
  std::vector<Mask> run() {
    Ways[0].cost = 0;
    Queue.emplace(0, 0);
    while (!Queue.empty() && Queue.top().second != All) {
      const auto [cost, done] = Queue.top();
      Queue.pop();
      if (cost <= Ways[done].cost)
        goOn(done, cost);
    }
    std::vector<Mask> groups;
    if (!Queue.empty())
      for (Mask mask = All; mask != 0; mask &= ~groups.back())
        groups.push_back(Ways[mask].last);
    return groups;
  }

private:
  static bool canRun(const Candidate &group, Mask done) {
    return (group.before & ~done) == 0;
  }

  void goOn(Mask done, double cost) {
    // The lowest item that is left is the lowest of its group. If that group
    // can run now, whichever it is, then it may as well be the next.
    const std::vector<Candidate> &lowest =
        ByLowest[static_cast<std::size_t>(std::countr_zero(~done))];
    if (std::all_of(lowest.begin(), lowest.end(), [&](const auto &group) {
          return (group.members & done) != 0 || canRun(group, done);
        })) {
      take(lowest, done, cost);
      return;
    }
    for (Mask rest = All & ~done; rest != 0; rest &= rest - 1) {
      // A group that can run has a lowest member that can.
      const auto item = static_cast<std::size_t>(std::countr_zero(rest));
      if ((Small.before[item] & ~done) == 0)
        take(ByLowest[item], done, cost);
    }
  }

  void take(const std::vector<Candidate> &groups, Mask done, double cost) {
    for (const Candidate &group : groups) {
      if ((group.members & done) != 0 || !canRun(group, done))
        continue;
      const double sum = cost + group.cost;
      if (sum > Most)
        continue;
      WayTable::Way &way = Ways[done | group.members];
      if (sum < way.cost) {
        way.cost = sum;
        way.last = group.members;
        Queue.emplace(sum, way.done);
      }
    }
  }

  using Entry = std::pair<double, Mask>;
  const SmallProblem &Small;
  double Most;
  Mask All;
  std::vector<std::vector<Candidate>> ByLowest;
  WayTable Ways;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> Queue;
};

ItemSet itemsOf(Mask mask) {
  ItemSet items;
  for (; mask != 0; mask &= mask - 1)
    items.push_back(static_cast<std::uint32_t>(std::countr_zero(mask)));
  return items;
}

Mask maskOf(const boost::dynamic_bitset<> &bits) {
  return static_cast<Mask>(bits.to_ulong());
}

} // namespace

std::optional<std::vector<Mask>> solve(const SmallProblem &problem,
                                       const std::function<double(Mask)> &cost,
                                       const SolveLimits &limits) {
  const auto size = static_cast<int>(problem.kin.size());
  Lister lister(problem, cost);
  for (int lowest = 0; lowest < size; ++lowest) {
    lister.addFrom(lowest);
    if (lister.found().size() > limits.candidates)
      return std::nullopt;
  }
  std::vector<Candidate> candidates = lister.found();
  const std::vector<double> prices = takePrices(candidates, size);
  const double bound = std::accumulate(prices.begin(), prices.end(), 0.0);
  // A partition's cost beyond the bound is what its groups have left.
  return DownSets(problem, candidates, limits.cost - bound).run();
}

Partition exact(Costs &costs) {
  const PartitionProblem &problem = costs.problem();
  SmallProblem small;
  small.hereditary = problem.hereditary;
  const Mask all = bit(static_cast<int>(problem.size)) - 1;
  for (std::uint32_t i = 0; i < problem.size; ++i) {
    small.after.push_back(maskOf(problem.reach[i]));
    small.before.push_back(maskOf(costs.relations().before[i]));
    small.kin.push_back(problem.horizontal ? all & ~bit(static_cast<int>(i))
                                           : maskOf(problem.kin[i]));
    small.separated.push_back(maskOf(problem.separated[i]));
  }
  for (std::uint32_t i = 0; i < problem.size; ++i)
    for (std::uint32_t j : itemsOf(small.separated[i]))
      small.separated[j] |= bit(static_cast<int>(i));
  auto cost = [&costs](Mask mask) {
    const ItemSet set = itemsOf(mask);
    return set.size() == 1 ? costs.single(set.front()) : costs(set);
  };
  Partition partition;
  const auto groups = solve(small, cost, {});
  for (Mask group : *groups)
    partition.push_back(itemsOf(group));
  std::sort(partition.begin(), partition.end());
  return partition;
}

} // namespace kfuse
