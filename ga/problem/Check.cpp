//===- Check.cpp - Is a partition what the problem asks for? --------------===//
//
// Shares nothing with the searchers: it is what they are tested against.
//
//===----------------------------------------------------------------------===//

#include "ga/problem/Check.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/topological_sort.hpp>
#include <cmath>

namespace kfuse {
namespace {

std::string name(std::uint32_t item) { return "item " + std::to_string(item); }

std::string checkCover(const PartitionProblem &problem,
                       const Partition &partition,
                       std::vector<std::uint32_t> &groupOf) {
  constexpr std::uint32_t None = ~std::uint32_t{0};
  groupOf.assign(problem.size, None);
  for (std::uint32_t number = 0; number < partition.size(); ++number) {
    const ItemSet &group = partition[number];
    if (group.empty())
      return "a group is empty";
    if (!std::is_sorted(group.begin(), group.end()))
      return "the group of " + name(group.front()) + " is not in order";
    for (std::uint32_t item : group) {
      if (item >= problem.size)
        return name(item) + " doesn't exist";
      if (groupOf[item] != None)
        return name(item) + " is in two groups";
      groupOf[item] = number;
    }
  }
  for (std::uint32_t item = 0; item < problem.size; ++item)
    if (groupOf[item] == None)
      return name(item) + " is in no group";
  if (!std::is_sorted(partition.begin(), partition.end()))
    return "the groups are not in order";
  return {};
}

std::string checkConvex(const PartitionProblem &problem, const ItemSet &group,
                        const std::vector<std::uint32_t> &groupOf) {
  for (std::uint32_t first : group)
    for (std::uint32_t last : group) {
      if (problem.separated[first][last])
        return name(first) + " and " + name(last) + " may not meet";
      for (std::uint32_t item = 0; item < problem.size; ++item)
        if (groupOf[item] != groupOf[first] && problem.reach[first][item] &&
            problem.reach[item][last])
          return name(item) + " runs between " + name(first) + " and " +
                 name(last);
    }
  return {};
}

/// Checks that every member is reached from the first by steps between kin;
/// returns what is wrong, or an empty string.
std::string checkKinship(const PartitionProblem &problem,
                         const ItemSet &group) {
  std::vector<bool> found(group.size());
  found[0] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < group.size(); ++i)
      for (std::size_t j = 0; j < group.size(); ++j)
        if (found[i] && !found[j] && problem.kin[group[i]][group[j]])
          found[j] = changed = true;
  }
  auto migrant = std::find(found.begin(), found.end(), false);
  if (migrant == found.end())
    return {};
  return name(group[static_cast<std::size_t>(migrant - found.begin())]) +
         " is no kin of its group";
}

bool hasCircle(const PartitionProblem &problem, std::size_t groups,
               const std::vector<std::uint32_t> &groupOf) {
  boost::adjacency_list<boost::setS, boost::vecS, boost::directedS> graph(
      groups);
  for (std::uint32_t i = 0; i < problem.size; ++i)
    for (std::uint32_t j = 0; j < problem.size; ++j)
      if (problem.reach[i][j] && groupOf[i] != groupOf[j])
        boost::add_edge(groupOf[i], groupOf[j], graph);
  std::vector<std::size_t> order;
  try {
    boost::topological_sort(graph, std::back_inserter(order));
  } catch (const boost::not_a_dag &) {
    return true;
  }
  return false;
}

} // namespace

std::string checkPartition(const PartitionProblem &problem,
                           const Partition &partition) {
  std::vector<std::uint32_t> groupOf;
  if (std::string error = checkCover(problem, partition, groupOf);
      !error.empty())
    return error;
  for (const ItemSet &group : partition) {
    if (group.size() < 2)
      continue;
    if (std::string error = checkConvex(problem, group, groupOf);
        !error.empty())
      return error;
    if (std::string error =
            problem.horizontal ? std::string() : checkKinship(problem, group);
        !error.empty())
      return error;
    if (!problem.cost(group))
      return "the group of " + name(group.front()) + " is illegal";
  }
  if (hasCircle(problem, partition.size(), groupOf))
    return "groups wait for each other in a circle";
  return {};
}

std::string checkResult(const PartitionProblem &problem,
                        const SearchResult &result) {
  if (std::string error = checkPartition(problem, result.partition);
      !error.empty())
    return error;
  double cost = 0, singles = 0;
  for (const ItemSet &group : result.partition)
    cost += problem.cost(group).value_or(0);
  for (std::uint32_t item = 0; item < problem.size; ++item)
    singles += problem.cost({item}).value_or(0);
  // Sums in another order differ in the last bits.
  constexpr double Rounding = 1e-9;
  if (std::abs(cost - result.cost) > Rounding * cost)
    return "the groups cost something else";
  if (std::abs(singles - result.singles) > Rounding * singles)
    return "the items alone cost something else";
  if (cost > singles * (1 + Rounding))
    return "the groups cost more than the items alone";
  return {};
}

} // namespace kfuse
