//===- CostModel.h - What a kernel takes ----------------------------------===//
//
//   seconds = launch + max(starts, memory, L2, L1, flops)
//                    + a part of the others + issue.
//   Of the L2's time only that of its own bytes is among the others.
//
//   launch   from one launch to the next, when nothing else takes time.
//   starts   a multiprocessor starts its blocks one by one.
//   memory   bytes to and from DRAM / (bandwidth * share).
//   L2       all bytes that pass the L2 / (its bandwidth * share).
//   L1       bytes that threads load / the rate of an L1 or shared memory.
//   flops    the longest of each unit's operations / their rate.
//   part     the device's overlapLoss.
//   issue    two operations' time for each other instruction, more if there
//            are fewer blocks than multiprocessors.
//
// `share` is what the bytes in flight can use of a bandwidth, after Little's
// law. The bytes in flight are what a thread moves between two waits, times the
// threads that are resident at once. This is how occupancy enters. With x times
// as many bytes in flight as bandwidth * latency, the share is
// x / (1 + x^knee)^(1/knee).
//
// All rates and limits come from the device file. A kernel of the program and a
// fused one are costed alike, so that both sides of the profit constraint carry
// the same errors. docs/measurements.md has what the errors are.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_DEVICE_COSTMODEL_H
#define KFUSE_FUSION_DEVICE_COSTMODEL_H

#include "fusion/device/Device.h"
#include "graphs/units/Operations.h"

#include <array>
#include <cstdint>
#include <set>
#include <string>

namespace kfuse {

/// The demands of one launch of a kernel on a device.
struct KernelWork {
  double threads = 0; ///< as the program launches them
  double threadsPerBlock = 1;
  double elementsPerThread = 1;   ///< threads of the program that one does
  std::uint32_t registers = 0;    ///< of a thread
  std::uint32_t spilledBytes = 0; ///< of a thread, if that is known
  std::uint64_t sharedBytes = 0;
  double bytesRead = 0, bytesWritten = 0; ///< what leaves the threads
  /// The part of `bytesRead` that the kernel had read before it stored there.
  double bytesReadAgain = 0;
  double memoryBytes = 0; ///< to and from DRAM, write-allocate included
  double l2Bytes = 0;     ///< served by the L2 alone
  double loadedBytes = 0; ///< what all threads load, elements again and again
  double waits = 1;       ///< of a thread for memory, one after another
  Operations operations;
  double instructions = 0; ///< beside the operations, of all threads
};

enum class CostTerm : std::uint8_t {
  Launch,
  Starts,
  Memory,
  L2,
  L1,
  Flops,
  Issue
};
inline constexpr std::size_t CostTermCount = 7;
/// Returns the term's name in options and explanations, such as `memory`.
const char *costTermName(CostTerm term);

/// The model's costs of the work. Times are projections, never measurements.
struct KernelCost {
  std::array<double, CostTermCount> terms{}; ///< seconds of each by itself
  double seconds = 0;
  double occupancy = 0;      ///< resident threads over the most there can be
  double bandwidthShare = 0; ///< that the bytes in flight can use
  std::string bound;         ///< a term's name, `bandwidth` or `latency`

  double of(CostTerm term) const {
    return terms[static_cast<std::size_t>(term)];
  }
};

/// Returns the unit whose operations take the longest.
ArithmeticUnit busiestUnit(const Device &device, const Operations &operations);

/// Returns the seconds that the busiest unit takes.
double arithmeticSeconds(const Device &device, const Operations &operations);

/// Returns the model's cost of the work. The terms in `without` count as
/// nothing.
KernelCost costOf(const Device &device, const KernelWork &work,
                  const std::set<CostTerm> &without = {});

} // namespace kfuse

#endif
