//===- OpenClProbeDevice.h - Probes on an OpenCL device -------------------===//
#ifndef KFUSE_BENCH_ROOFLINE_OPENCLPROBEDEVICE_H
#define KFUSE_BENCH_ROOFLINE_OPENCLPROBEDEVICE_H

#include "bench/ComputeDevice.h"
#include "bench/roofline/DriverLimits.h"
#include "bench/roofline/probes/ProbeDevice.h"

#include <memory>

namespace kfuse {

/// Opens the device and builds the kernels; what fails is the result's
/// `error()`.
std::unique_ptr<ProbeDevice> openClProbeDevice(const ComputeDevice &device);

/// Returns what the driver tells of the device beyond its description.
DriverLimits openClLimits(const ComputeDevice &device);

} // namespace kfuse

#endif
