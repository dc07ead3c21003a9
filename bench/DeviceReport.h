//===- DeviceReport.h - Devices as text -----------------------------------===//
#ifndef KFUSE_BENCH_DEVICEREPORT_H
#define KFUSE_BENCH_DEVICEREPORT_H

#include "bench/ComputeDevice.h"

#include <string>
#include <vector>

namespace kfuse {

/// Returns a line for each platform, and two for each of its devices: what it
/// is, and its limits. The numbers before the names choose them (-p, -d).
std::string deviceText(const std::vector<ComputeDevice> &devices);

/// Returns a JSON array with an object for each device; sizes are bytes.
std::string deviceJson(const std::vector<ComputeDevice> &devices);

} // namespace kfuse

#endif
