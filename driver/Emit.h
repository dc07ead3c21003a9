//===- Emit.h - The stages of a compilation as text -----------------------===//
#ifndef KFUSE_DRIVER_EMIT_H
#define KFUSE_DRIVER_EMIT_H

#include "driver/pipeline/Compilation.h"
#include "driver/pipeline/Options.h"

#include <string>

namespace kfuse {

/// Returns the text that `--emit` asks for.
std::string emit(const Compilation &compilation, EmitKind kind);

} // namespace kfuse

#endif
