//===- ga/Genetic.cpp - The grouping genetic algorithm --------------------===//

#include "ga/Genetic.h"

#include "ga/Grouping.h"
#include "ga/Random.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace kfuse {
namespace {

using Bits = boost::dynamic_bitset<>;

/// Individuals that compete to be a parent.
constexpr int TournamentSize = 3;
/// Generations without a better individual after which the search stops, and
/// the most individuals: what is small is soon known by heart.
std::uint32_t patienceFor(std::uint32_t items) {
  return std::min(12U, 4 + items / 4);
}
std::uint32_t populationFor(std::uint32_t items, std::uint32_t asked) {
  return std::max(2U, std::min(asked, 4 + 2 * items));
}
/// Longest run of a random order that is tried as one group.
constexpr std::size_t LongestRun = 12;

struct Individual {
  Grouping grouping;
  double cost = 0;
};

//===----------------------------------------------------------------------===//
// The first population
//===----------------------------------------------------------------------===//

/// A random topological order that goes on with kin of the last item where it
/// can, so that runs of it make likely groups.
ItemSet randomOrder(const PartitionProblem &problem, Random &random) {
  std::vector<std::uint32_t> waiting(problem.size);
  for (const Bits &later : problem.reach)
    for (auto item = later.find_first(); item != Bits::npos;
         item = later.find_next(item))
      ++waiting[item];
  ItemSet order, ready;
  for (std::uint32_t item = 0; item < problem.size; ++item)
    if (waiting[item] == 0)
      ready.push_back(item);
  while (!ready.empty()) {
    ItemSet kin;
    if (!order.empty())
      for (std::uint32_t item : ready)
        if (problem.kin[order.back()][item])
          kin.push_back(item);
    const ItemSet &choice = kin.empty() ? ready : kin;
    std::uint32_t item = choice[random.below(choice.size())];
    ready.erase(std::find(ready.begin(), ready.end(), item));
    order.push_back(item);
    const Bits &later = problem.reach[item];
    for (auto next = later.find_first(); next != Bits::npos;
         next = later.find_next(next))
      if (--waiting[next] == 0)
        ready.push_back(static_cast<std::uint32_t>(next));
  }
  return order;
}

/// Cuts an order into the best runs. Runs of a topological order can always be
/// ordered.
Grouping cutIntoRuns(const ItemSet &order, CostMemo &memo) {
  std::vector<double> best(order.size() + 1,
                           std::numeric_limits<double>::infinity());
  std::vector<std::size_t> start(order.size() + 1);
  best[0] = 0;
  for (std::size_t end = 1; end <= order.size(); ++end) {
    ItemSet run;
    const std::size_t first = end > LongestRun ? end - LongestRun : 0;
    for (std::size_t begin = end; begin > first;) {
      --begin;
      run.insert(std::lower_bound(run.begin(), run.end(), order[begin]),
                 order[begin]);
      double cost =
          run.size() == 1
              ? memo.single(run.front())
              : memo(run).value_or(std::numeric_limits<double>::infinity());
      if (best[begin] + cost < best[end]) {
        best[end] = best[begin] + cost;
        start[end] = begin;
      }
    }
  }
  Grouping grouping(memo.problem());
  for (std::size_t end = order.size(); end > 0;) {
    std::size_t begin = best[end] < std::numeric_limits<double>::infinity()
                            ? start[end]
                            : end - 1;
    ItemSet run(order.begin() + static_cast<std::ptrdiff_t>(begin),
                order.begin() + static_cast<std::ptrdiff_t>(end));
    std::sort(run.begin(), run.end());
    grouping.form(run);
    end = begin;
  }
  return grouping;
}

//===----------------------------------------------------------------------===//
// Variation
//===----------------------------------------------------------------------===//

/// A parent's group and the share of its singles' time that it saves.
struct Heritage {
  double saving = 0;
  ItemSet items;
};

std::vector<Heritage> heritageOf(const Grouping &parent, CostMemo &memo) {
  std::vector<Heritage> groups;
  for (std::uint32_t number : parent.groups()) {
    const ItemSet &items = parent.group(number);
    double singles = memo.singles(items);
    if (items.size() > 1 && singles > 0)
      groups.push_back({1 - memo(items).value_or(singles) / singles, items});
  }
  std::sort(groups.begin(), groups.end(),
            [](const Heritage &lhs, const Heritage &rhs) {
              return std::tie(rhs.saving, lhs.items) <
                     std::tie(lhs.saving, rhs.items);
            });
  return groups;
}

/// Takes in turn from each parent its best group of items that are still free
/// and can become a group.
Grouping crossOver(const Grouping &mother, const Grouping &father,
                   CostMemo &memo, Random &random) {
  std::vector<Heritage> heritage[2] = {heritageOf(mother, memo),
                                       heritageOf(father, memo)};
  std::size_t next[2] = {0, 0};
  Grouping child(memo.problem());
  Bits used(memo.problem().size);
  std::uint32_t turn = random.below(2);
  while (next[0] < heritage[0].size() || next[1] < heritage[1].size()) {
    turn = 1 - turn;
    while (next[turn] < heritage[turn].size()) {
      const ItemSet &items = heritage[turn][next[turn]++].items;
      bool isFree =
          std::none_of(items.begin(), items.end(),
                       [&](std::uint32_t item) { return used[item]; });
      if (!isFree || !child.canForm(items))
        continue;
      child.form(items);
      for (std::uint32_t item : items)
        used.set(item);
      break;
    }
  }
  return child;
}

std::uint32_t randomGroup(const Grouping &grouping, Random &random) {
  std::vector<std::uint32_t> numbers = grouping.groups();
  return numbers[random.below(numbers.size())];
}

/// A merge with kin that is legal but may lose: what a larger group needs on
/// its way.
void mergeAnyhow(Grouping &grouping, CostMemo &memo, Random &random) {
  std::uint32_t number = randomGroup(grouping, random);
  std::vector<std::uint32_t> partners = memo.problem().horizontal
                                            ? grouping.groups()
                                            : grouping.kinGroups(number);
  std::erase(partners, number);
  if (partners.empty())
    return;
  ItemSet both = unite(grouping.group(number),
                       grouping.group(partners[random.below(partners.size())]));
  if (memo(both) && grouping.canForm(both))
    grouping.form(both);
}

/// Dissolves a group and its kin, or merges, or both.
void mutate(Grouping &grouping, CostMemo &memo, Random &random) {
  switch (random.below(3)) {
  case 0:
    mergeAnyhow(grouping, memo, random);
    break;
  case 1:
    grouping.dissolve(randomGroup(grouping, random));
    break;
  default: {
    std::uint32_t number = randomGroup(grouping, random);
    std::vector<std::uint32_t> kin = grouping.kinGroups(number);
    grouping.dissolve(number);
    if (!kin.empty())
      grouping.dissolve(kin[random.below(kin.size())]);
    mergeAnyhow(grouping, memo, random);
    break;
  }
  }
}

//===----------------------------------------------------------------------===//
// The generations
//===----------------------------------------------------------------------===//

class Population {
public:
  Population(CostMemo &memo, const SearchOptions &options)
      : Memo(memo), Rng(options.seed),
        Size(populationFor(memo.problem().size, options.population)) {
    add(greedy(memo));
    add(Grouping(memo.problem()));
    while (Tried < Size && !memo.isSpent())
      add(cutIntoRuns(randomOrder(memo.problem(), Rng), memo));
  }

