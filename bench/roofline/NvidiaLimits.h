//===- NvidiaLimits.h - Limits by compute capability ----------------------===//
//
// After the tables of the CUDA programming guide: what NVIDIA's OpenCL driver
// doesn't tell, and how many operations a multiprocessor starts each clock.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_BENCH_ROOFLINE_NVIDIALIMITS_H
#define KFUSE_BENCH_ROOFLINE_NVIDIALIMITS_H

#include "bench/roofline/DriverLimits.h"

#include <cstdint>
#include <optional>

namespace kfuse {

/// The limits of a multiprocessor of a compute capability.
struct NvidiaMultiprocessor {
  std::uint32_t capability = 0; ///< 90 for 9.0
  std::uint32_t threads = 0, blocks = 0;
  std::uint32_t sharedKibibytes = 0;
  std::uint32_t fp32Lanes = 0, fp64Lanes = 0; ///< multiply-adds a clock
  /// Multiply-adds of integers, and special functions; 0 if it isn't known.
  std::uint32_t int32Lanes = 0, specialLanes = 0;
};

/// Returns what is known of a compute capability.
std::optional<NvidiaMultiprocessor> nvidiaMultiprocessor(std::uint32_t which);

/// Returns the limits with those that are 0 filled in from the table.
DriverLimits completed(DriverLimits limits);

} // namespace kfuse

#endif
