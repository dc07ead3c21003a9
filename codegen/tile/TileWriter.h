//===- TileWriter.h - Stages that share tiles -----------------------------===//
//
// A block runs each stage for its own threads and, before others take its
// values from a tile, for the threads of a halo around them. A cell is a place
// in that region; the block's threads take the cells in turn.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CODEGEN_TILE_TILEWRITER_H
#define KFUSE_CODEGEN_TILE_TILEWRITER_H

#include "codegen/builder/FusedKernelBuilder.h"
#include "codegen/text/Result.h"

#include <string>

namespace kfuse {

/// Writes the statements of a kernel of the tile schedule.
Result<std::string> writeTiles(FusedKernelBuilder &builder);

} // namespace kfuse

#endif
