//===- DeferChecks.h - Checks behind the launches they follow -------------===//
//
//   first<<<g, b>>>(a, flag, n);        first<<<g, b>>>(a, flag, n);
//   cudaMemcpy(&bad, flag, ...);        second<<<g, b>>>(a, c, n);
//   if (bad)                            cudaMemcpy(&bad, flag, ...);
//     exit(1);                          if (bad)
//   second<<<g, b>>>(a, c, n);            exit(1);
//
// A check that fetches a result and ends the program stands between launches,
// which therefore can't be fused. If the user says that it may come later, it
// goes after the launches that don't touch what it fetches. When it fires these
// have run too; nobody sees what they wrote. A copy that the host doesn't look
// at before the launches may always come later.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_DEFERCHECKS_H
#define KFUSE_FRONTEND_REWRITE_DEFERCHECKS_H

#include "frontend/syntax/SourceMap.h"

namespace kfuse {

class SourceUnit;

/// Moves the copies to the host of `program`, which is the unit's; `withChecks`
/// also those that end with a check. The text is empty if there was nothing to
/// do.
RewrittenText deferChecks(const SourceUnit &unit, const Program &program,
                          bool withChecks);

} // namespace kfuse

#endif
