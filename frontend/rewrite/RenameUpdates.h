//===- RenameUpdates.h - Updates into other arrays ------------------------===//
//
//   update<<<g, b>>>(u, rhs, n);        update_apart<<<g, b>>>(u, rhs, n);
//                                       kfuseMove(u, rhs);
//
// In the text with which kfuse goes on, the kernel's copy writes the other
// array, and what stands for a copy of it all goes to the first one. A swap of
// the pointers replaces that (fusion/rewrites/Exchanges.h), or the whole
// renaming goes.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_RENAMEUPDATES_H
#define KFUSE_FRONTEND_REWRITE_RENAMEUPDATES_H

#include "frontend/syntax/SourceMap.h"
#include "graphs/program/Renaming.h"

#include <vector>

namespace kfuse {

class SourceUnit;

/// Writes those `renamings` of `program`, which is the unit's, that the text
/// allows. Returns an empty text if there is none.
RewrittenText renameUpdates(const SourceUnit &unit, const Program &program,
                            const std::vector<Renaming> &renamings);

} // namespace kfuse

#endif
