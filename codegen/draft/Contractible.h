//===- Contractible.h - Sums of members that stand side by side -----------===//
//
// Compilers contract a sum with a product that nothing else uses. Where the
// statements of several kernels stand in one function the compiler may find
// that two of their products are one, or that the product to be added was
// computed by another kernel. Where one thread runs a kernel several times, for
// elements of its own or for cells of a halo, it may find that two of these
// have one product. What follows says when it can't.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CODEGEN_DRAFT_CONTRACTIBLE_H
#define KFUSE_CODEGEN_DRAFT_CONTRACTIBLE_H

#include "codegen/stage/ForwardedArrays.h"
#include "fusion/plan/Plan.h"
#include "graphs/program/Program.h"

#include <vector>

namespace kfuse {

/// By member, whether a sum of it may take a product that another member has
/// too, or another element of the thread: then what the member gets is set
/// apart from what others do, and sums of the others are contracted as in their
/// own kernels, if forwarded values are written as `roundingInStage` says.
std::vector<bool> meetingMembers(const Program &program,
                                 const FusedKernel &kernel,
                                 const std::vector<Forward> &forwards);

} // namespace kfuse

#endif
