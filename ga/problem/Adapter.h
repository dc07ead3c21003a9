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

/// Items are the launches in program order. A group costs what planGroup
/// projects for it. The problem must outlive the result.
PartitionProblem partitionProblem(const Problem &problem);

/// The launches of each group, in program order, groups by first launch.
Groups toGroups(const Problem &problem, const Partition &partition);

/// The partition of groups over the same items; what it doesn't name is single.
Partition toPartition(const Problem &problem, const Groups &groups);

} // namespace kfuse

#endif
