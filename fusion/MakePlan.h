//===- MakePlan.h - A partition as a plan ---------------------------------===//
#ifndef KFUSE_FUSION_MAKEPLAN_H
#define KFUSE_FUSION_MAKEPLAN_H

#include "fusion/plan/Problem.h"

#include <variant>

namespace kfuse {

/// A partition becomes a plan: placements that depend on the whole program
/// (what is never stored) are settled here. Obstacle when a group is illegal
/// or the groups are circular.
std::variant<FusionPlan, Obstacle> makePlan(const Problem &problem,
                                            const Groups &groups);

} // namespace kfuse

#endif
