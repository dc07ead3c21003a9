//===- codegen/KernelWriter.h - The fused kernel as a list of stages ------===//
#ifndef KFUSE_CODEGEN_KERNELWRITER_H
#define KFUSE_CODEGEN_KERNELWRITER_H

#include "codegen/FusedParameters.h"
#include "codegen/Helpers.h"
#include "codegen/StageWriter.h"

#include <set>
#include <string>
#include <vector>

namespace kfuse {

/// The grid or block of a member.
struct ShapeArgument {
  std::size_t member = 0;
  bool isBlock = false;
};

/// The text of a fused `__global__` function but for its name.
struct FusedText {
  std::string comment; ///< lines before the function
  std::string type;    ///< `static __global__ void ` and the like
  std::vector<std::string> parameters; ///< as declared
  std::string body;                    ///< `{ ... }`

  /// Up to the closing parenthesis.
  std::string head(const std::string &name) const;
  bool operator==(const FusedText &) const = default;
};

/// A fused `__global__` function and how the host calls it.
struct FusedCode {
  std::string name;
  FusedText text;
  /// For each parameter the member's argument that is passed.
  std::vector<ParameterSource> arguments;
  /// Every member's parameters that a stage still receives.
  std::set<ParameterSource> passed;
  /// Then the grids of these members, and the blocks of some.
  std::vector<ShapeArgument> shapes;
  bool passesGrid = false; ///< then the original grid
  /// What is passed for the zeros, `KfuseZeros<12>{}`, or empty.
  std::string zeros;
  // In OpenCL:
  std::vector<std::string> names; ///< of the parameters, as `arguments`
  std::size_t zeroCount = 0;
  std::string launcher; ///< the host's function that launches it
};

/// All but its name, which functions with one text share.
Result<FusedCode> writeKernel(const Program &program, const FusedKernel &kernel,
                              StageBook &stages, Names &names,
                              Helpers &helpers);

} // namespace kfuse

#endif
