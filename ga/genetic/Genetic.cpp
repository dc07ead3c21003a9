//===- Genetic.cpp - Islands of individuals -------------------------------===//

#include "ga/genetic/Genetic.h"

#include "ga/genetic/Annealing.h"
#include "ga/genetic/Crossover.h"
#include "ga/genetic/Greedy.h"
#include "ga/genetic/LocalSearch.h"
#include "ga/genetic/Neighbourhoods.h"
#include "ga/genetic/RandomOrder.h"
#include "ga/genetic/Rebuild.h"
#include "ga/genetic/Windows.h"
#include "ga/problem/SearchOptions.h"

#include <algorithm>
#include <numeric>
#include <thread>

namespace kfuse {
namespace {

/// Individuals that compete to be a parent.
constexpr int TournamentSize = 2;
/// Items that a child differs from its parent in, about.
constexpr std::size_t LeastWindow = 40, MostWindow = 120;
/// One in this many children has the groups of others.
constexpr std::size_t CrossoverOneIn = 2;
/// Children between two migrations.
constexpr std::uint32_t ChildrenPerEpoch = 32;

/// Returns the number of children without a better individual after which all
/// individuals except the best make room for new ones. A small problem is soon
/// explored.
std::uint32_t patienceFor(std::uint32_t items) { return 20 + 2 * items; }
/// How often that happens without a better individual before the search stops.
constexpr std::uint32_t MostRestarts = 12;

struct Individual {
  Grouping grouping;
  double cost = 0;
};

class Island {
public:
  Island(CostMemo &memo, const SearchOptions &options, std::uint64_t budget,
         bool inRuns, std::uint64_t number)
      : Ask(memo, budget), Parts(options.parts),
        Rng(options.seed * 0x9e3779b97f4a7c15U + number),
        Size(std::max(2U, options.population)) {
    if (options.start.empty() && !inRuns)
      return;
    Grouping start = options.start.empty() ? cutRandomOrder(Ask, Rng)
                                           : rebuild(options.start, Ask);
    if (options.start.empty())
      mergeGreedily(start, Ask, everything(), 0, Rng);
    refine(start, everything());
    add(std::move(start));
    Seeded = Size;
  }

  /// Adds children until the next migration.
  void advance() {
    // Whatever the budget is, there is a member.
    if (Members.empty())
      addSeed();
    for (std::uint32_t i = 0; i < ChildrenPerEpoch && isAlive(); ++i)
      if (Seeded < Size)
        addSeed();
      else
        addChild();
  }

  bool isAlive() const {
    return !Ask.isSpent() && Restarts <= MostRestarts &&
           !Exactly.hasSolvedAll();
  }
  const Individual &best() const { return Members.front(); }
  std::uint32_t children() const { return Children; }

  void receiveMigrant(const Individual &migrant) { add(migrant.grouping); }

private:
  ItemSet everything() const {
    ItemSet items(Ask.problem().size);
    std::iota(items.begin(), items.end(), 0U);
    return items;
  }

  /// Adds one of the first individuals. The first of all is made by greedy
  /// merges; the others take turns between greedy merges with noise, an order
  /// cut into runs, and nothing fused yet.
  void addSeed() {
    const std::uint32_t turn = Seeded++;
    Grouping seed(Ask);
    const ItemSet all = everything();
    if (turn == 0)
      mergeGreedily(seed, Ask, all, 0, Rng);
    else if (turn % 3 == 1)
      mergeGreedily(seed, Ask, all, 0.5, Rng);
    else if (turn % 3 == 2)
      seed = cutRandomOrder(Ask, Rng);
    refine(seed, all);
    add(std::move(seed));
  }

  void addChild() {
    ++Children;
    const std::size_t parent = select();
    Grouping child = Members[parent].grouping;
    const ItemSet window = randomWindow(
        Ask.relations(), LeastWindow + Rng.below(MostWindow - LeastWindow + 1),
        Rng);
    ItemSet upset;
    if (Parts.crossover && Rng.below(CrossoverOneIn) == 0)
      upset = recombine(child, Pool, window, Ask);
    // The known groups may be no better.
    if (upset.empty())
      upset = mutate(child, window);
    refine(child, upset);
    const double before = Members.front().cost;
    addInPlaceOf(parent, std::move(child));
    if (Members.front().cost < before * (1 - Negligible))
      Idle = Restarts = 0;
    else if (++Idle == patienceFor(Ask.problem().size))
      restart();
  }

