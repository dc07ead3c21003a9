//===- ga/Search.cpp - Components, searchers, and the final word ----------===//

#include "ga/Search.h"

#include "ga/Baselines.h"
#include "ga/Exact.h"
#include "ga/Genetic.h"
#include "ga/Seeds.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>
#include <numeric>

namespace kfuse {
namespace {

/// Items that one search must see together: kin, pairs that may meet, and pairs
/// where one waits for the other. A separated pair asks nothing of the search:
/// what separates it also orders it.
std::vector<ItemSet> componentsOf(const PartitionProblem &problem) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> graph(
      problem.size);
  for (std::uint32_t i = 0; i < problem.size; ++i)
    for (std::uint32_t j = i + 1; j < problem.size; ++j)
      if (!problem.separated[i][j] && !problem.separated[j][i] &&
          (problem.horizontal || problem.reach[i][j] || problem.kin[i][j]))
        boost::add_edge(i, j, graph);
  std::vector<std::uint32_t> component(problem.size);
  std::size_t count = boost::connected_components(graph, component.data());
  std::vector<ItemSet> components(count);
  for (std::uint32_t item = 0; item < problem.size; ++item)
    components[component[item]].push_back(item);
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

/// What the partition says of the items, by their place among them.
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
  part.hereditary = problem.hereditary;
  part.concurrent = problem.concurrent;
  part.cost = [&problem, &items](const ItemSet &set) {
    return problem.cost(translate(set, items));
  };
  return part;
}

/// The profit constraint: a group that doesn't beat its members apart may have
/// been a step on the way, but is no result.
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

Partition searchPart(CostMemo &memo, const SearchOptions &options,
                     std::uint64_t budget, SearchResult &result) {
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
    GeneticResult found = genetic(memo, options, budget);
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

} // namespace

SearchResult search(const PartitionProblem &problem,
                    const SearchOptions &options) {
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
    CostMemo memo(relations);
    const std::uint64_t budget = options.lookUpsPerItem * items.size();
    Costs costs(memo, 0);
    SearchOptions own = options;
    own.start = restrict(options.start, items);
    Partition found = items.size() == 1 ? Partition{{0}}
                                        : searchPart(memo, own, budget, result);
    if (options.kind != SearchKind::Random)
      found = keepProfitable(found, costs);
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

} // namespace kfuse
