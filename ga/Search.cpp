//===- ga/Search.cpp - Components, searchers, and the final word ----------===//

#include "ga/Search.h"

#include "ga/Exhaustive.h"
#include "ga/Genetic.h"
#include "ga/Grouping.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>

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

PartitionProblem partOf(const PartitionProblem &problem, const ItemSet &items) {
  PartitionProblem part;
  part.size = static_cast<std::uint32_t>(items.size());
  part.reach = restrict(problem.reach, items);
  part.separated = restrict(problem.separated, items);
  part.kin = restrict(problem.kin, items);
  part.horizontal = problem.horizontal;
  part.cost = [&problem, &items](const ItemSet &set) {
    return problem.cost(translate(set, items));
  };
  return part;
}

/// The profit constraint: a group that doesn't beat its members apart may have
/// been a step on the way, but is no result.
Partition keepProfitable(const Partition &partition, CostMemo &memo) {
  Partition kept;
  for (const ItemSet &group : partition) {
    std::optional<double> cost = memo(group);
    if (group.size() > 1 && (!cost || *cost >= memo.singles(group)))
      for (std::uint32_t item : group)
        kept.push_back({item});
    else
      kept.push_back(group);
  }
  return kept;
}

Partition searchPart(CostMemo &memo, const SearchOptions &options,
                     SearchResult &result) {
  switch (options.kind) {
  case SearchKind::Exhaustive:
    return exhaustive(memo);
  case SearchKind::Greedy:
    return greedy(memo).partition();
  case SearchKind::Genetic: {
    GeneticResult found = genetic(memo, options);
    result.generations = std::max(result.generations, found.generations);
    return found.partition;
  }
  }
  return Grouping(memo.problem()).partition();
}

} // namespace

SearchResult search(const PartitionProblem &problem,
                    const SearchOptions &options) {
  SearchResult result;
  std::vector<ItemSet> components = componentsOf(problem);
  if (options.kind == SearchKind::Exhaustive)
    for (const ItemSet &items : components)
      if (items.size() > ExhaustiveLimit) {
        result.error = "exhaustive search takes at most " +
                       std::to_string(ExhaustiveLimit) +
                       " connected launches, not " +
                       std::to_string(items.size());
        return result;
      }
  for (const ItemSet &items : components) {
    PartitionProblem part = partOf(problem, items);
    // Each component gets its share of the budget.
    CostMemo memo(part, options.evaluations * items.size() / problem.size);
    Partition found =
        items.size() == 1
            ? Partition{{0}}
            : keepProfitable(searchPart(memo, options, result), memo);
    for (const ItemSet &group : found) {
      result.partition.push_back(translate(group, items));
      result.cost += group.size() == 1 ? memo.single(group.front())
                                       : memo(group).value_or(0);
    }
    for (std::uint32_t item = 0; item < part.size; ++item)
      result.singles += memo.single(item);
    result.evaluations += memo.evaluations();
  }
  std::sort(result.partition.begin(), result.partition.end());
  result.provenOptimal = options.kind == SearchKind::Exhaustive;
  return result;
}

} // namespace kfuse
