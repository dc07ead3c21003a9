//===- DeviceConstants.h - The numbers of the cost model ------------------===//
#ifndef KFUSE_BENCH_ROOFLINE_DEVICECONSTANTS_H
#define KFUSE_BENCH_ROOFLINE_DEVICECONSTANTS_H

#include "bench/ComputeDevice.h"
#include "bench/roofline/Ceilings.h"
#include "bench/roofline/DriverLimits.h"

#include <optional>
#include <string>
#include <vector>

namespace kfuse {

/// A number of a device file.
struct DeviceConstant {
  std::string key; ///< "bandwidth"
  double value = 0;
  std::string origin; ///< `measured`, `specification` or `derived`
  std::string note;
  std::optional<double> spread = {};
  std::string method = {}; ///< empty if it isn't measured
};

/// Returns all numbers that the cost model needs. Some measurement may be
/// missing: its number is then derived from the others, and the note says so.
/// The ceilings have at least `DRAM copy`; without it there is no number.
std::vector<DeviceConstant> deviceConstants(const ComputeDevice &device,
                                            const DriverLimits &limits,
                                            const Ceilings &ceilings);

/// Returns the ceilings that clocks and widths allow, where the driver tells
/// enough. A processor is taken to start two multiply-adds of vectors a clock,
/// as no driver tells.
std::vector<Roof> theoreticalRoofs(const ComputeDevice &device,
                                   const DriverLimits &limits);

} // namespace kfuse

#endif
