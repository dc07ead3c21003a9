//===- FusedLaunches.h - Which fused kernels ran --------------------------===//
#ifndef KFUSE_DRIVER_FUSEDLAUNCHES_H
#define KFUSE_DRIVER_FUSEDLAUNCHES_H

#include "driver/pipeline/Compilation.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kfuse {

/// A launch of a fused kernel in the output, and how often it came about.
struct FusedLaunch {
  std::string kernel;
  std::string what;                 ///< `'kfuse_a_b' of 'a' and 'b'`
  std::string place;                ///< `p.cu:9:3`, of the last member
  std::vector<SourceRange> members; ///< the launches in the input
  std::string test;  ///< at run time, as text; empty if there is none
  unsigned line = 0; ///< in the output; 0 if only the name counts
  /// Lines of what runs if the test is false.
  unsigned otherwiseFirst = 0, otherwiseLast = 0;
  std::vector<ArrayId> unstored; ///< that its members store and it doesn't
  std::uint64_t fused = 0;       ///< times that the fused kernel ran
  std::uint64_t apart = 0;       ///< times that its members ran instead
};

/// Returns whether the test never held: the members ran, and always as separate
/// kernels.
inline bool neverHeld(const FusedLaunch &launch) {
  return launch.fused == 0 && launch.apart != 0;
}
/// Returns whether neither the fused kernel nor its members ran.
inline bool neverCame(const FusedLaunch &launch) {
  return launch.fused == 0 && launch.apart == 0;
}

/// Returns whether each of the members ran in another launch of `all`: the
/// launches in a wrapper may all have become launches of its callers.
bool ranElsewhere(const FusedLaunch &launch,
                  const std::vector<FusedLaunch> &all);

/// Returns the launches of all fused kernels, in the order of their last
/// members in the input.
std::vector<FusedLaunch> fusedLaunches(const Compilation &compilation);

/// Adds what a run of the fused program counted: `COUNT LINE KERNEL` a line.
void addCounts(std::vector<FusedLaunch> &launches, std::string_view counted);

} // namespace kfuse

#endif
