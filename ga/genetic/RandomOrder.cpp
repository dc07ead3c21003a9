//===- RandomOrder.cpp - Random orders, cut into the best runs ------------===//

#include "ga/genetic/RandomOrder.h"

#include <algorithm>

namespace kfuse {
namespace {

/// Longest run of a random order that is tried as one group.
constexpr std::size_t LongestRun = 12;

/// Returns a random topological order. It goes on with kin of the last item
/// when it can, so that runs of it make likely groups.
ItemSet randomOrder(const Relations &relations, Random &random) {
  const PartitionProblem &problem = relations.problem;
  std::vector<std::uint32_t> waiting(problem.size);
  for (const ItemSet &later : relations.successors)
    for (std::uint32_t item : later)
      ++waiting[item];
  ItemSet order, ready, kin;
  for (std::uint32_t item = 0; item < problem.size; ++item)
    if (waiting[item] == 0)
      ready.push_back(item);
  while (!ready.empty()) {
    kin.clear();
    if (!order.empty())
      for (std::uint32_t item : ready)
        if (problem.kin[order.back()][item])
          kin.push_back(item);
    const ItemSet &choice = kin.empty() ? ready : kin;
    const std::uint32_t item = choice[random.below(choice.size())];
    ready.erase(std::find(ready.begin(), ready.end(), item));
    order.push_back(item);
    for (std::uint32_t next : relations.successors[item])
      if (--waiting[next] == 0)
        ready.push_back(next);
  }
  return order;
}

} // namespace

Grouping cutRandomOrder(Costs &costs, Random &random) {
  const ItemSet order = randomOrder(costs.relations(), random);
  std::vector<double> best(order.size() + 1, Illegal);
  std::vector<std::size_t> start(order.size() + 1);
  best[0] = 0;
  for (std::size_t end = 1; end <= order.size(); ++end) {
    ItemSet run;
    const std::size_t first = end > LongestRun ? end - LongestRun : 0;
    for (std::size_t begin = end; begin > first;) {
      --begin;
      run.insert(std::lower_bound(run.begin(), run.end(), order[begin]),
                 order[begin]);
      const double cost =
          run.size() == 1 ? costs.single(run.front()) : costs(run);
      if (best[begin] + cost < best[end]) {
        best[end] = best[begin] + cost;
        start[end] = begin;
      }
    }
  }
  Partition runs;
  for (std::size_t end = order.size(); end > 0;) {
    const std::size_t begin = best[end] < Illegal ? start[end] : end - 1;
    runs.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(begin),
                      order.begin() + static_cast<std::ptrdiff_t>(end));
    std::sort(runs.back().begin(), runs.back().end());
    end = begin;
  }
  return {runs, costs};
}

} // namespace kfuse
