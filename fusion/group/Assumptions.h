//===- Assumptions.h - What may hold at run time --------------------------===//
#ifndef KFUSE_FUSION_GROUP_ASSUMPTIONS_H
#define KFUSE_FUSION_GROUP_ASSUMPTIONS_H

#include "fusion/group/Group.h"

#include <optional>

namespace kfuse {

/// Returns the group with assumptions, as few as possible, that settle how
/// access `a` of stage `i` and access `b` of stage `j` depend on each other. If
/// `isConflict`, those that remove the conflict will do. `never` says why
/// others never hold.
std::optional<Group> findAssumptions(const Group &group, std::uint32_t i,
                                     std::uint32_t a, std::uint32_t j,
                                     std::uint32_t b, bool isConflict,
                                     std::optional<Obstacle> &never);

/// Returns the group with the assumptions that its blocks have the extents that
/// the input gives them, one constant on each axis. Its grid is taken to be one
/// block deep where the input makes it so.
std::optional<Group> findUsualShape(const Group &group);

/// Returns the group with the assumption that the grid of stage `j` has a
/// thread for each element that access `b` reads around its own thread's.
/// Access `a` of stage `i` wrote all of them then; nullopt if it didn't.
std::optional<Group> findCoveringGrid(const Group &group, std::uint32_t i,
                                      std::uint32_t a, std::uint32_t j,
                                      std::uint32_t b);

/// Returns the group with the assumption that the rows which the accesses index
/// are long enough, if they don't conflict then.
std::optional<Group> findLongRows(const Group &group, std::uint32_t i,
                                  std::uint32_t a, std::uint32_t j,
                                  std::uint32_t b);

/// Returns the same with scalars of both stages assumed equal, too.
std::optional<Group> findEqualRows(const Group &group, std::uint32_t i,
                                   std::uint32_t a, std::uint32_t j,
                                   std::uint32_t b);

/// Returns the group with the assumption that rows or columns are far enough
/// apart for the two accesses, or that neither leaves its thread's row, if they
/// don't conflict then.
std::optional<Group> findOtherRows(const Group &group, std::uint32_t i,
                                   std::uint32_t a, std::uint32_t j,
                                   std::uint32_t b);

} // namespace kfuse

#endif
