//===- TileText.h - Tiles of shared memory as text ------------------------===//
#ifndef KFUSE_CODEGEN_TEXT_TILETEXT_H
#define KFUSE_CODEGEN_TEXT_TILETEXT_H

#include "fusion/plan/Plan.h"

#include <array>
#include <string>

namespace kfuse {

using Extents = std::array<std::uint32_t, 3>;
/// Text of a place on each axis, relative to the block's first thread.
using PlaceText = std::array<std::string, 3>;

/// `x`, `y`, `z`.
const char *axisName(std::uint32_t axis);

/// The threads of a block's work with its halo.
Extents tileExtents(const Extents &work, const Halo &halo);

/// How many axes, from x on, have more than one thread.
std::uint32_t rankOf(const Extents &tile);

/// `[10][34]` of a tile of 34 by 10.
std::string tileDimensions(const Extents &tile, std::uint32_t rank);

/// `[y + 1][x + 1]`: the element for the thread at `place`.
std::string tileElement(const PlaceText &place, const Halo &halo,
                        std::uint32_t rank);

/// `1 + 34`: from a thread's element to that of the thread `offset` away.
std::string distanceText(const Offset &offset, const Extents &tile);

} // namespace kfuse

#endif
