//===- AbstractCost.h - What a group of abstract kernels costs ------------===//
#ifndef KFUSE_GA_PROBLEM_ABSTRACTCOST_H
#define KFUSE_GA_PROBLEM_ABSTRACTCOST_H

#include "ga/problem/AbstractProblem.h"

#include <functional>
#include <optional>

namespace kfuse {

/// Returns a function for the seconds of a group with its best tile. They are
/// those of the launch, of the bytes that the group moves, and of its
/// operations, including those that halos repeat. The function gives nullopt if
/// no tile keeps the limits. What is legal stays so when kernels leave. The
/// function has all it needs.
std::function<std::optional<double>(const ItemSet &)>
groupCost(const AbstractProblem &problem);

/// Returns the valid problem as the searchers see it.
PartitionProblem partitionProblem(const AbstractProblem &problem);

} // namespace kfuse

#endif
