//===- LaunchBounds.h - What compilers are told of blocks -----------------===//
#ifndef KFUSE_CODEGEN_KERNEL_LAUNCHBOUNDS_H
#define KFUSE_CODEGEN_KERNEL_LAUNCHBOUNDS_H

#include "codegen/builder/FusedKernelBuilder.h"

#include <string>

namespace kfuse {

/// Returns launch bounds, so that the compiler knows of large blocks: the
/// registers must suffice for all threads, as they did for the members alone.
std::string launchBounds(const FusedKernelBuilder &builder);

/// Returns the size of work-groups that members require in OpenCL, so that a
/// launch of others still fails.
std::string requiredBlock(const FusedKernelBuilder &builder);

} // namespace kfuse

#endif
