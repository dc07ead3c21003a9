//===- MakePlan.h - A partition as a plan ---------------------------------===//
#ifndef KFUSE_FUSION_MAKEPLAN_H
#define KFUSE_FUSION_MAKEPLAN_H

#include "fusion/plan/Problem.h"

#include <variant>

namespace kfuse {

/// Turns a partition into a plan, and settles the placements that depend on the
/// whole program (what is never stored). Returns an obstacle if a group is
/// illegal or the groups are circular.
std::variant<FusionPlan, Obstacle> makePlan(const Problem &problem,
                                            const Groups &groups);

} // namespace kfuse

#endif
