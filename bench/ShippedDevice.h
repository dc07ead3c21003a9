//===- ShippedDevice.h - The device file that suits a device --------------===//
#ifndef KFUSE_BENCH_SHIPPEDDEVICE_H
#define KFUSE_BENCH_SHIPPEDDEVICE_H

#include "bench/ComputeDevice.h"

#include <string>
#include <vector>

namespace kfuse {

/// Returns the name of the shipped device file for the device: `pocl` for
/// processors under PoCL, `h200` or `h200-opencl` for an H200; empty if none
/// suits.
std::string shippedDeviceOf(const ComputeDevice &device);

/// Returns the file that suits all devices of the interface; empty if there is
/// none, or several do.
std::string shippedDeviceOf(const std::vector<ComputeDevice> &devices,
                            Interface interface);

/// Returns the file for the device that a driver calls `name`.
std::string shippedDeviceOf(const std::vector<ComputeDevice> &devices,
                            Interface interface, const std::string &name);

} // namespace kfuse

#endif
