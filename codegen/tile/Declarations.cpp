//===- Declarations.cpp - A block's shared memory -------------------------===//
#include "codegen/tile/Declarations.h"

#include "codegen/text/ParameterText.h"
#include "fusion/plan/TileStorage.h"

#include <set>
#include <vector>

namespace kfuse {
namespace {

std::string dimensionsOf(const KernelDraft &draft, std::size_t forward) {
  return tileDimensions(draft.forwards[forward].tile, draft.rank);
}

std::string alone(const KernelDraft &draft, std::size_t forward) {
  const Forward &tile = draft.forwards[forward];
  const std::string dimensions = dimensionsOf(draft, forward);
  std::string text = "  __shared__ " + tile.element.spelling + " " +
                     draft.values[forward] + dimensions + ";\n";
  if (tile.isPartial)
    text += "  __shared__ bool " + draft.flags[forward] + dimensions + ";\n";
  return text;
}

/// `float (&name)[4] = *reinterpret_cast<float (*)[4]>(place);`.
std::string view(const std::string &type, const std::string &name,
                 const std::string &dimensions, const std::string &place) {
  return listed("  " + type + " (&" + name + ")" + dimensions + " =",
                {" *reinterpret_cast<" + type + " (*)" + dimensions + ">(" +
                 place + ")"},
                ";", "") +
         "\n";
}

/// Tiles that live one after the other in the same bytes.
std::string together(KernelDraft &draft, const std::vector<std::size_t> &tiles,
                     std::uint64_t bytes) {
  const std::string storage = draft.names.inner("kfuseShared", draft.taken);
  std::string text = "  ";
  std::set<std::string> types;
  for (const std::size_t i : tiles)
    if (types.insert(draft.forwards[i].element.spelling).second)
      text += "alignas(" + draft.forwards[i].element.spelling + ") ";
  text += "__shared__ unsigned char " + storage + "[" + std::to_string(bytes) +
          "];\n";
  for (const std::size_t i : tiles) {
    const Forward &tile = draft.forwards[i];
    const std::string dimensions = dimensionsOf(draft, i);
    text += view(tile.element.spelling, draft.values[i], dimensions, storage);
    if (tile.isPartial)
      text +=
          view("bool", draft.flags[i], dimensions,
               storage + " + " +
                   std::to_string(cellsOf(tile.tile, {}) * tile.element.bytes));
  }
  return text;
}

} // namespace

std::string tileDeclarations(KernelDraft &draft) {
  std::string text;
  const std::vector<std::uint64_t> bytes =
      slotBytes(draft.program, draft.group);
  for (std::uint32_t slot = 0; slot < bytes.size(); ++slot) {
    std::vector<std::size_t> tiles;
    for (std::size_t i = 0; i < draft.forwards.size(); ++i)
      if (draft.forwards[i].isTile && draft.forwards[i].slot == slot)
        tiles.push_back(i);
    if (tiles.size() == 1)
      text += alone(draft, tiles.front());
    else if (!tiles.empty())
      text += together(draft, tiles, bytes[slot]);
  }
  return text;
}

} // namespace kfuse
