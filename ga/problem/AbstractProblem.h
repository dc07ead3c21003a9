//===- AbstractProblem.h - A fusion problem without a program -------------===//
//
// All that a search needs to know of a program, and nothing else. It consists
// of kernels with their operations and order, arrays with their bytes, which
// kernels read and write them, and the limits of a group. A plain value that
// goes through JSON, so that searches can be compared on problems of any size
// without sources.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GA_PROBLEM_ABSTRACTPROBLEM_H
#define KFUSE_GA_PROBLEM_ABSTRACTPROBLEM_H

#include "fusion/device/Device.h"
#include "ga/problem/PartitionProblem.h"

#include <string_view>
#include <utility>
#include <variant>

namespace kfuse {

/// A version of an array: written once, by one kernel or before all of them.
struct AbstractArray {
  std::string name;
  double bytes = 0;
  std::uint32_t elementBytes = 4;
  bool kept = false; ///< something outside the kernels reads it
  bool operator==(const AbstractArray &) const = default;
};

struct AbstractRead {
  std::uint32_t array = 0;
  std::uint32_t halo = 0; ///< how far the neighbours are that are read
  bool operator==(const AbstractRead &) const = default;
};

struct AbstractKernel {
  std::string name;
  double flops = 0; ///< of the whole launch
  std::uint32_t registers = 0;
  std::vector<AbstractRead> reads;
  std::vector<std::uint32_t> writes;
  /// Kernels that must run earlier for another reason than a value: they read
  /// or write the storage that this one overwrites.
  std::vector<std::uint32_t> after;
  bool operator==(const AbstractKernel &) const = default;
};

/// Threads of a block in x and y.
struct AbstractTile {
  std::uint32_t x = 0, y = 0;
  bool operator==(const AbstractTile &) const = default;
};

struct AbstractLimits {
  double sharedBytes = 0;      ///< of a block
  std::uint32_t registers = 0; ///< of a thread
  /// The part of a member's registers that the others can't use again.
  double registerShare = 0;
  std::uint32_t halo = 0; ///< accumulated over a group's chains of reads
  bool operator==(const AbstractLimits &) const = default;
};

/// The device's part in a group's cost.
struct AbstractDevice {
  std::string name;
  double launchSeconds = 0, bandwidth = 0, flopRate = 0;
  /// The part of the growth by halos that doesn't come from the cache.
  double haloShare = 0;
  bool operator==(const AbstractDevice &) const = default;
};

struct AbstractProblem {
  static constexpr int Version = 1;
  /// The relations between kernels take the square of this in bits.
  static constexpr std::size_t MostKernels = 16384;

  std::string name;
  AbstractDevice device;
  AbstractLimits limits;
  std::vector<AbstractTile> tiles;
  bool horizontal = false; ///< kernels that share nothing may meet
  std::vector<AbstractArray> arrays;
  /// Each after those that it waits for.
  std::vector<AbstractKernel> kernels;
  /// Pairs that may never meet.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> separated;
  bool operator==(const AbstractProblem &) const = default;
};

/// Returns a problem without kernels, with the device's numbers and the usual
/// tiles.
AbstractProblem emptyProblem(std::string name, const Device &device);

/// Returns for each array the kernel that writes it, or the number of kernels.
std::vector<std::size_t> writersOf(const AbstractProblem &problem);

/// Returns what is wrong with the problem; empty when it can be searched.
std::string validate(const AbstractProblem &problem);

} // namespace kfuse

#endif
