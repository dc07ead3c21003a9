//===- Exact.h - The optimum of a small problem ---------------------------===//
//
// Dynamic programming over down-sets: f(I ∪ S) = min f(I) + c(S). Taking groups
// in an order in which they can run makes every partition it sees acyclic.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GA_EXACT_EXACT_H
#define KFUSE_GA_EXACT_EXACT_H

#include "ga/groups/CostMemo.h"
#include "ga/problem/SearchOptions.h"

namespace kfuse {

/// Some of up to 32 items, by their numbers.
using Mask = std::uint32_t;

/// A problem of few items; they are numbered topologically.
struct SmallProblem {
  std::vector<Mask> before;    ///< by item: what must run earlier, closed
  std::vector<Mask> after;     ///< the transpose
  std::vector<Mask> separated; ///< symmetric
  std::vector<Mask> kin;       ///< all others, if unrelated ones may meet
  bool hereditary = false;     ///< what is legal stays so when items leave
};

struct SolveLimits {
  /// About how many candidates for groups there may be; beyond, nothing is
  /// solved.
  std::size_t candidates = std::numeric_limits<std::size_t>::max();
  /// Only partitions that cost no more are of interest.
  double cost = std::numeric_limits<double>::max();
};

/// Returns the groups of the best partition; none if all cost too much, nullopt
/// if there are too many candidates. `cost` is asked once for each set that the
/// problem doesn't rule out; Illegal is an answer, but not for a single item.
std::optional<std::vector<Mask>> solve(const SmallProblem &problem,
                                       const std::function<double(Mask)> &cost,
                                       const SolveLimits &limits);

/// Returns the best partition of at most ExactLimit items.
Partition exact(Costs &costs);

} // namespace kfuse

#endif
