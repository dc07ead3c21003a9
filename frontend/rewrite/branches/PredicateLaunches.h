//===- PredicateLaunches.h - Launches under conditions, as plain ones -----===//
//
//   blur<<<g, b>>>(u, v);               blur<<<g, b>>>(u, v);
//   if (limited)                        clip_if<<<g, b>>>(v, top, limited);
//     clip<<<g, b>>>(v, top);           sum<<<g, b>>>(v, w);
//   sum<<<g, b>>>(v, w);
//
// In the text with which kfuse goes on, a copy of the kernel is told whether to
// run. So launches on both sides can be fused with it. If no fusion takes it
// up, the branch is put back; where the launches run apart, it is a branch
// again. Arguments that need the condition ask for it too: `p ? p->top : 0`.
// Branches that can't be plain launches are one branch if they have one
// condition.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_BRANCHES_PREDICATELAUNCHES_H
#define KFUSE_FRONTEND_REWRITE_BRANCHES_PREDICATELAUNCHES_H

#include "frontend/syntax/SourceMap.h"

namespace kfuse {

class SourceUnit;

/// Returns the text, without branches that do nothing but launch kernels beside
/// other launches. `program` is the unit's.
RewrittenText predicateLaunches(const SourceUnit &unit, const Program &program);

} // namespace kfuse

#endif
