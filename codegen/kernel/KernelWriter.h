//===- KernelWriter.h - The fused kernel as a list of stages --------------===//
#ifndef KFUSE_CODEGEN_KERNEL_KERNELWRITER_H
#define KFUSE_CODEGEN_KERNEL_KERNELWRITER_H

#include "codegen/builder/FusedParameters.h"
#include "codegen/stage/StageWriter.h"
#include "codegen/text/Helpers.h"

#include <set>
#include <string>
#include <vector>

namespace kfuse {

/// The grid or block of a member.
struct ShapeArgument {
  std::size_t member = 0;
  bool isBlock = false;
};

/// The text of a fused `__global__` function except its name.
struct FusedText {
  std::string comment; ///< lines before the function
  std::string type;    ///< `static __global__ void ` and the like
  std::vector<std::string> parameters; ///< as declared
  std::string body;                    ///< `{ ... }`
  /// The body with numbers for the names of forwarded values, which are those
  /// of the host's arrays.
  std::string key;

  /// Returns the function's text up to the parameters' closing parenthesis.
  std::string head(const std::string &name) const;
  /// Checks whether both compute the same from the same parameters.
  bool operator==(const FusedText &other) const {
    return type == other.type && parameters == other.parameters &&
           key == other.key;
  }
};

/// A fused `__global__` function and how the host calls it.
struct FusedCode {
  std::string name;
  std::string scope; ///< `::fx::` before the name in a launch, or empty
  FusedText text;
  /// For each parameter the member's argument that is passed.
  std::vector<ParameterSource> arguments;
  /// Every member's parameters that a stage still receives.
  std::set<ParameterSource> passed;
  /// Then the grids of these members, and the blocks of some.
  std::vector<ShapeArgument> shapes;
  bool passesGrid = false; ///< then the original grid
  /// The argument for the zeros, `KfuseZeros<12>{}`, or empty.
  std::string opaqueZeros;
  // In OpenCL:
  std::vector<std::string> names; ///< of the parameters, as `arguments`
  std::size_t zeroCount = 0;
  std::string launcher;         ///< the host's function that launches it
  std::set<LaunchId> isolating; ///< GenerateResult::isolating
  /// Its body has the members' statements, and no stages.
  bool isMerged = false;
};

/// Writes everything except the kernel's name, which functions with the same
/// text share. `mayMerge` says that names mean the same at the kernel's place
/// as in all of its members.
Result<FusedCode> writeKernel(const Program &program, const FusedKernel &kernel,
                              StageCache &stages, Names &names,
                              Helpers &helpers, bool mayMerge);

} // namespace kfuse

#endif
