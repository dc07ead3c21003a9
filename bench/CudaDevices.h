//===- CudaDevices.h - The devices of CUDA's driver -----------------------===//
#ifndef KFUSE_BENCH_CUDADEVICES_H
#define KFUSE_BENCH_CUDADEVICES_H

#include "bench/ComputeDevice.h"

#include <cstdint>

namespace kfuse {

/// Returns the devices of CUDA's driver, which is loaded when this is called:
/// no toolkit is needed, and a machine without the driver has none. Their
/// platform gets the number `platform`.
DeviceList cudaDevices(std::uint32_t platform);

} // namespace kfuse

#endif
