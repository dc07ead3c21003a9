//===- ga/CostMemo.h - Each group is costed once --------------------------===//
#ifndef KFUSE_GA_COSTMEMO_H
#define KFUSE_GA_COSTMEMO_H

#include "ga/Search.h"

#include <unordered_map>

namespace kfuse {

/// The cost of a set is pure, so it is asked for at most once. What the problem
/// itself rules out (separated pairs, no kinship, a non-convex set) isn't asked
/// for at all.
class CostMemo {
public:
  CostMemo(const PartitionProblem &problem, std::uint64_t budget);

  /// nullopt for an illegal set. Every call counts against the budget.
  std::optional<double> operator()(const ItemSet &set);
  double single(std::uint32_t item);
  /// Σ of the singles of a set.
  double singles(const ItemSet &set);

  bool isSpent() const { return LookUps >= Budget; }
  std::uint64_t evaluations() const { return Evaluations; }
  const PartitionProblem &problem() const { return Problem; }

private:
  struct Hash {
    std::size_t operator()(const ItemSet &set) const;
  };

  const PartitionProblem &Problem;
  std::unordered_map<ItemSet, std::optional<double>, Hash> Costs;
  std::uint64_t Budget, LookUps = 0, Evaluations = 0;
};

/// Whether a set of two or more has no separated pair, is convex, and is
/// connected by kinship unless unrelated items may meet.
bool mayBeGroup(const PartitionProblem &problem, const ItemSet &set);

} // namespace kfuse

#endif
