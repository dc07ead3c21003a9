//===- Phases.h - Stages that run together for one thread -----------------===//
//
// Stages that run for the same threads can take turns: each thread's work goes
// through all of them before the next. What they then hand to each other stays
// in a register, without a barrier.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_FORWARDING_PHASES_H
#define KFUSE_FUSION_FORWARDING_PHASES_H

#include "fusion/group/Group.h"
#include "fusion/plan/Plan.h"

#include <vector>

namespace kfuse {

/// Returns each stage's pass, ascending. Marks each forwarded array that needs
/// a tile. It needs none if all stages that access it are in one pass, or run
/// for the block's own threads alone, and take what their own thread left.
std::vector<std::uint32_t> assignPhases(const Group &group,
                                        const std::vector<Halo> &halos,
                                        std::vector<Placement> &placements);

} // namespace kfuse

#endif
