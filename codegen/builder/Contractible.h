//===- Contractible.h - Sums of members that stand side by side -----------===//
//
// Compilers contract a sum with a product that nothing else uses. If the
// statements of several kernels stand in one function, the compiler may find
// that two of their products are one. It may also find that the product to be
// added was computed by another kernel. If one thread runs a kernel several
// times, for elements of its own or for cells of a halo, the compiler may find
// that two of these have one product. This file decides when it can't.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CODEGEN_BUILDER_CONTRACTIBLE_H
#define KFUSE_CODEGEN_BUILDER_CONTRACTIBLE_H

#include "codegen/stage/ForwardedArrays.h"
#include "fusion/plan/Plan.h"
#include "graphs/program/Program.h"

#include <vector>

namespace kfuse {

/// Returns for each member whether one of its sums may take a product that
/// another member, or another element of the thread, has too. The values that
/// such a member gets are isolated, so that the compiler can't share what it
/// computes from them. The others' sums are then contracted as in their own
/// kernels, if forwarded values are written as `roundingInStage` says.
std::vector<bool>
membersWithCommonProducts(const Program &program, const FusedKernel &kernel,
                          const std::vector<ForwardedArray> &forwards);

} // namespace kfuse

#endif
