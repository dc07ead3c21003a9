//===- Adapter.h - A program as a partition problem -----------------------===//
//
//   Problem ──partitionProblem()──▶ search() ──toGroups()──▶ Groups
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GA_PROBLEM_ADAPTER_H
#define KFUSE_GA_PROBLEM_ADAPTER_H

#include "fusion/plan/Problem.h"
#include "ga/problem/AbstractProblem.h"
#include "ga/problem/PartitionProblem.h"

namespace kfuse {

/// Returns the program as a partition problem. Items are the launches in
/// program order, and a group costs what planGroup projects for it. `problem`
/// must outlive the result.
PartitionProblem partitionProblem(const Problem &problem);

/// Returns the launches of each group in program order, and the groups by first
/// launch.
Groups toGroups(const Problem &problem, const Partition &partition);

/// Returns the partition of the same items into these groups; an item that they
/// don't name is single.
Partition toPartition(const Problem &problem, const Groups &groups);

} // namespace kfuse

#endif
