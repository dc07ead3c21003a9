//===- Analysis.h - What a kernel does to global memory -------------------===//
//
// Symbolic execution of one `__global__` function: its parameters, its accesses
// to global memory with index and guard in the kernel's own symbols, its loops,
// and every feature that limits what may be done with it.
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
/// `Kernel::scalars` and `Kernel::pointers` list, in parameter order, every
/// integer (or boolean, enumeration) and every pointer parameter, then for a
/// parameter of class type its such members in declaration order, bases and
/// arrays left out, by path (`.size.x`); device variables follow, in order of
/// first use.
Kernel analyseKernel(KernelContext &context, const clang::FunctionDecl &kernel);

} // namespace kfuse

#endif
