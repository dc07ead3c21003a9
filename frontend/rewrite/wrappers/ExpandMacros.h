//===- ExpandMacros.h - The text of macros that launch --------------------===//
//
//   #define LAUNCH(k, n, ...) k<<<((n) + 127) / 128, 128>>>(__VA_ARGS__)
//   LAUNCH(step, n, u, n);    ──▶    step<<<((n) + 127) / 128, 128>>>(u, n);
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_WRAPPERS_EXPANDMACROS_H
#define KFUSE_FRONTEND_REWRITE_WRAPPERS_EXPANDMACROS_H

#include "frontend/rewrite/Rewriting.h"

namespace kfuse {

/// Writes the text of macros that launch in place of their uses, in one round:
/// macros in that text are for the next. The text is empty when there was
/// nothing to do.
RewrittenText expandMacros(const SourceUnit &unit);

} // namespace kfuse

#endif