  /// One child for each two individuals; returns whether the best got better.
  bool advance() {
    double before = Members.front().cost;
    for (std::size_t i = 0; i < (Size + 1) / 2 && !Memo.isSpent(); ++i) {
      Grouping child = crossOver(select(), select(), Memo, Rng);
      mutate(child, Memo, Rng);
      add(std::move(child));
    }
    return Members.front().cost < before;
  }

  const Grouping &best() const { return Members.front().grouping; }

private:
  const Grouping &select() {
    std::size_t chosen = Members.size() - 1;
    for (int i = 0; i < TournamentSize; ++i)
      chosen = std::min<std::size_t>(chosen, Rng.below(Members.size()));
    return Members[chosen].grouping;
  }

  /// Members are sorted by cost and all different; the worst leaves.
  void add(Grouping grouping) {
    ++Tried;
    improve(grouping, Memo);
    double cost = grouping.cost(Memo);
    auto place = std::lower_bound(Members.begin(), Members.end(), cost,
                                  [](const Individual &member, double value) {
                                    return member.cost < value;
                                  });
    Partition partition = grouping.partition();
    for (auto same = place; same != Members.end() && same->cost == cost; ++same)
      if (same->grouping.partition() == partition)
        return;
    Members.insert(place, {std::move(grouping), cost});
    if (Members.size() > Size)
      Members.pop_back();
  }

  CostMemo &Memo;
  Random Rng;
  std::size_t Size;
  std::size_t Tried = 0;
  std::vector<Individual> Members;
};

} // namespace

GeneticResult genetic(CostMemo &memo, const SearchOptions &options) {
  Population population(memo, options);
  GeneticResult result;
  std::uint32_t idle = 0;
  while (result.generations < options.generations &&
         idle < patienceFor(memo.problem().size) && !memo.isSpent()) {
    ++result.generations;
    idle = population.advance() ? 0 : idle + 1;
  }
  result.partition = population.best().partition();
  return result;
}

} // namespace kfuse
