//===- ga/Exact.cpp - The optimum of a small problem ----------------------===//

#include "ga/Exact.h"

#include <algorithm>
#include <bit>

namespace kfuse {
namespace {

Mask bit(int item) { return Mask{1} << item; }

/// What may be a group.
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

  std::vector<Candidate> from(int lowest) {
    // Items below have had their turn.
    const Mask past = bit(lowest) | (bit(lowest) - 1);
    Found.clear();
    extend(bit(lowest), Small.kin[lowest] & ~past, past | Small.kin[lowest]);
    return std::move(Found);
  }

private:
  /// The set, and those that grow out of it with what is open and what its
  /// members' neighbours open. What was seen and isn't open is for others.
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

  /// False when nothing can grow out of the set.
  bool add(Mask members, Mask open) {
    Mask before = 0, after = 0, separated = 0;
    for (Mask rest = members; rest != 0; rest &= rest - 1) {
      const int item = std::countr_zero(rest);
      before |= Small.before[item];
      after |= Small.after[item];
      separated |= Small.separated[item];
    }
    // What is not convex becomes so only with all that is between.
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

std::vector<Mask> solve(const SmallProblem &problem,
                        const std::function<double(Mask)> &cost) {
  const auto size = static_cast<int>(problem.kin.size());
  Lister lister(problem, cost);
  std::vector<std::vector<Candidate>> candidates;
  for (int lowest = 0; lowest < size; ++lowest)
    candidates.push_back(lister.from(lowest));

  const Mask all = bit(size) - 1;
  std::vector<double> best(std::size_t{all} + 1, Illegal);
  std::vector<Mask> last(std::size_t{all} + 1);
  best[0] = 0;
  for (Mask done = 0; done < all; ++done) {
    if (best[done] == Illegal)
      continue;
    for (Mask rest = all & ~done; rest != 0; rest &= rest - 1) {
      // A group that can run now has a lowest member that can.
      const int lowest = std::countr_zero(rest);
      if ((problem.before[lowest] & ~done) != 0)
        continue;
      for (const Candidate &group : candidates[lowest]) {
        if ((group.members & done) != 0 || (group.before & ~done) != 0)
          continue;
        const double sum = best[done] + group.cost;
        if (sum < best[done | group.members]) {
          best[done | group.members] = sum;
          last[done | group.members] = group.members;
        }
      }
    }
  }
  std::vector<Mask> groups;
  for (Mask mask = all; mask != 0; mask &= ~last[mask]) {
    // No legal partition at all: singles are the best there is.
    if (last[mask] == 0)
      last[mask] = mask & (~mask + 1);
    groups.push_back(last[mask]);
  }
  return groups;
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
  Partition partition;
  for (Mask group : solve(small, [&costs](Mask mask) {
         const ItemSet set = itemsOf(mask);
         return set.size() == 1 ? costs.single(set.front()) : costs(set);
       }))
    partition.push_back(itemsOf(group));
  std::sort(partition.begin(), partition.end());
  return partition;
}

} // namespace kfuse
