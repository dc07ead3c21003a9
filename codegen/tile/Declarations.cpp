//===- Declarations.cpp - A block's shared memory -------------------------===//
#include "codegen/tile/Declarations.h"

#include "codegen/text/ParameterText.h"
#include "fusion/plan/TileStorage.h"

#include <set>
#include <vector>

namespace kfuse {
namespace {

std::string dimensionsOf(const FusedKernelBuilder &builder,
                         std::size_t forward) {
  return tileDimensions(builder.forwards[forward].tile, builder.rank);
}

std::string alone(const FusedKernelBuilder &builder, std::size_t forward) {
  const ForwardedArray &tile = builder.forwards[forward];
  const std::string dimensions = dimensionsOf(builder, forward);
  std::string text = "  __shared__ " + tile.element.spelling + " " +
                     builder.values[forward] + dimensions + ";\n";
  if (tile.isPartial)
    text += "  __shared__ bool " + builder.flags[forward] + dimensions + ";\n";
  return text;
}

/// Declares a reference to an array at `place`, `float (&name)[4] =
/// *reinterpret_cast<float (*)[4]>(place);`.
std::string view(const std::string &type, const std::string &name,
                 const std::string &dimensions, const std::string &place) {
  return listed("  " + type + " (&" + name + ")" + dimensions + " =",
                {" *reinterpret_cast<" + type + " (*)" + dimensions + ">(" +
                 place + ")"},
                ";", "") +
         "\n";
}

/// Declares tiles that live one after the other in the same bytes.
std::string together(FusedKernelBuilder &builder,
                     const std::vector<std::size_t> &tiles,
                     std::uint64_t bytes) {
  const std::string storage = builder.names.inner("kfuseShared", builder.taken);
  std::string text = "  ";
  std::set<std::string> types;
  for (const std::size_t i : tiles)
    if (types.insert(builder.forwards[i].element.spelling).second)
      text += "alignas(" + builder.forwards[i].element.spelling + ") ";
  text += "__shared__ unsigned char " + storage + "[" + std::to_string(bytes) +
          "];\n";
  for (const std::size_t i : tiles) {
    const ForwardedArray &tile = builder.forwards[i];
    const std::string dimensions = dimensionsOf(builder, i);
    text += view(tile.element.spelling, builder.values[i], dimensions, storage);
    if (tile.isPartial)
      text +=
          view("bool", builder.flags[i], dimensions,
               storage + " + " +
                   std::to_string(cellsOf(tile.tile, {}) * tile.element.bytes));
  }
  return text;
}

} // namespace

std::string tileDeclarations(FusedKernelBuilder &builder) {
  std::string text;
  const std::vector<std::uint64_t> bytes =
      slotBytes(builder.program, builder.group);
  for (std::uint32_t slot = 0; slot < bytes.size(); ++slot) {
    std::vector<std::size_t> tiles;
    for (std::size_t i = 0; i < builder.forwards.size(); ++i)
      if (builder.forwards[i].isTile && builder.forwards[i].slot == slot)
        tiles.push_back(i);
    if (tiles.size() == 1)
      text += alone(builder, tiles.front());
    else if (!tiles.empty())
      text += together(builder, tiles, bytes[slot]);
  }
  return text;
}

} // namespace kfuse
