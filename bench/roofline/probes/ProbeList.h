//===- ProbeList.h - The probes that are run in turns ---------------------===//
#ifndef KFUSE_BENCH_ROOFLINE_PROBES_PROBELIST_H
#define KFUSE_BENCH_ROOFLINE_PROBES_PROBELIST_H

#include "bench/roofline/probes/ProbeDevice.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace kfuse {

/// A point that is measured again and again.
struct Probe {
  std::string series;
  double x = 0;
  std::function<double()> measure; ///< returns one sample
};

/// The device, and for how long its kernels run.
struct ProbeSetup {
  ProbeDevice &device;
  bool isQuick = false;
  double seconds = 0;              ///< that a kernel is to run for
  std::function<bool()> isStopped; ///< whether nothing more is wanted
};

/// Returns the launch that makes so many steps.
using StepsLaunch = std::function<ProbeLaunch(std::int32_t)>;

/// Returns a function for the seconds of one step, on average over a launch.
/// When it is called first, it finds how many steps, of at least `least`, take
/// the time of the setup. `prepare` comes before each launch that counts.
std::function<double()> secondsPerStep(const ProbeSetup &setup,
                                       std::int32_t least,
                                       const StepsLaunch &launch,
                                       const std::function<void()> &prepare);

/// Allocates at least so many bytes of varied numbers of at least 1/32 and
/// below 1/16.
ProbeBuffer variedBuffer(ProbeDevice &device, std::size_t bytes);

/// Returns the bytes of the largest working set.
std::size_t largestSet(const ProbeLimits &limits, bool isQuick);

/// Returns the bytes of each array of the largest copy; 0 if the largest
/// working set does.
std::size_t largeCopy(const ProbeLimits &limits, bool isQuick);

/// Each adds its probes to the list, and allocates what they need.

/// Adds bandwidths over working sets, of several shapes, and of local memory;
/// the driver's own copies and transfers; and arithmetic beside memory.
void addBandwidthProbes(const ProbeSetup &setup, std::vector<Probe> &list);
/// Adds latencies over working sets, and bandwidth over the bytes in flight.
void addLatencyProbes(const ProbeSetup &setup, std::vector<Probe> &list);
/// Adds rates of arithmetic.
void addRateProbes(const ProbeSetup &setup, std::vector<Probe> &list);
/// Adds what launches take.
void addLaunchProbes(const ProbeSetup &setup, std::vector<Probe> &list);

} // namespace kfuse

#endif
