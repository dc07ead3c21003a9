//===- Comment.h - What stands above a fused kernel -----------------------===//
#ifndef KFUSE_CODEGEN_KERNEL_COMMENT_H
#define KFUSE_CODEGEN_KERNEL_COMMENT_H

#include "codegen/builder/FusedKernelBuilder.h"

#include <string>

namespace kfuse {

/// Writes the comment that says which kernels the fused one replaces, and how
/// the arrays pass.
std::string kernelComment(const FusedKernelBuilder &builder, bool isMerged);

} // namespace kfuse

#endif
