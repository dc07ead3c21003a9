//===- Probes.h - Micro-benchmarks of a device ----------------------------===//
//
// All micro-benchmarks, for OpenCL and CUDA alike. Each finds how many steps
// its kernel takes for a time that a clock can tell, which also warms up. Then
// they are measured one after the other, again and again, so that whatever
// slows the device for a while slows a sample of each and not all of one.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_BENCH_ROOFLINE_PROBES_PROBES_H
#define KFUSE_BENCH_ROOFLINE_PROBES_PROBES_H

#include "bench/roofline/probes/ProbeDevice.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace kfuse {

/// A point of a curve: where it is, and what was measured there.
struct RawPoint {
  double x = 0;
  std::vector<double> samples;
};

/// Measurements as they come from the device. The series are:
///
///   read, write, copy,         bytes/s over the bytes of all arrays together.
///   triad
///   shape-read, ...            the same of one large set; x numbers shapes.
///   driver-copy                bytes/s read and written over bytes copied.
///   in-flight                  bytes/s over the bytes that are asked for and
///                              not there yet.
///   latency                    seconds of a load over the bytes of the set.
///   local                      bytes/s of local memory.
///   <kernel of a rate>         operations/s (rateProbes).
///   to-device-pageable, ...    bytes/s over the bytes transferred.
///   empty, gap, round-trip     seconds.
///   besides-work               seconds of a kernel in a full queue beyond
///   those
///                              that its work takes.
///   blocks                     seconds over the groups of a compute unit.
///   overlap                    seconds: of memory at 0, of arithmetic at 1, of
///                              both at 2.
struct RawMeasurements {
  std::map<std::string, std::vector<RawPoint>> series; ///< by ascending x
  std::size_t passes = 0; ///< samples of each point
  std::string error;      ///< why there are none; else empty
};

/// A rate of arithmetic, and the kernel that measures it.
struct RateProbe {
  const char *kernel;
  const char *name;  ///< "fp32 FMA, float4"
  const char *unit;  ///< "fp32"
  double operations; ///< of one step of one chain
};
const std::vector<RateProbe> &rateProbes();

struct ProbePlan {
  double seconds = 60;  ///< that measuring may take, after the least passes
  bool isQuick = false; ///< few points and short kernels, to try it out
};

/// Runs all probes that the device has kernels for. `progress` gets the part
/// that is done, from 0 to 1.
RawMeasurements runProbes(ProbeDevice &device, const ProbePlan &plan,
                          const std::function<bool()> &isStopped,
                          const std::function<void(double)> &progress);

} // namespace kfuse

#endif
