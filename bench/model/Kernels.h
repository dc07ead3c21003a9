//===- Kernels.h - Kernels under the roofs of a device --------------------===//
#ifndef KFUSE_BENCH_MODEL_KERNELS_H
#define KFUSE_BENCH_MODEL_KERNELS_H

#include "bench/model/Roofline.h"
#include "bench/model/Roofs.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kfuse {

/// One launch of a kernel.
struct RoofKernel {
  std::string name;
  double seconds = 0;            ///< above zero
  double operations = 0;         ///< W
  double bytes = 0;              ///< to and from DRAM
  std::optional<double> l2Bytes; ///< all that pass the L2, where that is known
  double count = 1;              ///< of such launches
  std::string unit;              ///< that it uses; empty if nothing says
  double threads = 0;            ///< of the launch; 0 if that isn't known
  bool isProjected = false;      ///< the time is a model's, not measured
  bool isFused = false;
  /// The fused kernel that it went into: an index into the list.
  std::optional<std::size_t> fusedInto;

  /// Returns W and Q at a level: the L2's bytes at `L2`, else those of DRAM.
  /// Nothing if the bytes of that level aren't known.
  std::optional<Workload> workAt(std::string_view level) const;
};

/// Reads a kernels file, or the JSON that `kfuse --emit=json` prints, whose
/// times are projections. Returns a message if the text is neither.
std::variant<std::vector<RoofKernel>, std::string>
parseKernels(std::string_view json);

/// Sets the median times that a profile has, by name and number of threads.
/// Returns a message if the text is no profile, or else an empty text.
std::string applyProfile(std::string_view json,
                         std::vector<RoofKernel> &kernels);

/// The roof that keeps a kernel from being faster.
struct KernelBound {
  const DeviceRoof *roof = nullptr; ///< null if no byte or operation has one
  double seconds = 0;               ///< the least that the roof allows
  double share = 0;                 ///< of the roof that the kernel reaches

  /// Checks whether the kernel is near enough to the roof for it to be what
  /// holds the kernel back. Else latencies and overheads do.
  bool isNear() const { return roof && share >= 0.5; }
  /// Checks whether the kernel is faster than the roof allows, by more than
  /// measurements differ. Bytes or operations were counted that weren't moved
  /// or done, or the roof is too low.
  bool isAbove() const;
};

/// Returns the roof under which the kernel takes longest: of its bytes at each
/// level where they are known, and of its operations.
KernelBound boundOf(const std::vector<DeviceRoof> &roofs,
                    const RoofKernel &kernel);

} // namespace kfuse

#endif
