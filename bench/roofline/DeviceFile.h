//===- DeviceFile.h - A measured device as a device file ------------------===//
#ifndef KFUSE_BENCH_ROOFLINE_DEVICEFILE_H
#define KFUSE_BENCH_ROOFLINE_DEVICEFILE_H

#include "bench/ComputeDevice.h"
#include "bench/roofline/Ceilings.h"
#include "bench/roofline/DriverLimits.h"

#include <string>

namespace kfuse {

/// A device, and all that is known of it.
struct MeasuredDevice {
  ComputeDevice device;
  DriverLimits limits;
  Ceilings ceilings;
  std::string date; ///< "2026-01-31"
};

/// The text of a device file, or why kfuse wouldn't take it.
struct DeviceFileText {
  std::string json;
  std::string error; ///< empty on success
};

/// Returns the file that `kfuse --device=` reads (docs/reference.md).
DeviceFileText deviceFile(const MeasuredDevice &measured);

} // namespace kfuse

#endif
