//===- Project.h - What a planned kernel asks of the device ---------------===//
#ifndef KFUSE_FUSION_COST_PROJECT_H
#define KFUSE_FUSION_COST_PROJECT_H

#include "fusion/plan/Problem.h"

namespace kfuse {

/// Projects a planned group by the model (Σ T_p of the paper's eq. 2).
Projection project(const Problem &problem, const FusedKernel &kernel);
/// Projects one original launch, as a group of its own.
Projection projectSingle(const Problem &problem, LaunchId launch);
/// Returns what projectSingle() does, computed once for each launch.
const Projection &singleOf(const Problem &problem, LaunchId launch);

} // namespace kfuse

#endif
