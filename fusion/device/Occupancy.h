//===- Occupancy.h - Threads that a multiprocessor holds ------------------===//
#ifndef KFUSE_FUSION_DEVICE_OCCUPANCY_H
#define KFUSE_FUSION_DEVICE_OCCUPANCY_H

#include "fusion/device/Device.h"

#include <cstdint>

namespace kfuse {

/// The resources that a block of a kernel takes.
struct BlockResources {
  double threads = 0;
  std::uint32_t registersPerThread = 0;
  std::uint64_t sharedBytes = 0;
};

/// Returns the number of blocks that are resident on one multiprocessor, which
/// is 0 if none fits.
double residentBlocks(const Device &device, const BlockResources &block);

/// Returns the resident threads as a share of the most there can be, from 0 to
/// 1.
double occupancyOf(const Device &device, const BlockResources &block);

/// Returns the share of the memory's bandwidth that `bytesInFlight` can use,
/// after Little's law (bandwidth = bytes in flight / latency), softened near
/// the knee.
double usableBandwidth(const Device &device, double bytesInFlight);

} // namespace kfuse

#endif
