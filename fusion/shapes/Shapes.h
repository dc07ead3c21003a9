//===- Shapes.h - Members in the shape of one of them ---------------------===//
//
// A fused kernel has one grid and block: those of one of its members, the
// leader. Thread t of the kernel runs the thread of the same global index of
// every member. A member of another grid can do so if only its number of blocks
// differs. One of another block can if its threads know no more of themselves
// than that index. One iteration of a grid-stride loop is such a thread. An
// axis of a member may run along several of the leader's, in rows and planes.
// If the kernel may have threads that a member hasn't, the member is bounded;
// if it may have too few, the host code tests it.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_SHAPES_SHAPES_H
#define KFUSE_FUSION_SHAPES_SHAPES_H

#include "fusion/group/Group.h"

#include <optional>

namespace kfuse {

/// Finds the leader and rewrites all stages into its shape, a bound becoming
/// part of every guard. Adds the equalities and sizes that are known only at
/// run time to the group's conditions.
std::optional<Obstacle> alignShapes(Group &group);

} // namespace kfuse

#endif
