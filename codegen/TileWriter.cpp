//===- codegen/TileWriter.cpp - Stages that share tiles -------------------===//
#include "codegen/TileWriter.h"

#include "codegen/Coordinates.h"
#include "codegen/ParameterText.h"
#include "fusion/Tiles.h"

#include <algorithm>

namespace kfuse {
namespace {

using Kind = StageArgument::Kind;

class Writer {
public:
  explicit Writer(KernelDraft &draft) : Draft(draft) {
    Cell = Draft.names.inner("cell", Draft.taken);
    Block = Draft.names.inner("block", Draft.taken);
    Thread = Draft.names.inner("thread", Draft.taken);
    Own = Draft.names.inner("kfuseThread", Draft.taken);
    Low = Draft.names.inner("kfuseLow", Draft.taken);
    High = Draft.names.inner("kfuseHigh", Draft.taken);
    First = Draft.names.inner("kfuseFirst", Draft.taken);
    for (std::uint32_t axis = 0; axis < 3; ++axis)
      Axes[axis] = Draft.names.inner(axisName(axis), Draft.taken);
    for (const Halo &halo : Draft.group.halos)
      for (std::uint32_t axis = 0; axis < 3; ++axis)
        Widest[axis] =
            std::max({Widest[axis], halo.low[axis], halo.high[axis]});
    Extents reach{};
    for (std::uint32_t axis = 0; axis < 3; ++axis)
      reach[axis] = Draft.group.block[axis] + Widest[axis];
    Draft.rank = rankOf(reach);
  }

  /// The stages in order, with a barrier wherever a thread needs or overwrites
  /// what others left in a tile.
  std::string run() {
    std::string text = tileDeclarations() + Draft.valueDeclarations("  ");
    std::vector<bool> isRead(Draft.forwards.size()),
        isWritten(Draft.forwards.size());
    for (std::size_t i = 0; i < Draft.forwards.size(); ++i)
      if (Draft.forwards[i].isTile && Draft.forwards[i].isPartial &&
          !isClearedByFirst(i)) {
        isWritten[i] = true;
        text += cellLoop(Draft.forwards[i].halo) + "\n    (&" + Draft.flags[i] +
                tileElement({"0", "0", "0"}, {}, Draft.rank) + ")[" + Cell +
                "] = false;\n";
      }
    for (std::size_t m = 0; m < Draft.members(); ++m) {
      bool mustWait = Draft.needsBarrier(m);
      for (std::size_t i = 0; i < Draft.forwards.size(); ++i) {
        const ForwardRole role = roleInTiles(i, m);
        mustWait |= Draft.forwards[i].isTile &&
                    ((role.produces && (isRead[i] || isWritten[i])) ||
                     (role.consumes && isWritten[i]));
      }
      if (mustWait) {
        text += "  __syncthreads();\n";
        isRead.assign(Draft.forwards.size(), false);
        isWritten.assign(Draft.forwards.size(), false);
      }
      for (std::size_t i = 0; i < Draft.forwards.size(); ++i) {
        isRead[i] = isRead[i] || roleInTiles(i, m).consumes;
        isWritten[i] = isWritten[i] || roleInTiles(i, m).produces;
      }
      if (Draft.isOwned(m))
        text +=
            clearedFlags(m, CallPlace().cell, "  ") + Draft.callText(m, "  ");
      if (Draft.runsAround(m))
        writeAround(text, m);
    }
    return text;
  }

private:
  /// `const int3 name = make_int3(a, b, c);` of a text for each axis.
  template <typename Text>
  static std::string triple(const std::string &type, const std::string &name,
                            const std::string &indent, Text text) {
    return listed("const " + type + " " + name + " = make_" + type + "(",
                  {text(0), text(1), text(2)}, ");", indent) +
           "\n";
  }

