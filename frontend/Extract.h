//===- Extract.h - From an AST to a Program -------------------------------===//
#ifndef KFUSE_FRONTEND_EXTRACT_H
#define KFUSE_FRONTEND_EXTRACT_H

#include "frontend/parse/SourceUnit.h"
#include "graphs/program/Program.h"

namespace kfuse {

/// Returns the program's kernels, launches, arrays and host regions.
Program extract(const SourceUnit &unit);

} // namespace kfuse

#endif
