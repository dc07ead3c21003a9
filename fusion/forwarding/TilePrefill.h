//===- TilePrefill.h - What a tile has where nothing is written -----------===//
//
//   if (i > 0 && i < n - 1) B[i] = ...;     then     C[i] = B[i - 1] + B[i + 1]
//
// The reader takes B[0] and B[n - 1] as they were. A tile that holds what
// memory does there spares each read a look whether there is a value.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_FORWARDING_TILEPREFILL_H
#define KFUSE_FUSION_FORWARDING_TILEPREFILL_H

#include "fusion/group/Group.h"
#include "fusion/plan/Plan.h"

namespace kfuse {

/// Returns how the cells of the tile get their old content; nullopt if no read
/// may need it, or if it can't be said which elements are read.
std::optional<TilePrefill> prefillOf(const Group &group,
                                     const Placement &placement);

} // namespace kfuse

#endif