  /// The tiles, and what every pass over cells needs: which places around the
  /// block's first thread exist. As for `first`: one block back where there is
  /// one, so that no thread there counts from below zero.
  std::string tileDeclarations() const {
    std::string text;
    for (std::size_t i = 0; i < Draft.forwards.size(); ++i) {
      if (!Draft.forwards[i].isTile)
        continue;
      const std::string dimensions =
          tileDimensions(Draft.forwards[i].tile, Draft.rank);
      text += "  __shared__ " + Draft.forwards[i].element.spelling + " " +
              Draft.values[i] + dimensions + ";\n";
      if (Draft.forwards[i].isPartial)
        text += "  __shared__ bool " + Draft.flags[i] + dimensions + ";\n";
    }
    text += "  const unsigned " + Own + " = threadIdx.x";
    std::uint64_t before = 1;
    for (std::uint32_t axis = 1; axis < Draft.rank; ++axis)
      text += " + threadIdx." + std::string(axisName(axis)) + " * " +
              std::to_string(before *= Draft.group.block[axis - 1]);
    const auto block = [&](std::uint32_t axis) {
      return std::string("blockIdx.") + axisName(axis);
    };
    const auto size = [&](std::uint32_t axis, std::uint32_t times) {
      return std::to_string(Draft.group.block[axis] * times);
    };
    text += ";\n";
    text += triple("int3", Low, "  ", [&](std::uint32_t axis) {
      return Widest[axis] == 0
                 ? "0"
                 : block(axis) + " > 0 ? -" + size(axis, 1) + " : 0";
    });
    text += triple("int3", High, "  ", [&](std::uint32_t axis) {
      return Widest[axis] == 0
                 ? size(axis, 1)
                 : block(axis) + " + 1 < gridDim." + axisName(axis) + " ? " +
                       size(axis, 2) + " : " + size(axis, 1);
    });
    return text + triple("uint3", First, "  ", [&](std::uint32_t axis) {
             return block(axis) +
                    (Widest[axis] == 0 ? "" : " - (" + block(axis) + " > 0)");
           });
  }

  /// `for (unsigned cell = kfuseThread; cell < 340; cell += 256)`.
  std::string cellLoop(const Halo &halo) const {
    return "  for (unsigned " + Cell + " = " + Own + "; " + Cell + " < " +
           std::to_string(cellsOf(Draft.group.block, halo)) + "; " + Cell +
           " += " + std::to_string(cellsOf(Draft.group.block, {})) + ")";
  }

  /// Whether the first member that gives cells their value passes all of them,
  /// and so can say of each that it has none yet.
  bool isClearedByFirst(std::size_t forward) const {
    for (std::size_t m = 0; m < Draft.members(); ++m)
      if (roleInTiles(forward, m).produces)
        return m < Draft.group.halos.size() &&
               Draft.group.halos[m] == Draft.forwards[forward].halo;
    return false;
  }

  /// Before the first member that may give a cell of a tile its value: that it
  /// has none yet.
  std::string clearedFlags(std::size_t member, const PlaceText &place,
                           const std::string &indent) const {
    std::string text;
    for (std::size_t i = 0; i < Draft.forwards.size(); ++i) {
      const Forward &forward = Draft.forwards[i];
      if (forward.isTile && forward.isPartial && isClearedByFirst(i) &&
          producesFirst(i, member))
        text += indent + Draft.flags[i] +
                tileElement(place, forward.halo, Draft.rank) + " = false;\n";
    }
    return text;
  }

  bool producesFirst(std::size_t forward, std::size_t member) const {
    for (std::size_t m = 0; m < member; ++m)
      if (roleInTiles(forward, m).produces)
        return false;
    return roleInTiles(forward, member).produces;
  }

  ForwardRole roleInTiles(std::size_t forward, std::size_t member) const {
    return (Draft.runsAround(member) ? Draft.forwardsAround[member]
                                     : Draft.forwards)[forward]
        .roles[member];
  }

