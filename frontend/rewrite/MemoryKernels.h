//===- MemoryKernels.h - Memory calls as kernels --------------------------===//
//
// A memset or a copy within the device, beside a launch, is a kernel like any
// other: it can be a stage of a fused one. It is written as a launch of a
// kernel that does the same; if no fusion takes it up, it is put back.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_MEMORYKERNELS_H
#define KFUSE_FRONTEND_REWRITE_MEMORYKERNELS_H

#include "frontend/rewrite/Rewriting.h"

namespace kfuse {

/// Writes launches for copies of whole elements, sets of them to zero, and sets
/// of single bytes to any value, except for the statements `kept`.
RewrittenText launchMemoryCalls(const SourceUnit &unit,
                                const std::vector<SourceRange> &kept);

} // namespace kfuse

#endif
