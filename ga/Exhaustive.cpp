//===- ga/Exhaustive.cpp - The optimum of a small problem -----------------===//

#include "ga/Exhaustive.h"

#include <algorithm>
#include <limits>

namespace kfuse {
namespace {

using Mask = std::uint32_t;

constexpr double Infinity = std::numeric_limits<double>::infinity();

ItemSet itemsOf(Mask mask) {
  ItemSet items;
  for (std::uint32_t item = 0; mask >> item != 0; ++item)
    if ((mask >> item & 1U) != 0)
      items.push_back(item);
  return items;
}

/// By mask: whether every item has what it waits for.
std::vector<bool> downSets(const PartitionProblem &problem) {
  std::vector<Mask> before(problem.size);
  for (std::uint32_t i = 0; i < problem.size; ++i)
    for (std::uint32_t j = 0; j < problem.size; ++j)
      if (problem.reach[i][j])
        before[j] |= Mask{1} << i;
  std::vector<bool> closed(std::size_t{1} << problem.size);
  for (Mask mask = 0; mask < closed.size(); ++mask) {
    closed[mask] = true;
    for (std::uint32_t item : itemsOf(mask))
      closed[mask] = closed[mask] && (before[item] & ~mask) == 0;
  }
  return closed;
}

/// Costs by mask, asked for when first wanted.
class MaskCosts {
public:
  explicit MaskCosts(CostMemo &memo)
      : Memo(memo), Costs(std::size_t{1} << memo.problem().size, Unasked) {}
  double operator[](Mask mask) {
    if (Costs[mask] == Unasked)
      Costs[mask] = Memo(itemsOf(mask)).value_or(Infinity);
    return Costs[mask];
  }

private:
  static constexpr double Unasked = -Infinity;
  CostMemo &Memo;
  std::vector<double> Costs;
};

} // namespace

Partition exhaustive(CostMemo &memo) {
  std::vector<bool> closed = downSets(memo.problem());
  MaskCosts costs(memo);
  auto all = static_cast<Mask>(closed.size() - 1);
  std::vector<double> best(closed.size(), Infinity);
  std::vector<Mask> last(closed.size());
  best[0] = 0;
  for (Mask done = 0; done <= all; ++done) {
    if (best[done] == Infinity)
      continue;
    Mask rest = all & ~done;
    for (Mask group = rest; group != 0; group = (group - 1) & rest) {
      Mask next = done | group;
      if (!closed[next])
        continue;
      double cost = best[done] + costs[group];
      if (cost < best[next]) {
        best[next] = cost;
        last[next] = group;
      }
    }
  }
  Partition partition;
  for (Mask mask = all; mask != 0; mask &= ~last[mask]) {
    // No legal partition at all: singles are the best there is.
    if (last[mask] == 0)
      last[mask] = mask & (~mask + 1);
    partition.push_back(itemsOf(last[mask]));
  }
  std::sort(partition.begin(), partition.end());
  return partition;
}

} // namespace kfuse
