//===- PlanGroup.h - A group as one kernel --------------------------------===//
#ifndef KFUSE_FUSION_PLANGROUP_H
#define KFUSE_FUSION_PLANGROUP_H

#include "fusion/plan/Problem.h"

#include <variant>
#include <vector>

namespace kfuse {

/// Returns the group as one kernel, or why it can't be. Members in program
/// order. A single launch always has a plan. Checks everything except profit
/// and the circularity of a whole partition. The kernel has all conditions that
/// it may need; makePlan() leaves out those that always hold.
std::variant<FusedKernel, Obstacle>
planGroup(const Problem &problem, const std::vector<LaunchId> &group);

} // namespace kfuse

#endif
