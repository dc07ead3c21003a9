//===- frontend/MemoryKernels.h - cudaMemset as a kernel ------------------===//
//
// A memset beside a launch is a kernel like any other: it can be the first
// stage of a fused one. It is written as a launch of a kernel that does the
// same; where no fusion takes it up, it is put back.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_MEMORYKERNELS_H
#define KFUSE_FRONTEND_MEMORYKERNELS_H

#include "frontend/Rewriting.h"

namespace kfuse {

/// Sets of whole elements: to zero, or of single bytes to any value.
RewrittenText launchSets(const SourceUnit &unit);

} // namespace kfuse

#endif
