//===- Declarations.h - A block's shared memory ---------------------------===//
#ifndef KFUSE_CODEGEN_TILE_DECLARATIONS_H
#define KFUSE_CODEGEN_TILE_DECLARATIONS_H

#include "codegen/builder/FusedKernelBuilder.h"

#include <string>

namespace kfuse {

/// Returns the declarations of a kernel's tiles: arrays, or, if several live
/// one after the other in a slot, its bytes and references to arrays in them.
std::string tileDeclarations(FusedKernelBuilder &builder);

} // namespace kfuse

#endif
