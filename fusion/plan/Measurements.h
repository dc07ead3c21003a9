//===- Measurements.h - What is known besides the model -------------------===//
//
// The registers that a compiler gives a kernel replace their estimate. Measured
// times of kernels correct the model, whose error for a group is about that of
// its members:
//
//   T(group) = T_model(group) * (sum of measured members)
//                             / (sum of T_model(member))
//
// The gaps between kernels, in which a profiler counts nothing, are left out.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_PLAN_MEASUREMENTS_H
#define KFUSE_FUSION_PLAN_MEASUREMENTS_H

#include "graphs/program/Program.h"
#include "profile/ProfileFile.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kfuse {

/// An instruction that rounds a sum or a product.
struct Arithmetic {
  enum class Kind : std::uint8_t {
    Add,
    Multiply,
    MultiplyAdd ///< rounds once
  };
  Kind kind = Kind::Add;
  std::uint32_t line = 0; ///< of the text
  /// The operand that a MultiplyAdd adds, if the code before it tells: the line
  /// of the product or the sum, rounded by itself; 0 for anything else.
  std::optional<std::uint32_t> added = {};
  std::uint32_t addedAt = 0; ///< of which instruction of the code that is
  /// The line of the Add or MultiplyAdd that computes that operand; 0 if
  /// something else does, or may.
  std::uint32_t addedSum = 0;
  bool operator==(const Arithmetic &) const = default;
};

struct CompiledKernel {
  std::uint32_t registers = 0;    ///< of a thread
  std::uint32_t spilledBytes = 0; ///< stored by a thread for want of registers
  /// Equal for equal instructions and constants; empty when unknown.
  std::string code = {};
  /// In the order of the code, if it was compiled with a table of lines.
  std::vector<Arithmetic> arithmetic = {};
  std::string device = {}; ///< that the code is for, as "sm_90"
  bool operator==(const CompiledKernel &) const = default;
};

/// Kernels by signature: `scale<float>(float*, int)`
/// (frontend/syntax/Signature.h).
using CompiledKernels = std::map<std::string, CompiledKernel>;

/// Which kernels' sums are written as a compiler contracted them.
struct ContractedKernels {
  std::set<std::string> names;
  /// Why its code doesn't tell it of others, by name: `it has the sum of line 7
  /// in two ways`.
  std::map<std::string, std::string> unread;
  std::string compiler; ///< with its release, the device, and its flags
};

/// Measurements by the kernel's name; several if it was launched in several
/// configurations, those that took longest in all first.
using Profile = std::map<std::string, std::vector<MeasuredLaunch>>;

struct Measurements {
  CompiledKernels kernels; ///< the user's
  /// Fused kernels, by their launches, ascending, and a thread's elements.
  std::map<std::pair<std::vector<LaunchId>, std::uint32_t>, CompiledKernel>
      groups;
  Profile measured;
  std::string measuredOn;   ///< the profile's device, if that is known
  std::string measuredFile; ///< the shipped device file for it, likewise
  ContractedKernels contracted;
};

/// Returns the kernel of that signature, else the only one of its name; nullptr
/// if there is none.
const CompiledKernel *compiledAs(const CompiledKernels &kernels,
                                 std::string_view signature);

/// Returns the profile's measurements by kernels.
Profile byKernel(const ProfileFile &file);

/// Returns the measurement of the kernel of that name with about `threads`
/// threads; nullptr if it never ran with so many.
const MeasuredLaunch *measuredAs(const Profile &profile,
                                 const std::string &kernel, double threads);

} // namespace kfuse

#endif
