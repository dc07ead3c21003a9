//===- BraceArms.h - Braces around launches that are arms -----------------===//
//
//   if (first)                          if (first) {
//     load<<<g, b>>>(u);                  load<<<g, b>>>(u);
//   else                                } else {
//     clear<<<g, b>>>(u);                 clear<<<g, b>>>(u);
//                                       }
//
// In the text with which kfuse goes on, what stands beside a branch can be
// written into such arms. A branch whose statements no fusion changes is put
// back.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_BRANCHES_BRACEARMS_H
#define KFUSE_FRONTEND_REWRITE_BRANCHES_BRACEARMS_H

#include "frontend/rewrite/Rewriting.h"

namespace kfuse {

/// Puts braces around the arms of branches with an `else` of which one is only
/// a launch. The text is empty when there was nothing to do.
RewrittenText braceArms(const SourceUnit &unit);

} // namespace kfuse

#endif
