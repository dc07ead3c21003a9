//===- ga/CostMemo.cpp - Each group is costed once ------------------------===//

#include "ga/CostMemo.h"

#include <limits>

namespace kfuse {
namespace {

using Bits = boost::dynamic_bitset<>;

Bits bitsOf(const PartitionProblem &problem, const ItemSet &set) {
  Bits bits(problem.size);
  for (std::uint32_t item : set)
    bits.set(item);
  return bits;
}

bool hasSeparatedPair(const PartitionProblem &problem, const ItemSet &set,
                      const Bits &bits) {
  for (std::uint32_t item : set)
    if (problem.separated[item].intersects(bits))
      return true;
  return false;
}

bool isConvex(const PartitionProblem &problem, const ItemSet &set,
              const Bits &bits) {
  Bits after(problem.size);
  for (std::uint32_t item : set)
    after |= problem.reach[item];
  after -= bits;
  // An item is numbered after those that reach it.
  for (auto item = after.find_first(); item != Bits::npos && item < set.back();
       item = after.find_next(item))
    if (problem.reach[item].intersects(bits))
      return false;
  return true;
}

bool isConnected(const PartitionProblem &problem, const ItemSet &set,
                 const Bits &bits) {
  Bits seen(problem.size);
  seen.set(set.front());
  std::vector<std::uint32_t> work = {set.front()};
  while (!work.empty()) {
    Bits found = problem.kin[work.back()] & bits;
    work.pop_back();
    found -= seen;
    seen |= found;
    for (auto item = found.find_first(); item != Bits::npos;
         item = found.find_next(item))
      work.push_back(static_cast<std::uint32_t>(item));
  }
  return seen == bits;
}

} // namespace

bool mayBeGroup(const PartitionProblem &problem, const ItemSet &set) {
  if (set.size() < 2)
    return true;
  Bits bits = bitsOf(problem, set);
  return !hasSeparatedPair(problem, set, bits) &&
         (problem.horizontal || isConnected(problem, set, bits)) &&
         isConvex(problem, set, bits);
}

CostMemo::CostMemo(const PartitionProblem &problem, std::uint64_t budget)
    : Problem(problem), Budget(budget) {}

std::size_t CostMemo::Hash::operator()(const ItemSet &set) const {
  // FNV-1a, with a shift so that the low bits see the high ones.
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (std::uint32_t item : set) {
    hash = (hash ^ item) * 0x100000001b3U;
    hash ^= hash >> 29U;
  }
  return hash;
}

std::optional<double> CostMemo::operator()(const ItemSet &set) {
  ++LookUps;
  auto [place, isNew] = Costs.try_emplace(set);
  if (isNew && mayBeGroup(Problem, set)) {
    ++Evaluations;
    place->second = Problem.cost(set);
  }
  return place->second;
}

double CostMemo::single(std::uint32_t item) {
  // A single item is always legal; a problem that says otherwise can only make
  // every partition as bad.
  return (*this)({item}).value_or(std::numeric_limits<double>::max());
}

double CostMemo::singles(const ItemSet &set) {
  double sum = 0;
  for (std::uint32_t item : set)
    sum += single(item);
  return sum;
}

} // namespace kfuse