  /// The member for each thread of the block's surroundings, and for its own
  /// too where nothing of them is stored.
  void writeAround(std::string &text, std::size_t member) {
    const Halo &halo = Draft.group.halos[member];
    const Extents tile = tileExtents(Draft.group.block, halo);
    const PlaceText places = placesOfCell(Cell, tile, halo, Draft.rank);
    text += cellLoop(halo) + " {\n";
    for (std::uint32_t axis = 0; axis < Draft.rank; ++axis)
      text += "    const int " + Axes[axis] + " = " + places[axis] + ";\n";
    if (Draft.isOwned(member))
      text += "    if (" + isInBlock(Axes, Draft.group.block, halo) +
              ")\n      continue;\n";
    text += clearedFlags(member, Axes, "    ");
    std::vector<std::string> tests;
    for (std::uint32_t axis = 0; axis < Draft.rank; ++axis) {
      const std::string name = axisName(axis);
      if (halo.low[axis] != 0)
        tests.push_back(Axes[axis] + " >= " + Low + "." + name);
      if (halo.high[axis] != 0)
        tests.push_back(Axes[axis] + " < " + High + "." + name);
    }
    text += listed("if (", tests, ") {", "    ", " &&") + "\n" +
            threadAround(member, "      ");
    std::vector<std::string> arguments;
    for (const StageArgument &argument : Draft.callsAround[member].arguments)
      arguments.push_back(argumentAround(member, argument, text));
    text += listed(Draft.callsAround[member].call + "(", arguments, ");",
                   "      ") +
            "\n    }\n  }\n";
  }

  /// Names the block and thread at a place: the original's, or where the text
  /// only adds them up any with the same sum.
  std::string threadAround(std::size_t member, const std::string &indent) {
    const Kernel &kernel = Draft.kernelOf(member);
    const bool hasSums = !has(kernel, KernelFeature::CoordinatesInMacro) &&
                         usesOnlyGlobalIndex(Draft.stages.textOf(kernel));
    const auto place = [&](std::uint32_t axis) {
      return axis < Draft.rank ? Axes[axis] + " - " + Low + "." + axisName(axis)
                               : std::string("0");
    };
    if (hasSums)
      return indent + "const uint3 " + Block + " = " + First + ";\n" +
             triple("uint3", Thread, indent, place);
    std::string text = indent + "uint3 " + Block + " = blockIdx, " + Thread +
                       " = threadIdx;\n";
    for (std::uint32_t axis = 0; axis < Draft.rank; ++axis) {
      const std::string name = axisName(axis);
      text += indent + Draft.helpers.move() + "(" + Axes[axis] + ", " +
              std::to_string(Draft.group.block[axis]) + ", " + Block + "." +
              name + ", " + Thread + "." + name + ");\n";
    }
    return text;
  }

  /// What nobody takes goes to a variable that `text` declares.
  std::string argumentAround(std::size_t member, const StageArgument &argument,
                             std::string &text) {
    const bool isFlag = argument.kind == Kind::Written;
    if (!isFlag && argument.kind != Kind::Forward)
      return Draft.argumentText(member, argument,
                                {Block, Thread, {}, {}, Axes});
    const Forward &value = Draft.forwardsAround[member][argument.index];
    if (value.isTile && isInTileOf(value, member)) {
      const std::string element =
          (isFlag ? Draft.flags : Draft.values)[argument.index] +
          tileElement(Axes, value.halo, Draft.rank);
      return value.roles[member].produces ? element : "&" + element;
    }
    const std::string name = Draft.names.local("kfuseUnused", Draft.taken);
    text += "      " + (isFlag ? "bool" : value.element.spelling) + " " + name +
            " = {};\n";
    return name;
  }

  KernelDraft &Draft;
  std::string Own; ///< the thread's number in its block
  std::string Cell, Block, Thread, Low, High, First; ///< of passes over cells
  Extents Widest{};                                  ///< of the members' halos
  PlaceText Axes; ///< names of a cell's place
};

} // namespace

std::string writeTiles(KernelDraft &draft) { return Writer(draft).run(); }

} // namespace kfuse
