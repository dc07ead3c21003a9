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

/// Returns the name of an axis: `x`, `y` or `z`.
const char *axisName(std::uint32_t axis);

/// Returns the extents, in threads, of a block's work with its halo.
Extents tileExtents(const Extents &work, const Halo &halo);

/// Returns the number of axes from x to the last that has several threads.
std::uint32_t rankOf(const Extents &tile);

/// Writes a tile's dimensions: `[10][34]` for one of 34 by 10.
std::string tileDimensions(const Extents &tile, std::uint32_t rank);

/// Writes the subscripts of the element for the thread at `place`:
/// `[y + 1][x + 1]`.
std::string tileElement(const PlaceText &place, const Halo &halo,
                        std::uint32_t rank);

/// Writes the subscript of the element that a window is at, from the thread's
/// own in the tile: `[1 + 34]`, or in the window's loops `[dy * 34 + dx]`. A
/// place that the thread chooses is `[(row - y) * 34]`.
std::string aroundText(const Window &window, const Kernel &kernel,
                       const Extents &tile);

} // namespace kfuse

#endif
