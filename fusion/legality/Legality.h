//===- Legality.h - Pairs of accesses of two stages -----------------------===//
//
// The rule from which the others follow: two threads that touch one element
// from two stages, at least one writing, must be one and the same thread.
// Otherwise the later must be able to take the value from a tile in which its
// block made it again. Or both are threads of one block, which waits for all of
// them between the stages.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_LEGALITY_LEGALITY_H
#define KFUSE_FUSION_LEGALITY_LEGALITY_H

#include "fusion/group/Group.h"

#include <optional>
#include <variant>
#include <vector>

namespace kfuse {

/// A value that passes from one stage to a later one: indices into
/// Group::stages and Stage::accesses.
struct Flow {
  std::uint32_t writer = 0, write = 0;
  std::uint32_t reader = 0, read = 0;
  Window window = {}; ///< of the threads that write what a thread reads
  /// Whenever the read runs, the write ran.
  bool isCovered = false;
  /// Any thread of the block may have written it.
  bool isInBlock = false;
};

/// Checks every pair of accesses to one array, adding the equalities of scalars
/// without which it would fail to the group's conditions. Flows are in the
/// order of their readers, those of one in the order of their writers.
std::variant<std::vector<Flow>, Obstacle> checkAccesses(Group &group);

/// Checks that loops whose iterations get another order, or none, don't depend
/// on it.
std::optional<Obstacle> checkIterations(const Group &group);

} // namespace kfuse

#endif
