//===- PlainGenetic.cpp - A grouping genetic algorithm of 2014 ------------===//

#include "ga/baselines/PlainGenetic.h"

#include "ga/groups/Grouping.h"
#include "ga/problem/Random.h"

#include <algorithm>

namespace kfuse {
namespace {

constexpr std::size_t PopulationSize = 100;
constexpr int PlainTournamentSize = 2;
constexpr std::uint32_t MutationPercent = 30;
/// The cost of an illegal group, as a multiple of its items alone.
constexpr double Penalty = 2;

struct PlainIndividual {
  std::vector<ItemSet> groups;
  double fitness = 0; ///< lower is better
};

class PlainGenetic {
public:
  PlainGenetic(Costs &costs, std::uint64_t seed) : Ask(costs), Rng(seed) {}

  Partition run() {
    do
      add(randomGroups());
    while (Members.size() < PopulationSize && !Ask.isSpent());
    while (!Ask.isSpent()) {
      PlainIndividual child = crossOver(select(), select());
      if (Rng.below(100) < MutationPercent)
        mutate(child.groups);
      add(std::move(child.groups));
    }
    return best();
  }

private:
  /// Returns random groups: each item joins the group of random kin, or stays
  /// alone.
  std::vector<ItemSet> randomGroups() {
    const Relations &all = Ask.relations();
    std::vector<std::uint32_t> groupOf(Ask.problem().size);
    std::vector<ItemSet> groups(groupOf.size());
    for (std::uint32_t item = 0; item < groupOf.size(); ++item) {
      groupOf[item] = item;
      const ItemSet &kin = all.kin[item];
      if (!kin.empty() && Rng.below(2) == 0) {
        const std::uint32_t other = kin[Rng.below(kin.size())];
        if (other < item)
          groupOf[item] = groupOf[other];
      }
      groups[groupOf[item]].push_back(item);
    }
    std::erase_if(groups, [](const ItemSet &group) { return group.empty(); });
    return groups;
  }

  double fitness(const std::vector<ItemSet> &groups) {
    double sum = 0;
    for (const ItemSet &group : groups) {
      const double cost =
          group.size() == 1 ? Ask.single(group.front()) : Ask(group);
      sum += cost == Illegal ? Penalty * Ask.singles(group) : cost;
    }
    return sum;
  }

  void add(std::vector<ItemSet> groups) {
    PlainIndividual member{std::move(groups), 0};
    member.fitness = fitness(member.groups);
    const auto place = std::upper_bound(
        Members.begin(), Members.end(), member,
        [](const PlainIndividual &lhs, const PlainIndividual &rhs) {
          return lhs.fitness < rhs.fitness;
        });
    Members.insert(place, std::move(member));
    if (Members.size() > PopulationSize)
      Members.pop_back();
  }

  const PlainIndividual &select() {
    std::size_t chosen = Members.size() - 1;
    for (int i = 0; i < PlainTournamentSize; ++i)
      chosen = std::min<std::size_t>(chosen, Rng.below(Members.size()));
    return Members[chosen];
  }

  /// Returns `parent` with some neighbouring groups of `other`. The groups of
  /// `parent` that overlap these are dissolved, and their remaining items stay
  /// alone.
  PlainIndividual crossOver(const PlainIndividual &parent,
                            const PlainIndividual &other) {
    const std::size_t count = other.groups.size();
    const std::size_t first = Rng.below(count);
    const std::size_t length = 1 + Rng.below((count + 1) / 2);
    PlainIndividual child;
    std::vector<bool> isTaken(Ask.problem().size);
    for (std::size_t i = 0; i < length; ++i) {
      child.groups.push_back(other.groups[(first + i) % count]);
      for (std::uint32_t item : child.groups.back())
        isTaken[item] = true;
    }
    for (const ItemSet &group : parent.groups)
      if (std::none_of(group.begin(), group.end(),
                       [&](std::uint32_t item) { return isTaken[item]; }))
        child.groups.push_back(group);
      else
        for (std::uint32_t item : group)
          if (!isTaken[item])
            child.groups.push_back({item});
    return child;
  }

  void mutate(std::vector<ItemSet> &groups) {
    const std::size_t chosen = Rng.below(groups.size());
    const ItemSet group = groups[chosen];
    const std::size_t other = Rng.below(groups.size());
    if (Rng.below(2) == 0 && other != chosen) {
      groups[other] = unite(groups[other], group);
      groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(chosen));
      return;
    }
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(chosen));
    for (std::uint32_t item : group)
      groups.push_back({item});
  }

  /// Returns the best individual without the groups that are illegal or close a
  /// circle.
  Partition best() {
    Grouping result(Ask);
    for (const ItemSet &items : Members.front().groups) {
      const ItemGroup group = makeItemGroup(items, Ask);
      if (items.size() > 1 && group.cost < Illegal)
        result.replace({items.begin(), items.end()}, {group});
    }
    return result.partition();
  }

  Costs &Ask;
  Random Rng;
  std::vector<PlainIndividual> Members; ///< the best first
};

} // namespace

Partition plainGenetic(Costs &costs, std::uint64_t seed) {
  return PlainGenetic(costs, seed).run();
}

} // namespace kfuse
