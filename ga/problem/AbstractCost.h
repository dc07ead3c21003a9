//===- AbstractCost.h - What a group of abstract kernels costs ------------===//
#ifndef KFUSE_GA_PROBLEM_ABSTRACTCOST_H
#define KFUSE_GA_PROBLEM_ABSTRACTCOST_H

#include "ga/problem/AbstractProblem.h"

#include <functional>
#include <optional>

namespace kfuse {

/// Seconds of a group of the problem: of the best tile, the launch, the bytes
/// that the group moves, and its operations with those that halos repeat.
/// nullopt if no tile keeps the limits. What is legal stays so when kernels
/// leave. The result has all it needs.
std::function<std::optional<double>(const ItemSet &)>
groupCost(const AbstractProblem &problem);

/// The valid problem as the searchers see it.
PartitionProblem partitionProblem(const AbstractProblem &problem);

} // namespace kfuse

#endif
