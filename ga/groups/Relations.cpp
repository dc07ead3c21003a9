//===- Relations.cpp - What searchers look up about items -----------------===//

#include "ga/groups/Relations.h"

#include <random>

namespace kfuse {
namespace {

using Bits = boost::dynamic_bitset<>;

ItemSet itemsOf(const Bits &bits) {
  ItemSet items;
  for (auto item = bits.find_first(); item != Bits::npos;
       item = bits.find_next(item))
    items.push_back(static_cast<std::uint32_t>(item));
  return items;
}

bool contains(const ItemSet &set, std::size_t item) {
  return std::binary_search(set.begin(), set.end(), item);
}

bool hasSeparatedPair(const PartitionProblem &problem, const ItemSet &set) {
  for (std::size_t i = 0; i < set.size(); ++i)
    for (std::size_t j = i + 1; j < set.size(); ++j)
      if (problem.separated[set[i]][set[j]] ||
          problem.separated[set[j]][set[i]])
        return true;
  return false;
}

/// Returns whether nothing except members runs after one member and before
/// another.
bool isConvex(const Relations &relations, const ItemSet &set) {
  const std::vector<Bits> &reach = relations.problem.reach;
  if (set.size() == 2) {
    // Most sets that are asked for; and most pairs have nothing between.
    if (!reach[set[0]][set[1]])
      return true;
    for (std::uint32_t next : relations.successors[set[0]])
      if (next != set[1] && reach[next][set[1]])
        return false;
    return true;
  }
  // A path that leaves the set does so by a direct edge.
  for (std::uint32_t item : set)
    for (std::uint32_t next : relations.successors[item]) {
      if (next > set.back() || contains(set, next))
        continue;
      for (std::uint32_t last : set)
        if (last > next && reach[next][last])
          return false;
    }
  return true;
}

bool isConnected(const PartitionProblem &problem, const ItemSet &set) {
  // Members that were found come first.
  ItemSet members = set;
  std::size_t found = 1;
  for (std::size_t i = 0; i < found && found < members.size(); ++i)
    for (std::size_t j = found; j < members.size(); ++j)
      if (problem.kin[members[i]][members[j]])
        std::swap(members[found++], members[j]);
  return found == members.size();
}

} // namespace

Relations::Relations(const PartitionProblem &from) : problem(from) {
  const std::uint32_t size = problem.size;
  std::mt19937_64 random(0x6b66757365);
  before.assign(size, Bits(size));
  for (std::uint32_t i = 0; i < size; ++i) {
    keys.push_back({random(), random()});
    kin.push_back(itemsOf(problem.kin[i]));
    ItemSet direct;
    Bits behind(size);
    for (auto j = problem.reach[i].find_first(); j != Bits::npos;
         j = problem.reach[i].find_next(j)) {
      before[j].set(i);
      if (behind[j])
        continue;
      direct.push_back(static_cast<std::uint32_t>(j));
      behind |= problem.reach[j];
    }
    successors.push_back(std::move(direct));
  }
}

SetKey keyOf(const Relations &relations, const ItemSet &set) {
  SetKey key;
  for (std::uint32_t item : set)
    key = key ^ relations.keys[item];
  return key;
}

bool mayBeGroup(const Relations &relations, const ItemSet &set) {
  if (set.size() < 2)
    return true;
  const PartitionProblem &problem = relations.problem;
  return set.size() <= problem.mostItems && !hasSeparatedPair(problem, set) &&
         (problem.horizontal || isConnected(problem, set)) &&
         isConvex(relations, set);
}

} // namespace kfuse
