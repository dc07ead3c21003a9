//===- Check.h - Is a partition what the problem asks for? ----------------===//
#ifndef KFUSE_GA_PROBLEM_CHECK_H
#define KFUSE_GA_PROBLEM_CHECK_H

#include "ga/problem/PartitionProblem.h"
#include "ga/problem/SearchOptions.h"

#include <string>

namespace kfuse {

/// Checks whether the partition covers each item once with convex groups that
/// can be ordered. Returns an empty string, or what is wrong. Independent of
/// the searchers.
std::string checkPartition(const PartitionProblem &problem,
                           const Partition &partition);

/// Checks the same of a result, and whether its costs are those of its groups.
std::string checkResult(const PartitionProblem &problem,
                        const SearchResult &result);

} // namespace kfuse

#endif
