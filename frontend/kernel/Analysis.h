//===- Analysis.h - What a kernel does to global memory -------------------===//
//
// Symbolic execution of one `__global__` function. It finds the parameters, the
// loops, and the accesses to global memory, with index and guard in the
// kernel's own symbols. It also finds every feature that limits what may be
// done with the kernel.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_KERNEL_ANALYSIS_H
#define KFUSE_FRONTEND_KERNEL_ANALYSIS_H

#include "frontend/kernel/Context.h"

namespace clang {
class FunctionDecl;
} // namespace clang

namespace kfuse {

/// Analyses a concrete kernel (never a dependent template pattern). A kernel
/// without a visible body comes back with its parameters and `analysed` false.
///
/// `Kernel::scalars` and `Kernel::pointers` list every integer (or boolean,
/// enumeration) and every pointer parameter, in parameter order. A parameter of
/// class type adds its members of these types in declaration order, by path
/// (`.size.x`), bases and arrays left out. Device variables follow, in order of
/// first use.
Kernel analyseKernel(KernelContext &context, const clang::FunctionDecl &kernel);

} // namespace kfuse

#endif
