//===- Comment.h - What stands above a fused kernel -----------------------===//
#ifndef KFUSE_CODEGEN_KERNEL_COMMENT_H
#define KFUSE_CODEGEN_KERNEL_COMMENT_H

#include "codegen/builder/FusedKernelBuilder.h"

#include <string>

namespace kfuse {

/// Says which kernels the fused one stands for, and what became of the arrays.
std::string kernelComment(const FusedKernelBuilder &builder, bool isMerged);

} // namespace kfuse

#endif