  void restart() {
    Idle = 0;
    Members.erase(Members.begin() + 1, Members.end());
    // Keeping what others knew would soon make the new ones the same again.
    Pool = GroupPool(Ask.problem().size);
    Pool.add(best().grouping);
    Seeded = 1; // greedy merges would be the same again
    // When costs are dear, what is known has to do.
    Restarts = Ask.problem().hereditary ? Restarts + 1 : MostRestarts + 1;
  }

  /// Reheats the window, or takes a part of it apart and merges it anew.
  ItemSet mutate(Grouping &child, const ItemSet &window) {
    if (Rng.below(2) == 0) {
      anneal(child, Ask, window,
             {.steps = 20 * window.size(), .hot = 0.1, .cold = 0.005}, Rng);
      return window;
    }
    const ItemSet part = randomWindow(
        Ask.relations(),
        4 + Rng.below(std::max<std::size_t>(1, window.size() / 3)), Rng);
    const ItemSet freed = dissolve(child, Ask, part);
    mergeGreedily(child, Ask, freed, 0.5, Rng);
    return part;
  }

  void refine(Grouping &grouping, const ItemSet &items) {
    ItemQueue queue(Ask.problem().size);
    auto fill = [&] {
      for (std::uint32_t item : items)
        queue.push(grouping.group(grouping.groupOf(item)).items.front());
    };
    if (Parts.localSearch) {
      fill();
      improve(grouping, Ask, queue);
    }
    if (Parts.neighbourhoods) {
      fill();
      Exactly.improve(grouping, queue, Rng);
    }
  }

  std::size_t select() {
    std::size_t chosen = Members.size() - 1;
    for (int i = 0; i < TournamentSize; ++i)
      chosen = std::min<std::size_t>(chosen, Rng.below(Members.size()));
    return chosen;
  }

  /// Adds a child, which is much like its parent. The child takes the parent's
  /// place if it is better; else the worst individual may leave for it.
  void addInPlaceOf(std::size_t parent, Grouping child) {
    if (child.cost() < Members[parent].cost)
      Members.erase(Members.begin() + static_cast<std::ptrdiff_t>(parent));
    add(std::move(child));
  }

  /// Adds an individual unless there is an equal one. Members stay sorted by
  /// cost and all different.
  void add(Grouping grouping) {
    Pool.add(grouping);
    const double cost = grouping.cost();
    auto place = std::lower_bound(Members.begin(), Members.end(), cost,
                                  [](const Individual &member, double value) {
                                    return member.cost < value;
                                  });
    for (auto same = place; same != Members.end() && same->cost == cost; ++same)
      if (same->grouping.partition() == grouping.partition())
        return;
    Members.insert(place, {std::move(grouping), cost});
    if (Members.size() > Size)
      Members.pop_back();
  }

  Costs Ask;
  NeighbourhoodSearch Exactly{Ask};
  GroupPool Pool{Ask.problem().size};
  SearchParts Parts;
  Random Rng;
  std::size_t Size;
  std::uint32_t Seeded = 0, Children = 0, Idle = 0, Restarts = 0;
  std::vector<Individual> Members;
};

/// Lets each island live until the next migration.
void advanceAll(std::vector<std::unique_ptr<Island>> &islands,
                std::uint32_t threads) {
  auto work = [&](std::size_t first) {
    for (std::size_t i = first; i < islands.size(); i += threads)
      islands[i]->advance();
  };
  std::vector<std::jthread> others;
  for (std::size_t thread = 1; thread < threads; ++thread)
    others.emplace_back(work, thread);
  work(0);
}

} // namespace

GeneticResult genetic(CostMemo &memo, const SearchOptions &options,
                      std::uint64_t budget, bool inRuns) {
  const std::uint32_t count = std::max(1U, options.islands);
  const std::uint32_t threads = memo.relations().problem.concurrent
                                    ? std::clamp(options.threads, 1U, count)
                                    : 1;
  std::vector<std::unique_ptr<Island>> islands;
  for (std::uint32_t i = 0; i < count; ++i)
    islands.push_back(
        std::make_unique<Island>(memo, options, budget / count, inRuns, i));
  do {
    advanceAll(islands, threads);
    // Each island's best goes to the next one, all at once.
    std::vector<Individual> migrants;
    for (const auto &island : islands)
      migrants.push_back(island->best());
    for (std::uint32_t i = 0; count > 1 && i < count; ++i)
      islands[(i + 1) % count]->receiveMigrant(migrants[i]);
  } while (std::any_of(islands.begin(), islands.end(),
                       [](auto &island) { return island->isAlive(); }));
  GeneticResult result;
  const Island *best = islands.front().get();
  for (const auto &island : islands) {
    result.generations += island->children();
    if (island->best().cost < best->best().cost)
      best = island.get();
  }
  result.partition = best->best().grouping.partition();
  return result;
}

} // namespace kfuse
