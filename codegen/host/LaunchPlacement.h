//===- LaunchPlacement.h - Where each group's launch goes -----------------===//
#ifndef KFUSE_CODEGEN_HOST_LAUNCHPLACEMENT_H
#define KFUSE_CODEGEN_HOST_LAUNCHPLACEMENT_H

#include "codegen/text/Result.h"
#include "graphs/ExecutionGraph.h"
#include "graphs/program/Program.h"

#include <cstdint>
#include <vector>

namespace kfuse {

/// A step as a place: its region and its index among the region's steps.
struct StepPlace {
  RegionId region{};
  std::size_t step = 0;
  auto operator<=>(const StepPlace &) const = default;
};

/// For each group the step at which it is launched: its last member's, or, when
/// it waits for something that comes later, that.
struct LaunchPlacement {
  std::vector<StepPlace> places;       ///< by group
  std::vector<std::uint32_t> sequence; ///< groups in their new order
};

Result<LaunchPlacement> arrange(const Program &program,
                                const ExecutionGraph &order,
                                const Groups &groups);

/// Returns the place of `step` in the original.
StepPlace placeOf(const Program &program, StepId step);

} // namespace kfuse

#endif
