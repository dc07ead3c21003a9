//===- GroupChecks.h - What launches must be to become one kernel ---------===//
#ifndef KFUSE_FUSION_GROUP_GROUPCHECKS_H
#define KFUSE_FUSION_GROUP_GROUPCHECKS_H

#include "fusion/group/Group.h"

#include <optional>
#include <vector>

namespace kfuse {

/// The pair with every launch that lies between two of its members, as far as
/// only launches lie there, or so many of them that they are too many.
std::vector<LaunchId> closure(const Problem &problem, LaunchId first,
                              LaunchId second);

/// No more than MostMembers, and no more statements than people read.
std::optional<Obstacle> checkSize(const Problem &problem,
                                  const std::vector<LaunchId> &group);

/// Kernels that can be stages: visible, analysed, of copyable text, without
/// features that fusing would change.
std::optional<Obstacle> checkKernels(const Problem &problem,
                                     const std::vector<LaunchId> &group);

/// Launches that can become one: of one region and stream, editable, with
/// nothing between that must stay between.
std::optional<Obstacle> checkLaunches(const Problem &problem,
                                      const std::vector<LaunchId> &group);

/// Launches worth fusing: joined by shared arrays, or (when `horizontal`) with
/// nothing in common at all; then `isHorizontal` is set.
std::optional<Obstacle> checkKinship(const Problem &problem,
                                     const std::vector<LaunchId> &group,
                                     bool &isHorizontal);

/// Of a block of the launch, where the program says it.
std::optional<std::uint64_t> constantThreads(const Launch &launch);

/// Shared memory, threads and registers within the device's limits, with
/// `forwarded` registers and `tiles` bytes for values that pass between stages.
std::optional<Obstacle> checkLimits(const Group &group, std::uint32_t forwarded,
                                    std::uint64_t tiles);

/// The `__device__` and `__constant__` variables from which the kernel loads
/// floating-point values.
std::vector<ArrayId> floatingGlobals(const Kernel &kernel);

} // namespace kfuse

#endif
