//===- Aliasing.h - Names that may be one storage -------------------------===//
#ifndef KFUSE_FUSION_LEGALITY_ALIASING_H
#define KFUSE_FUSION_LEGALITY_ALIASING_H

#include "fusion/group/Group.h"

#include <optional>
#include <vector>

namespace kfuse {

/// Pairs of accesses through names that may be one storage: adds a run-time
/// test that they don't overlap for each. `forwarded` are the arrays whose
/// values stay in registers, which a write under another name within one stage
/// would miss.
/// The stages in `recomputed` run for threads of other blocks too, so that
/// what they read must not change within them either.
std::optional<Obstacle>
addAliasConditions(Group &group, const std::vector<ArrayId> &forwarded,
                   const std::vector<bool> &recomputed);

} // namespace kfuse

#endif
