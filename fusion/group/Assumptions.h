//===- Assumptions.h - What may hold at run time --------------------------===//
#ifndef KFUSE_FUSION_GROUP_ASSUMPTIONS_H
#define KFUSE_FUSION_GROUP_ASSUMPTIONS_H

#include "fusion/group/Group.h"

#include <optional>

namespace kfuse {

/// Assumptions that settle how the accesses meet, fewest first; of accesses
/// that are in conflict, those under which they no longer are will do. Of such
/// as never hold `never` says why.
std::optional<Group> findAssumptions(const Group &group, std::uint32_t i,
                                     std::uint32_t a, std::uint32_t j,
                                     std::uint32_t b, bool isConflict,
                                     std::optional<Obstacle> &never);

/// That the rows of what the accesses index are long enough, where they are in
/// no conflict then.
std::optional<Group> findLongRows(const Group &group, std::uint32_t i,
                                  std::uint32_t a, std::uint32_t j,
                                  std::uint32_t b);

} // namespace kfuse

#endif
