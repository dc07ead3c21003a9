//===- Traffic.h - What one launch moves to and from memory ---------------===//
//
// The bytes that a launch asks of each array, from the index polynomials of its
// accesses: elements that several threads or several accesses touch count once.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_COST_TRAFFIC_H
#define KFUSE_FUSION_COST_TRAFFIC_H

#include "fusion/plan/Problem.h"

#include <vector>

namespace kfuse {

struct ArrayTraffic {
  ArrayId array{};
  double bytesRead = 0;
  double bytesWritten = 0;
  double bytesLoaded = 0; ///< by all threads, the same element again and again
};

struct LaunchTraffic {
  double threads = 0;         ///< of the whole launch
  double threadsPerBlock = 0; ///< of its block
  double elements = 0; ///< logical threads: the domain of a grid-stride loop
  /// How often a thread waits for memory, one time after another, for each of
  /// its elements.
  double waits = 0;
  std::vector<ArrayTraffic> arrays; ///< by ascending id
};

LaunchTraffic trafficOf(const Problem &problem, LaunchId launch);
/// Returns what trafficOf() does, computed once for each launch.
const LaunchTraffic &knownTraffic(const Problem &problem, LaunchId launch);

} // namespace kfuse

#endif
