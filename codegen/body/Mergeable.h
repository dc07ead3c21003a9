//===- Mergeable.h - Groups that may become one body ----------------------===//
#ifndef KFUSE_CODEGEN_BODY_MERGEABLE_H
#define KFUSE_CODEGEN_BODY_MERGEABLE_H

#include "codegen/builder/FusedKernelBuilder.h"

#include <cstddef>
#include <set>

namespace kfuse {

/// Checks by the plan and the kernels' analyses whether the members' statements
/// may stand in one body. Their texts may still prevent it.
bool isMergeable(const FusedKernelBuilder &builder);

/// Checks whether a later member multiplies something that is constant if the
/// guard of an earlier one fails. The values of forwards in `defined` are none.
bool hasFactors(const FusedKernelBuilder &builder,
                const std::set<std::size_t> &defined);

} // namespace kfuse

#endif
