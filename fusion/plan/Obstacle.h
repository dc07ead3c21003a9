//===- Obstacle.h - Why launches can't be one kernel ----------------------===//
#ifndef KFUSE_FUSION_PLAN_OBSTACLE_H
#define KFUSE_FUSION_PLAN_OBSTACLE_H

#include "graphs/program/Program.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kfuse {

/// Why launches can't be one kernel. Each has a stable name (obstacleName) that
/// remarks and the manual use.
enum class ObstacleKind : std::uint8_t {
  NoSharedArrays,  ///< they share nothing that fusing could save
  NotConvex,       ///< something that isn't a member runs between
  CyclicGroups,    ///< the groups would wait for each other
  DifferentRegion, ///< different branch, loop, function
  HostDependence,  ///< a host step between depends on a member
  TimingCode,      ///< timing code between; --ignore-timing
  DifferentStream,
  DifferentShape,            ///< grids or blocks differ, or can't be compared
  CrossThreadFlow,           ///< a thread reads what another thread wrote
  CrossThreadAntiDependence, ///< write-after-read or -write by another thread
  NotInjective,              ///< several threads write one element
  NonPolynomialIndex,        ///< an index is not a polynomial
  AmbiguousContraction, ///< the compiler may contract sums otherwise when fused
  GuardMismatch,        ///< read where the producer's guard doesn't hold
  NotForwardable,       ///< a value must pass in a register and can't
  AtomicConflict,
  MayAlias,             ///< and no run-time test can tell
  PointerMayChange,     ///< between the launches that get it
  RequiresRuntimeCheck, ///< under --no-runtime-checks
  NeverHolds,           ///< what the host would have to test is always false
  KernelUnsupported,    ///< a KernelFeature; the detail names it
  KernelNotVisible,
  BarrierMismatch, ///< a barrier that not all threads would reach
  DynamicShared,   ///< two members use dynamic shared memory
  SharedMemoryLimit,
  RegisterLimit,
  ThreadLimit,
  TooManyLaunches,   ///< for one kernel, or for all pairs to be told of
  TooLong,           ///< to be read as one kernel; --max-statements
  LaunchNotEditable, ///< in a macro, a shared template, ...
  CopyNotSwappable,  ///< a copy that no swap of pointers can replace
  NoGain,            ///< the model projects no gain
};
/// Returns `CrossThreadFlow`, as in remarks and the manual.
const char *obstacleName(ObstacleKind kind);
/// Returns every kind, for the manual's test.
const std::vector<ObstacleKind> &allObstacleKinds();

/// A place that a message points at.
struct ObstacleNote {
  SourceRange range;
  std::string text;
};

struct Obstacle {
  ObstacleKind kind{};
  LaunchId first{}, second{}; ///< the pair it was found between
  ArrayId array = noneOf<ArrayId>();
  std::string text;   ///< one sentence, in the user's names
  std::string remedy; ///< what change of the program or option would enable it
  std::vector<ObstacleNote> notes;
  /// Names the one thing that is in the way of this pair and others: equal for
  /// all of them. It is the text if empty.
  std::string cause = {};
};

/// Returns the obstacle of a kind that keeps two launches from being fused.
Obstacle obstacleBetween(ObstacleKind kind, LaunchId first, LaunchId second,
                         std::string text, std::string remedy);

} // namespace kfuse

#endif
