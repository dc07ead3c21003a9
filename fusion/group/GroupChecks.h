//===- GroupChecks.h - What launches must be to become one kernel ---------===//
#ifndef KFUSE_FUSION_GROUP_GROUPCHECKS_H
#define KFUSE_FUSION_GROUP_GROUPCHECKS_H

#include "fusion/group/Group.h"

#include <optional>
#include <vector>

namespace kfuse {

/// Returns the pair with every launch that lies between two of its members;
/// stops if they are more than MostMembers.
std::vector<LaunchId> closure(const Problem &problem, LaunchId first,
                              LaunchId second);

/// Checks that there are no more than MostMembers, and no more statements than
/// people read.
std::optional<Obstacle> checkSize(const Problem &problem,
                                  const std::vector<LaunchId> &group);

/// Checks that the launches can become one: of one region and stream, editable,
/// with nothing between that must stay between.
std::optional<Obstacle> checkLaunches(const Problem &problem,
                                      const std::vector<LaunchId> &group);

/// Checks that the launches are worth fusing: joined by shared arrays, or (if
/// `horizontal`) with nothing in common at all; then sets `isHorizontal`.
std::optional<Obstacle> checkKinship(const Problem &problem,
                                     const std::vector<LaunchId> &group,
                                     bool &isHorizontal);

/// Returns the number of threads in the launch's blocks, if the program says
/// it.
std::optional<std::uint64_t> constantThreads(const Launch &launch);

/// Checks that shared memory, threads and registers are within the device's
/// limits, with `forwarded` registers and `tiles` bytes for values that pass
/// between stages.
std::optional<Obstacle> checkLimits(const Group &group, std::uint32_t forwarded,
                                    std::uint64_t tiles);

} // namespace kfuse

#endif
