//===- Aliasing.h - Names that may be one storage -------------------------===//
#ifndef KFUSE_FUSION_LEGALITY_ALIASING_H
#define KFUSE_FUSION_LEGALITY_ALIASING_H

#include "fusion/group/Group.h"

#include <optional>
#include <vector>

namespace kfuse {

/// Adds a run-time test for each pair of accesses through names that may be one
/// storage: they must not overlap. `forwarded` are the arrays whose values stay
/// in registers, which miss a write under another name within one stage. The
/// stages in `recomputed` run for threads of other blocks too, so that what
/// they read must not change within them either.
std::optional<Obstacle>
addAliasConditions(Group &group, const std::vector<ArrayId> &forwarded,
                   const std::vector<bool> &recomputed);

} // namespace kfuse

#endif
