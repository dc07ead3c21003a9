//===- TailDuplication.h - What follows a branch, in both arms ------------===//
//
// Launches fuse within one region. If both arms of an `if` launch and one more
// launch follows, the two ways through the branch are written out. Each arm
// gets a copy of what follows, so that it can be fused with the arm's launches.
// A branch whose statements no fusion changes is put back.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_BRANCHES_TAILDUPLICATION_H
#define KFUSE_FRONTEND_REWRITE_BRANCHES_TAILDUPLICATION_H

#include "frontend/rewrite/Rewriting.h"

namespace kfuse {

/// Writes the launch after a branch into both arms. The text is empty when
/// there was nothing to do.
RewrittenText duplicateTails(const SourceUnit &unit);

} // namespace kfuse

#endif
