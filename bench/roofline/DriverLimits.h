//===- DriverLimits.h - What a driver tells of a device's insides ---------===//
#ifndef KFUSE_BENCH_ROOFLINE_DRIVERLIMITS_H
#define KFUSE_BENCH_ROOFLINE_DRIVERLIMITS_H

#include <cstdint>

namespace kfuse {

/// Limits and clocks that a list of devices doesn't show. One that the driver
/// doesn't tell is 0.
struct DriverLimits {
  std::uint32_t lineBytes = 0;         ///< a line of the cache
  std::uint32_t computeCapability = 0; ///< 90 for NVIDIA's 9.0
  std::uint32_t clockKilohertz = 0;    ///< of the multiprocessors, at most
  std::uint32_t memoryKilohertz = 0;   ///< two transfers each
  std::uint32_t memoryBusBits = 0;
  std::uint32_t vectorFloats = 0, vectorDoubles = 0; ///< of a processor
  std::uint32_t threadsPerMultiprocessor = 0;
  std::uint32_t blocksPerMultiprocessor = 0;
  std::uint32_t registersPerMultiprocessor = 0;
  std::uint64_t sharedPerMultiprocessor = 0; ///< bytes
  std::uint32_t sharedReservedPerBlock = 0;  ///< bytes
};

} // namespace kfuse

#endif
