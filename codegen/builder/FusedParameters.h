//===- FusedParameters.h - What a fused kernel receives -------------------===//
#ifndef KFUSE_CODEGEN_BUILDER_FUSEDPARAMETERS_H
#define KFUSE_CODEGEN_BUILDER_FUSEDPARAMETERS_H

#include "codegen/stage/StageWriter.h"
#include "codegen/text/Names.h"
#include "fusion/plan/Plan.h"

#include <set>
#include <string>
#include <vector>

namespace kfuse {

/// Parameter `parameter` of the kernel of member `member`.
struct ParameterSource {
  std::size_t member = 0, parameter = 0;
  auto operator<=>(const ParameterSource &) const = default;
};

/// One parameter of the fused kernel: equal values of several members are one.
struct FusedParameter {
  std::string type; ///< without `__restrict__`
  std::string name;
  std::vector<ParameterSource> sources;
  /// The source whose argument is passed: its type converts to `type`.
  ParameterSource representative;
  bool isRestrict = false;
};

/// Scalar `scalar` of the kernel of member `member`.
struct ScalarSource {
  std::size_t member = 0, scalar = 0;
};

/// Checks whether both scalars have one value whenever the fused kernel runs.
bool haveOneValue(const Program &program, const FusedKernel &kernel,
                  ScalarSource one, ScalarSource other);
/// Checks the same of parameters, which must be scalars.
bool haveOneValue(const Program &program, const FusedKernel &kernel,
                  ParameterSource one, ParameterSource other);

/// Returns the parameters that the stages (one for each member) need, and adds
/// their names to `taken`. A member that has products in common with others
/// (Contractible.h) keeps floating-point parameters of its own: compilers can't
/// find that these are equal.
std::vector<FusedParameter>
fusedParameters(const Program &program, const FusedKernel &kernel,
                const std::vector<StageCall> &stages,
                const std::vector<bool> &hasCommonProducts, const Names &names,
                std::set<std::string> &taken);

} // namespace kfuse

#endif
