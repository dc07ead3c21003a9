//===- UnrollAndFlatten.h - Statements of inner blocks, in the outer ------===//
//
// Launches fuse within one region. A loop that runs a few times, as the text
// says, around one launch whose arguments change is written out pass by pass. A
// block in braces beside other launches gives its statements to the block
// around it. What no fusion changes is put back.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_UNROLLANDFLATTEN_H
#define KFUSE_FRONTEND_REWRITE_UNROLLANDFLATTEN_H

#include "frontend/rewrite/Rewriting.h"

namespace kfuse {

/// Writes out loops pass by pass, and inner blocks in the outer ones, in one
/// round: blocks in blocks are for the next. Loops whose text is one of
/// `keptLoops` stay.
RewrittenText unrollAndFlatten(const SourceUnit &unit,
                               const std::set<std::string> &keptLoops);

} // namespace kfuse

#endif
