//===- Roof.h - The ceilings of a device file -----------------------------===//
#ifndef KFUSE_FUSION_DEVICE_ROOF_H
#define KFUSE_FUSION_DEVICE_ROOF_H

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace kfuse {

/// A ceiling of one part of a device: a level of its memory, a unit of its
/// arithmetic, a transfer, an overhead. Kernels lie under it in a drawing.
struct Roof {
  /// `memory`, `compute`, `latency`, `transfer` or `overhead`.
  std::string kind;
  std::string name;  ///< `DRAM copy`, `fp32 FMA, float4`
  std::string level; ///< of memory and latency: `L1`, `L2`, `DRAM`, `local`
  std::string unit;  ///< of compute: `fp32`, `fp64`, `half`, `int32`, `special`
  double value = 0;
  std::string units;      ///< `B/s`, `op/s` or `s`
  bool isMeasured = true; ///< else what clock and width say
  double spread = 0;      ///< relative half-width; 0 if it isn't known
  std::string method;     ///< one line; may be empty
};

/// Reads the array `roofs` of a device file. Returns what is wrong with it, or
/// an empty text.
std::string readRoofs(std::vector<Roof> &roofs, const nlohmann::json &entry);

/// Checks the object `curves` of a device file, the points that its ceilings
/// were found in. Returns what is wrong with it, or an empty text.
std::string checkCurves(const nlohmann::json &entry);

} // namespace kfuse

#endif
