//===- IsolatedParameters.h - Scalars that keep products apart ------------===//
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

/// Returns by member the scalar parameters to isolate in members with common
/// products (Contractible.h). With the forwarded values, which are isolated
/// anyway, all products of such a member are then computed for it alone.
/// Returns nullopt if that isn't enough.
std::optional<std::vector<std::set<std::size_t>>>
isolatedParameters(const Program &program, const FusedKernel &kernel,
                   const std::vector<ForwardedArray> &forwards,
                   const std::vector<bool> &hasCommonProducts);

} // namespace kfuse

#endif
