//===- Tiles.h - What a block makes again for its neighbours --------------===//
//
// If a stage reads what threads of other blocks made, its own block makes those
// values again, in a tile of shared memory with a halo. The halo grows through
// a chain: a stage runs for every thread whose value a later stage of the block
// takes.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_FORWARDING_TILES_H
#define KFUSE_FUSION_FORWARDING_TILES_H

#include "fusion/group/Group.h"
#include "fusion/legality/Legality.h"
#include "fusion/plan/Plan.h"

#include <optional>
#include <vector>

namespace kfuse {

/// Returns for each stage the threads around the block for which it runs.
std::vector<Halo> halosOf(const Group &group, const std::vector<Flow> &flows);

/// Makes tiles of those placements whose values leave the pass in which they
/// are made. Returns why the blocks can't make them again, if so: a stage that
/// runs twice must not see what the group itself changes.
std::optional<Obstacle> placeTiles(const Group &group, FusedKernel &kernel);

} // namespace kfuse

#endif
