//===- BlockPartition.h - Work distributed over blocks --------------------===//
//
// If a block reads rows of what an element-wise kernel made, the block can make
// them. The kernel's threads are distributed among the blocks, and each block
// runs its chunk in a loop, with a barrier before what reads it. A reduction of
// rows, by whichever threads, needs no more than that its block reads nothing
// but its own chunk. Nothing is computed twice, and values pass through memory,
// where the block finds them in the caches.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_SHAPES_BLOCKPARTITION_H
#define KFUSE_FUSION_SHAPES_BLOCKPARTITION_H

#include "fusion/dependence/AccessDependences.h"
#include "fusion/group/Group.h"

#include <optional>

namespace kfuse {

/// Returns the group with the members of one shape distributed among the blocks
/// of those of the other. Nullopt if that can't be, or wouldn't pass anything.
std::optional<Group> withChunks(Group group);

/// Returns how two accesses to one array depend on each other when the stage of
/// one of them is distributed (`isFirstShared`: that of the earlier one).
AccessDependence meetInBlock(const PlacedAccess &first,
                             const PlacedAccess &second, bool isFirstShared,
                             const Polynomial &chunk, const KnownFacts &facts);

/// Checks whether each block has a part of the array to itself in both
/// accesses, of stages with one shape. Threads that access one element are of
/// one block then.
bool areOfOneBlock(const PlacedAccess &first, const PlacedAccess &second,
                   const KnownFacts &facts);

} // namespace kfuse

#endif
