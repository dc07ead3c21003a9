//===- LaunchCalls.h - Calls of the runtime that launch -------------------===//
//
// `cudaLaunchKernel(kernel, grid, block, arguments, ...)` launches as
// `kernel<<<grid, block>>>(...)` does. It is written so; what no fusion takes
// up is put back.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_WRAPPERS_LAUNCHCALLS_H
#define KFUSE_FRONTEND_REWRITE_WRAPPERS_LAUNCHCALLS_H

#include "frontend/rewrite/Rewriting.h"

namespace kfuse {

/// Writes launches for calls whose arguments are listed: in an array that only
/// such calls use, of addresses of variables that have the parameters' types.
RewrittenText writeLaunchCalls(const SourceUnit &unit);

} // namespace kfuse

#endif
