//===- frontend/BranchCopies.h - What stands around a branch, in its arms -===//
//
// Launches fuse within one region. Where a branch launches, the ways through it
// are written out: each arm gets a copy of the launch before or behind it, so
// that it can be fused with the arm's launches. A branch whose statements no
// fusion changes is put back.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_BRANCHCOPIES_H
#define KFUSE_FRONTEND_BRANCHCOPIES_H

#include "frontend/Rewriting.h"

namespace kfuse {

/// The launch behind a branch of which both arms launch. The text is empty when
/// there was nothing to do.
RewrittenText copyTails(const SourceUnit &unit);

/// The last launch before a branch of which an arm launches, with the few
/// statements between, if they can't change which arm is taken.
RewrittenText copyHeads(const SourceUnit &unit);

} // namespace kfuse

#endif
