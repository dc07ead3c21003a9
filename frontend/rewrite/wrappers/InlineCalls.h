//===- InlineCalls.h - Wrappers' statements for their calls ---------------===//
//
// Launches fuse within one region, and many programs have each launch in a
// function of its own. If a block of the input calls such functions beside
// other launches, their statements are put in place of the calls. Everything
// after then sees the launches in one region. Calls whose launches are fused
// with no others are put back when the output is written.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_WRAPPERS_INLINECALLS_H
#define KFUSE_FRONTEND_REWRITE_WRAPPERS_INLINECALLS_H

#include "frontend/rewrite/Rewriting.h"

namespace kfuse {

/// Puts the statements of functions that launch in place of their calls, in one
/// round: calls in these statements are for the next. The text is empty when
/// there was nothing to do. Calls of the functions in `kept` stay, by qualified
/// name.
RewrittenText inlineCalls(const SourceUnit &unit,
                          const std::set<std::string> &kept = {});

} // namespace kfuse

#endif
