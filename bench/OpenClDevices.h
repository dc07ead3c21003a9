//===- OpenClDevices.h - The devices of OpenCL's loader -------------------===//
#ifndef KFUSE_BENCH_OPENCLDEVICES_H
#define KFUSE_BENCH_OPENCLDEVICES_H

#include "bench/ComputeDevice.h"

namespace kfuse {

/// Returns every device of every platform that the ICD loader finds, in the
/// loader's order.
DeviceList openClDevices();

} // namespace kfuse

#endif
