//===- MeasuredLaunches.h - A profile's entries by launch -----------------===//
#ifndef KFUSE_FUSION_COST_MEASUREDLAUNCHES_H
#define KFUSE_FUSION_COST_MEASUREDLAUNCHES_H

#include "fusion/plan/Problem.h"

#include <cstdint>
#include <optional>

namespace kfuse {

/// Returns what was measured of a launch, or of the kernel that it is a part
/// of; nullptr if its kernel never ran. Of several configurations it is the one
/// that the source's numbers allow: constants of the grid, the block and the
/// arguments. If there are more, and as many launches in the source, the first
/// launch is what ran first. Otherwise it is the nearest in threads, or the one
/// that took longest in all.
const MeasuredLaunch *measuredLaunch(const Problem &problem, LaunchId launch);

/// Returns the measured value of Kernel::scalars[scalar], the middle if it
/// varied; nullopt if it isn't known.
std::optional<std::int64_t>
measuredScalar(const Problem &problem, LaunchId launch, std::uint32_t scalar);

/// Returns the measured size of an array that the launch was given, in bytes,
/// the largest if it varied; nullopt if it isn't known.
std::optional<double> measuredBytes(const Problem &problem, LaunchId launch,
                                    ArrayId array);

/// Tells where the number of a launch's threads comes from.
enum class SizeOrigin : std::uint8_t { Source, Measured, Assumed };
SizeOrigin sizeOrigin(const Problem &problem, LaunchId launch);

} // namespace kfuse

#endif
