//===- TileText.cpp - Tiles of shared memory as text ----------------------===//
#include "codegen/text/TileText.h"

#include "codegen/text/Expressions.h"

#include <algorithm>
#include <cstdlib>

namespace kfuse {

const char *axisName(std::uint32_t axis) {
  static constexpr const char *Names[] = {"x", "y", "z"};
  return Names[std::min<std::uint32_t>(axis, 2)];
}

Extents tileExtents(const Extents &work, const Halo &halo) {
  Extents tile{};
  for (std::uint32_t axis = 0; axis < 3; ++axis)
    tile[axis] = work[axis] + halo.low[axis] + halo.high[axis];
  return tile;
}

std::uint32_t rankOf(const Extents &tile) {
  std::uint32_t rank = 1;
  for (std::uint32_t axis = 1; axis < 3; ++axis)
    if (tile[axis] > 1)
      rank = axis + 1;
  return rank;
}

std::string tileDimensions(const Extents &tile, std::uint32_t rank) {
  std::string text;
  for (std::uint32_t axis = rank; axis-- > 0;)
    text += "[" + std::to_string(tile[axis]) + "]";
  return text;
}

std::string tileElement(const PlaceText &place, const Halo &halo,
                        std::uint32_t rank) {
  std::string text;
  for (std::uint32_t axis = rank; axis-- > 0;)
    text +=
        "[" + place[axis] +
        (halo.low[axis] == 0 ? "" : " + " + std::to_string(halo.low[axis])) +
        "]";
  return text;
}

std::string aroundText(const Window &window, const Kernel &kernel,
                       const Extents &tile) {
  const std::array<std::int64_t, 3> strides = {1, tile[0],
                                               std::int64_t{tile[0]} * tile[1]};
  std::string text;
  const auto append = [&](std::int64_t factor, const std::string &variable) {
    if (factor == 0)
      return;
    const std::string number = std::to_string(std::abs(factor));
    text += text.empty() ? (factor < 0 ? "-" : "") : factor < 0 ? " - " : " + ";
    text += variable.empty()        ? number
            : std::abs(factor) == 1 ? variable
                                    : variable + " * " + number;
  };
  // In a loop rows come first, as people write them.
  for (std::uint32_t axis = 3; axis-- > 0;) {
    for (const Window::Choice &choice : window.choices)
      if (choice.axis == axis)
        append(strides[axis],
               strides[axis] == 1 ? choice.text : asOperand(choice.text));
    for (const Window::Loop &loop : window.loops)
      append(loop.step[axis] * strides[axis],
             kernel.loops[loop.number].variable->text);
  }
  for (std::uint32_t axis = 0; axis < 3; ++axis)
    append(window.base[axis] * strides[axis], "");
  return "[" + (text.empty() ? "0" : text) + "]";
}

} // namespace kfuse
