//===- SinkIntoBranches.h - What stands before a branch, in its arms ------===//
//
// Launches fuse within one region. Where an arm of an `if` launches, the launch
// before the branch goes into both arms, with the few statements between, if
// these can't change which arm is taken; an `else` is written where there is
// none. A branch whose statements no fusion changes is put back.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_SINKINTOBRANCHES_H
#define KFUSE_FRONTEND_REWRITE_SINKINTOBRANCHES_H

#include "frontend/rewrite/Rewriting.h"

namespace kfuse {

/// The text is empty when there was nothing to do.
RewrittenText sinkIntoBranches(const SourceUnit &unit);

} // namespace kfuse

#endif
