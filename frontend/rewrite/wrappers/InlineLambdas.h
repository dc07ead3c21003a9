//===- InlineLambdas.h - Lambdas' statements for their calls --------------===//
//
//   auto go = [&](auto kernel) { kernel<<<g, 128>>>(u, n); };
//   go(advect);                  ──▶   advect<<<g, 128>>>(u, n);
//   go(diffuse);                       diffuse<<<g, 128>>>(u, n);
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_WRAPPERS_INLINELAMBDAS_H
#define KFUSE_FRONTEND_REWRITE_WRAPPERS_INLINELAMBDAS_H

#include "frontend/rewrite/Rewriting.h"

namespace kfuse {

/// Puts the statements of local lambdas that launch in place of their calls, if
/// each is a statement beside other launches, and removes the lambdas. The text
/// is empty when there was nothing to do.
RewrittenText inlineLambdas(const SourceUnit &unit);

} // namespace kfuse

#endif
