//===- Mergeable.h - Groups that may become one body ----------------------===//
#ifndef KFUSE_CODEGEN_BODY_MERGEABLE_H
#define KFUSE_CODEGEN_BODY_MERGEABLE_H

#include "codegen/builder/FusedKernelBuilder.h"

namespace kfuse {

/// Whether the group's members may stand in one body, by what the plan and
/// their analyses say; their texts may yet have something against it.
bool isMergeable(const FusedKernelBuilder &builder);

/// Checks whether a later member multiplies something that is constant if the
/// guard of an earlier one fails.
bool hasFactors(const FusedKernelBuilder &builder);

} // namespace kfuse

#endif
