//===- SinkIntoBranches.h - What stands before a branch, in its arms ------===//
//
// Launches fuse within one region. If an arm of an `if` launches, the launch
// before the branch goes into both arms, with the few statements between. These
// must not change which arm is taken; a missing `else` is written. A branch
// whose statements no fusion changes is put back.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_BRANCHES_SINKINTOBRANCHES_H
#define KFUSE_FRONTEND_REWRITE_BRANCHES_SINKINTOBRANCHES_H

#include "frontend/rewrite/Rewriting.h"

namespace kfuse {

/// Writes launches before branches into the arms. The text is empty when there
/// was nothing to do.
RewrittenText sinkIntoBranches(const SourceUnit &unit);

} // namespace kfuse

#endif
