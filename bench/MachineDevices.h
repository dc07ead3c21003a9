//===- MachineDevices.h - The devices of this machine ---------------------===//
#ifndef KFUSE_BENCH_MACHINEDEVICES_H
#define KFUSE_BENCH_MACHINEDEVICES_H

#include "bench/ComputeDevice.h"

namespace kfuse {

/// Returns OpenCL's devices and then CUDA's.
DeviceList machineDevices();

} // namespace kfuse

#endif
