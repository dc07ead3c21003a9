//===- IsolatedParameters.h - Scalars that part products ------------------===//
#ifndef KFUSE_CODEGEN_BUILDER_ISOLATEDPARAMETERS_H
#define KFUSE_CODEGEN_BUILDER_ISOLATEDPARAMETERS_H

#include "codegen/stage/ForwardedArrays.h"
#include "fusion/plan/Plan.h"
#include "graphs/program/Program.h"

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

namespace kfuse {

/// Returns by member the scalar parameters to set apart besides what members
/// that meet others (Contractible.h) take of them, so that all their products
/// are computed for them alone; nullopt if that isn't enough.
std::optional<std::vector<std::set<std::size_t>>>
isolatedParameters(const Program &program, const FusedKernel &kernel,
                   const std::vector<ForwardedArray> &forwards,
                   const std::vector<bool> &hasCommonProducts);

} // namespace kfuse

#endif
