//===- NestReturns.h - Early returns as branches --------------------------===//
//
//   if (edge) {                       if (edge) {
//     out[i] = 0;                       out[i] = 0;
//     return;                         } else {
//   }                                   out[i] = in[i] - in[i - 1];
//   out[i] = in[i] - in[i - 1];       }
//
// In a kernel both arms are then parts of one body, which stores the element in
// each. A guard, which only returns, stays in a kernel. In a function that
// launches it becomes a condition of what follows.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_BRANCHES_NESTRETURNS_H
#define KFUSE_FRONTEND_REWRITE_BRANCHES_NESTRETURNS_H

#include "frontend/syntax/SourceMap.h"

namespace kfuse {

class SourceUnit;

/// Nests the first early return of each function; an empty text if none has
/// one.
RewrittenText nestReturns(const SourceUnit &unit);

} // namespace kfuse

#endif
