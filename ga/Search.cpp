//===- Search.cpp - Components, searchers, and the final word -------------===//

#include "ga/Search.h"

#include "ga/baselines/MinCut.h"
#include "ga/baselines/PlainGenetic.h"
#include "ga/baselines/RandomMerges.h"
#include "ga/exact/Exact.h"
#include "ga/genetic/Annealing.h"
#include "ga/genetic/Genetic.h"
#include "ga/genetic/Greedy.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace kfuse {
namespace {

/// Returns the sets of items that one search must see together: kin, pairs that
/// may share a group, and pairs in which one waits for the other. A separated
/// pair asks nothing of the search, because what separates it also orders it.
std::vector<ItemSet> componentsOf(const PartitionProblem &problem) {
  // There may be thousands of items, and all pairs be connected.
  std::vector<std::uint32_t> first(problem.size); // of the component, or before
  std::iota(first.begin(), first.end(), 0U);
  const auto find = [&first](std::uint32_t item) {
    while (first[item] != item)
      item = first[item] = first[first[item]];
    return item;
  };
  for (std::uint32_t i = 0; i < problem.size; ++i)
    for (std::uint32_t j = i + 1; j < problem.size; ++j)
      if (!problem.separated[i][j] && !problem.separated[j][i] &&
          (problem.horizontal || problem.reach[i][j] || problem.kin[i][j])) {
        const std::uint32_t one = find(i), other = find(j);
        first[std::max(one, other)] = std::min(one, other);
      }
  std::vector<ItemSet> components;
  std::vector<std::size_t> number(problem.size);
  for (std::uint32_t item = 0; item < problem.size; ++item) {
    const std::uint32_t root = find(item);
    if (root == item) {
      number[item] = components.size();
      components.emplace_back();
    }
    components[number[root]].push_back(item);
  }
  return components;
}

ItemSet translate(const ItemSet &set, const ItemSet &names) {
  ItemSet translated;
  for (std::uint32_t item : set)
    translated.push_back(names[item]);
  return translated;
}

std::vector<boost::dynamic_bitset<>> restrict(
    const std::vector<boost::dynamic_bitset<>> &relation,
    const ItemSet &items) {
  std::vector<boost::dynamic_bitset<>> part(
      items.size(), boost::dynamic_bitset<>(items.size()));
  for (std::size_t i = 0; i < items.size(); ++i)
    for (std::size_t j = 0; j < items.size(); ++j)
      part[i][j] = relation[items[i]][items[j]];
  return part;
}

/// Restricts `partition` to `items`, numbered by their place among them.
Partition restrict(const Partition &partition, const ItemSet &items) {
  Partition part;
  for (const ItemSet &group : partition) {
    ItemSet own;
    for (const std::uint32_t item : group)
      if (const auto place = std::lower_bound(items.begin(), items.end(), item);
          place != items.end() && *place == item)
        own.push_back(static_cast<std::uint32_t>(place - items.begin()));
    if (!own.empty())
      part.push_back(std::move(own));
  }
  return part;
}

PartitionProblem partOf(const PartitionProblem &problem, const ItemSet &items) {
  PartitionProblem part;
  part.size = static_cast<std::uint32_t>(items.size());
  part.reach = restrict(problem.reach, items);
  part.separated = restrict(problem.separated, items);
  part.kin = restrict(problem.kin, items);
  part.horizontal = problem.horizontal;
  part.mostItems = problem.mostItems;
  part.hereditary = problem.hereditary;
  part.concurrent = problem.concurrent;
  part.cost = [&problem, &items](const ItemSet &set) {
    return problem.cost(translate(set, items));
  };
  return part;
}

/// Applies the profit constraint: splits each group that costs no less than its
/// members alone. Such a group may have been a step of the search, but is no
/// result.
Partition keepProfitable(const Partition &partition, Costs &costs) {
  Partition kept;
  for (const ItemSet &group : partition)
    if (group.size() > 1 && costs(group) >= costs.singles(group))
      for (std::uint32_t item : group)
        kept.push_back({item});
    else
      kept.push_back(group);
  return kept;
}

Partition searchPart(CostMemo &memo, const SearchOptions &options, bool inRuns,
                     SearchResult &result) {
  const std::uint64_t budget =
      options.lookUpsPerItem * memo.relations().problem.size;
  Costs costs(memo, budget);
  Random random(options.seed);
  ItemSet all(costs.problem().size);
  std::iota(all.begin(), all.end(), 0U);
  switch (options.kind) {
  case SearchKind::Exact:
    return exact(costs);
  case SearchKind::Greedy: {
    Grouping grouping(costs);
    mergeGreedily(grouping, costs, all, 0, random);
    return grouping.partition();
  }
  case SearchKind::Annealing: {
    Grouping grouping(costs);
    anneal(grouping, costs, all, {.steps = budget / 3}, random);
    return grouping.partition();
  }
  case SearchKind::Genetic: {
    GeneticResult found = genetic(memo, options, budget, inRuns);
    result.generations = std::max(result.generations, found.generations);
    return found.partition;
  }
  case SearchKind::PlainGenetic:
    return plainGenetic(costs, options.seed);
  case SearchKind::MinCut:
    return minCut(costs);
  case SearchKind::Random:
    return mergeAtRandom(costs, options.seed);
  }
  return Grouping(costs).partition();
}

/// Connected items of which hardly more groups are looked at for a proof than
/// were looked at in the search.
constexpr std::uint32_t ProofLimit = 10;

double costOf(const Partition &partition, Costs &costs) {
  double sum = 0;
  for (const ItemSet &group : partition)
    sum += group.size() == 1 ? costs.single(group.front()) : costs(group);
  return sum;
}

/// The work that a search may take for each item when costs are dear, in pairs
/// of members of groups, and how it begins.
struct Effort {
  std::uint64_t workPerItem = 0;
  bool inRuns = false;
};
constexpr Effort WholeEffort{200'000, false}, WindowEffort{50'000, true};

SearchResult searchWith(const PartitionProblem &problem,
                        const SearchOptions &options, const Effort &effort);

/// Items of a window, and of those how many are settled by it, about.
constexpr std::size_t WindowItems = 128, SettledItems = 64;

/// Returns the groups that go first, with about `items` items. They don't wait
/// for the others in a circle, whatever groups these form.
Partition firstOf(const PartitionProblem &problem, Partition groups,
                  std::size_t items) {
  const auto waitsFor = [&problem](const ItemSet &late, const ItemSet &early) {
    return std::any_of(early.begin(), early.end(), [&](std::uint32_t one) {
      return std::any_of(late.begin(), late.end(), [&](std::uint32_t other) {
        return problem.reach[one][other];
      });
    });
  };
  Partition first;
  for (std::size_t count = 0; count < items && !groups.empty();) {
    const auto next =
        std::find_if(groups.begin(), groups.end(), [&](const ItemSet &group) {
          return std::none_of(
              groups.begin(), groups.end(), [&](const ItemSet &other) {
                return &other != &group && waitsFor(group, other);
              });
        });
    count += next->size();
    first.push_back(std::move(*next));
    groups.erase(next);
  }
  return first;
}

/// Searches window by window along the order of the items. The groups that come
/// first in a window are settled; the rest is searched again with the items
/// that follow.
Partition searchWindows(const PartitionProblem &problem,
                        const SearchOptions &options, SearchResult &result) {
  Partition settled;
  ItemSet window;
  std::uint32_t next = 0;
  do {
    while (window.size() < WindowItems && next < problem.size)
      window.push_back(next++);
    const PartitionProblem part = partOf(problem, window);
    SearchOptions own = options;
    own.start = restrict(options.start, window);
    const SearchResult found = searchWith(part, own, WindowEffort);
    result.evaluations += found.evaluations;
    result.generations = std::max(result.generations, found.generations);
    const bool isLast = next == problem.size;
    std::vector<bool> isSettled(window.size());
    for (const ItemSet &group : firstOf(
             part, found.partition, isLast ? window.size() : SettledItems)) {
      for (const std::uint32_t item : group)
        isSettled[item] = true;
      settled.push_back(translate(group, window));
    }
    ItemSet rest;
    for (std::size_t i = 0; i < window.size(); ++i)
      if (!isSettled[i])
        rest.push_back(window[i]);
    window = std::move(rest);
  } while (!window.empty() || next < problem.size);
  return settled;
}

/// Returns the best partition that is found for a problem of connected items,
/// which have numbers of their own.
Partition searchConnected(CostMemo &memo, const SearchOptions &options,
                          bool inRuns, SearchResult &result) {
  if (memo.relations().problem.size == 1)
    return {{0}};
  Partition found = searchPart(memo, options, inRuns, result);
  Costs costs(memo, 0);
  return options.kind == SearchKind::Random ? found
                                            : keepProfitable(found, costs);
}

SearchResult searchWith(const PartitionProblem &problem,
                        const SearchOptions &options, const Effort &effort) {
  SearchResult result;
  std::vector<ItemSet> components = componentsOf(problem);
  if (options.kind == SearchKind::Exact)
    for (const ItemSet &items : components)
      if (items.size() > ExactLimit) {
        result.error =
            "exact search takes at most " + std::to_string(ExactLimit) +
            " connected launches, not " + std::to_string(items.size());
        return result;
      }
  result.provenOptimal = true;
  for (const ItemSet &items : components) {
    const PartitionProblem part = partOf(problem, items);
    const Relations relations(part);
    CostMemo memo(relations, problem.hereditary
                                 ? std::numeric_limits<std::uint64_t>::max()
                                 : effort.workPerItem * items.size());
    Costs costs(memo, 0);
    SearchOptions own = options;
    own.start = restrict(options.start, items);
    const bool isWhole = items.size() <= WholeLimit || problem.hereditary;
    Partition found = isWhole
                          ? searchConnected(memo, own, effort.inRuns, result)
                          : searchWindows(part, own, result);
    bool isProven = options.kind == SearchKind::Exact || items.size() == 1;
    if (options.proves && items.size() <= ProofLimit) {
      Partition best = keepProfitable(exact(costs), costs);
      if (costOf(best, costs) < costOf(found, costs))
        found = std::move(best);
      isProven = true;
    }
    result.provenOptimal = result.provenOptimal && isProven;
    for (const ItemSet &group : found)
      result.partition.push_back(translate(group, items));
    result.cost += costOf(found, costs);
    for (std::uint32_t item = 0; item < part.size; ++item)
      result.singles += costs.single(item);
    result.evaluations += memo.evaluations();
  }
  std::sort(result.partition.begin(), result.partition.end());
  return result;
}

} // namespace

SearchResult search(const PartitionProblem &problem,
                    const SearchOptions &options) {
  return searchWith(problem, options, WholeEffort);
}

} // namespace kfuse
