//===- Effects.h - What a host step does to device storage ----------------===//
//
// One summary for launches and host steps alike, and the order in which they
// stand in the program. Both graphs are built from these two functions.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GRAPHS_PROGRAM_EFFECTS_H
#define KFUSE_GRAPHS_PROGRAM_EFFECTS_H

#include "graphs/program/Program.h"

#include <optional>
#include <vector>

namespace kfuse {

/// A step's possible effects on device storage: at most one for each array, by
/// ascending id.
struct StepEffects {
  std::vector<Effect> effects;
  /// The list is not all: any storage may be read or written.
  bool everything = false;
};

/// Returns the effects of a launch: it reads and writes what its bound accesses
/// say. If the kernel can't be followed to the end, or its arguments have
/// effects, it may touch everything.
StepEffects effectsOf(const Program &program, LaunchId launch);
/// Returns the effects of a step; for a launch step those of its launch.
StepEffects effectsOf(const Program &program, StepId step);

/// Returns the member of K that a step launches, whatever else the statement
/// does; nullopt for every other step.
std::optional<LaunchId> memberOf(const Program &program, StepId step);

/// Returns every step once, in pre-order: a loop, a branch or a call comes
/// before the steps of its nested regions. Functions follow each other as their
/// regions are numbered.
std::vector<StepId> programOrder(const Program &program);

/// Returns the outermost region around `region`. Steps of different roots are
/// in different functions, or in separate analyses of one.
RegionId rootOf(const Program &program, RegionId region);

/// Checks whether the launch is in a function that nothing calls any more, as
/// its statements stand for the calls.
bool isReplaced(const Program &program, LaunchId launch);

/// Returns the step around `region`; nullopt for a function's body.
std::optional<StepId> ownerOf(const Program &program, RegionId region);

} // namespace kfuse

#endif
