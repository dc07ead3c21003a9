//===- TileWriter.cpp - Stages that share tiles ---------------------------===//
#include "codegen/tile/TileWriter.h"

#include "codegen/text/ParameterText.h"
#include "codegen/tile/Declarations.h"
#include "codegen/tile/FillWriter.h"
#include "fusion/plan/TileStorage.h"
#include "text/Tokens.h"

#include <algorithm>
#include <set>
#include <utility>

namespace kfuse {
namespace {

using Kind = StageArgument::Kind;

/// Members that run together: for the block's own threads, and then for those
/// of the halo.
struct Pass {
  std::vector<std::size_t> members;
  Halo halo;
};

class TileWriter {
public:
  explicit TileWriter(FusedKernelBuilder &builder)
      : Builder(builder), Work(workOf(builder.group)), Fills(builder) {
    Cell = Builder.names.inner("cell", Builder.taken);
    At = Builder.names.inner("at", Builder.taken);
    Block = Builder.names.inner("block", Builder.taken);
    Thread = Builder.names.inner("thread", Builder.taken);
    Own = Builder.names.inner("kfuseThread", Builder.taken);
    Low = Builder.names.inner("kfuseLow", Builder.taken);
    High = Builder.names.inner("kfuseHigh", Builder.taken);
    Left = Builder.names.inner("kfuseLeft", Builder.taken);
    for (std::size_t m = 0; m < Builder.members(); ++m) {
      if (m == 0 || Builder.group.phases[m] != Builder.group.phases[m - 1])
        Passes.push_back({{}, Builder.group.halos[m]});
      Passes.back().members.push_back(m);
    }
    Halo widest;
    for (const Pass &pass : Passes)
      for (std::uint32_t axis = 0; axis < 3; ++axis)
        widest.high[axis] = std::max(
            {widest.high[axis], pass.halo.low[axis], pass.halo.high[axis]});
    Reach = widest.high;
    Builder.rank = rankOf(tileExtents(Work, widest));
  }

  /// Writes the passes in order, with a barrier wherever a thread needs or
  /// overwrites what others left in shared memory.
  Result<std::string> run() {
    std::string text;
    for (const Pass &pass : Passes) {
      clearTiles(text, pass);
      if (mustWait(pass))
        wait(text);
      for (const std::size_t m : pass.members)
        for (std::size_t i = 0; i < Builder.forwards.size(); ++i) {
          if (!Builder.forwards[i].isTile)
            continue;
          const ForwardRole role = roleInTiles(i, m);
          if (role.consumes)
            Read.insert(Builder.forwards[i].slot);
          if (role.produces)
            Written.insert(Builder.forwards[i].slot);
        }
      writeOwn(text, pass);
      if (!pass.halo.isEmpty())
        writeAround(text, pass);
    }
    if (Refused)
      return *Refused;
    return tileDeclarations(Builder) + placeDeclarations(text) +
           Fills.declarations() + Declared +
           Builder.valueDeclarations("  ", extent()) + text;
  }

private:
  bool isRepeated() const { return Builder.movesBlocks(); }
  std::uint32_t axis() const { return Builder.group.elementsAxis; }
  /// Returns the extent of values that each of a thread's elements has: `[4]`.
  std::string extent() const {
    return isRepeated() ? "[" + Builder.count() + "]" : "";
  }
  std::uint64_t threads() const { return cellsOf(Builder.group.block, {}); }
  std::string threadsText() const { return std::to_string(threads()); }

  /// Declares `const int3 name = make_int3(a, b, c);` of a text for each axis.
  template <typename Text>
  static std::string triple(const std::string &type, const std::string &name,
                            const std::string &indent, Text text) {
    return listed("const " + type + " " + name + " = make_" + type + "(",
                  {text(0), text(1), text(2)}, ");", indent) +
           "\n";
  }

  static std::string times(const std::string &count, std::uint32_t extent) {
    return extent == 1 ? count : count + " * " + std::to_string(extent);
  }

  static std::string constants(const Extents &extents) {
    return "make_uint3(" + std::to_string(extents[0]) + ", " +
           std::to_string(extents[1]) + ", " + std::to_string(extents[2]) + ")";
  }

  //===--------------------------------------------------------------------===//
  // Places
  //===--------------------------------------------------------------------===//

  /// Declares what passes over cells need: the thread's number, how many of the
  /// program's blocks are left, and which places around the block's first
  /// thread exist.
  std::string placeDeclarations(const std::string &body) const {
    std::string text;
    if (mentions(body, Own)) {
      text += "  const unsigned " + Own + " = threadIdx.x";
      std::uint64_t before = 1;
      for (std::uint32_t axis = 1; axis < Builder.rank; ++axis)
        text += " + threadIdx." + std::string(axisName(axis)) + " * " +
                std::to_string(before *= Builder.group.block[axis - 1]);
      text += ";\n";
    }
    if (isRepeated())
      text += "  const unsigned " + Left + " = " + Builder.grid + "." +
              axisName(axis()) + " - " + firstBlock(axis()) + ";\n";
    if (mentions(body, Low))
      text += triple("int3", Low, "  ", [&](std::uint32_t axis) {
        return Reach[axis] == 0
                   ? std::string("0")
                   : "blockIdx." + std::string(axisName(axis)) + " > 0 ? -" +
                         std::to_string(Builder.group.block[axis]) + " : 0";
      });
    if (mentions(body, High))
      text += triple("int3", High, "  ",
                     [&](std::uint32_t axis) { return highText(axis); });
    return text;
  }

  /// Returns the first of the program's blocks whose work a fused one does.
  std::string firstBlock(std::uint32_t axis) const {
    const std::string block = "blockIdx." + std::string(axisName(axis));
    return isRepeated() && axis == this->axis()
               ? block + " * " + Builder.count()
               : block;
  }

  std::string highText(std::uint32_t axis) const {
    const std::string name = axisName(axis);
    const std::uint32_t threads = Builder.group.block[axis];
    if (!isRepeated() || axis != this->axis())
      return Reach[axis] == 0 ? std::to_string(threads)
                              : "blockIdx." + name + " + 1 < gridDim." + name +
                                    " ? " + std::to_string(threads * 2) +
                                    " : " + std::to_string(threads);
    const std::uint32_t most = Builder.group.elementsPerThread + 1;
    return Left + " < " + std::to_string(most) + " ? " + times(Left, threads) +
           " : " + std::to_string(most * threads);
  }

  //===--------------------------------------------------------------------===//
  // Barriers
  //===--------------------------------------------------------------------===//

  ForwardRole roleInTiles(std::size_t forward, std::size_t member) const {
    return (Builder.runsAround(member) ? Builder.forwardsAround[member]
                                       : Builder.forwards)[forward]
        .roles[member];
  }

  bool mustWait(const Pass &pass) const {
    for (const std::size_t m : pass.members) {
      if (Builder.needsBarrier(m))
        return true;
      for (std::size_t i = 0; i < Builder.forwards.size(); ++i) {
        const std::uint32_t slot = Builder.forwards[i].slot;
        const ForwardRole role = roleInTiles(i, m);
        if (Builder.forwards[i].isTile &&
            ((role.produces && (Read.count(slot) || Written.count(slot))) ||
             (role.consumes && Written.count(slot))))
          return true;
      }
    }
    return false;
  }

  void wait(std::string &text) {
    text += "  __syncthreads();\n";
    Read.clear();
    Written.clear();
  }

  //===--------------------------------------------------------------------===//
  // Cells that have no value yet
  //===--------------------------------------------------------------------===//

  bool producesFirst(std::size_t forward, std::size_t member) const {
    for (std::size_t m = 0; m < member; ++m)
      if (roleInTiles(forward, m).produces)
        return false;
    return roleInTiles(forward, member).produces;
  }

  /// Checks whether the first member that gives cells their value visits all of
  /// them, and so can mark each as having none yet.
  bool isClearedBy(std::size_t forward, std::size_t member) const {
    return Builder.group.halos[member] == Builder.forwards[forward].halo;
  }

  bool hasFlags(std::size_t forward) const {
    return Builder.forwards[forward].isTile &&
           Builder.forwards[forward].isPartial;
  }

  /// Marks all cells of a tile as having no value yet, before a pass that gives
  /// it only to some.
  void clearTiles(std::string &text, const Pass &pass) {
    for (std::size_t i = 0; i < Builder.forwards.size(); ++i)
      for (const std::size_t m : pass.members) {
        if (!hasFlags(i) || !producesFirst(i, m) || isClearedBy(i, m))
          continue;
        const std::uint32_t slot = Builder.forwards[i].slot;
        if (Read.count(slot) || Written.count(slot))
          wait(text);
        Written.insert(slot);
        text += "  for (unsigned " + Cell + " = " + Own + "; " + Cell + " < " +
                std::to_string(cellsOf(Builder.forwards[i].tile, {})) + "; " +
                Cell + " += " + threadsText() + ")\n    (&" + Builder.flags[i] +
                tileElement({"0", "0", "0"}, {}, Builder.rank) + ")[" + Cell +
                "] = false;\n";
      }
  }

  /// Marks a single cell as having no value yet, before the members that may
  /// give it one.
  std::string clearedFlags(const Pass &pass, const PlaceText &place,
                           const std::string &indent) const {
    std::string text;
    for (std::size_t i = 0; i < Builder.forwards.size(); ++i)
      for (const std::size_t m : pass.members)
        if (hasFlags(i) && producesFirst(i, m) && isClearedBy(i, m))
          text += indent + Builder.flags[i] +
                  tileElement(place, Builder.forwards[i].halo, Builder.rank) +
                  " = false;\n";
    return text;
  }

  /// Loads the old content of a single cell, before the members that may give
  /// it a value.
  std::string filled(const Pass &pass, const PlaceText &place,
                     const std::string &indent) {
    std::string text;
    for (const ForwardedArray &forward : Builder.forwards) {
      if (!forward.fill ||
          std::find(pass.members.begin(), pass.members.end(),
                    forward.fill->write.member) == pass.members.end())
        continue;
      const std::string &tile =
          Builder.values[&forward - Builder.forwards.data()];
      const auto fill = Fills.fill(
          forward, tile + tileElement(place, forward.halo, Builder.rank),
          indent);
      if (const Refusal *refusal = refusalOf(fill))
        Refused = *refusal;
      else
        text += std::get<std::string>(fill);
    }
    std::string declarations;
    for (std::uint32_t axis = 0; axis < 3; ++axis)
      if (const std::string &name = Fills.coordinates()[axis];
          mentions(text, name))
        declarations += indent + "const long long " + name + " = 1ll * " +
                        times(firstBlock(axis), Builder.group.block[axis]) +
                        " + " + place[axis] + ";\n";
    return declarations + text;
  }

  //===--------------------------------------------------------------------===//
  // Passes
  //===--------------------------------------------------------------------===//

  /// Declares the values that members of the pass hand to each other.
  std::string passValues(const Pass &pass, const std::string &indent) const {
    std::string text;
    for (std::size_t i = 0; i < Builder.forwards.size(); ++i)
      for (const std::size_t m : pass.members)
        if (Builder.forwards[i].staysInPass &&
            Builder.forwards[i].roles[m].takesPart()) {
          text += Builder.valueDeclaration(i, indent);
          break;
        }
    return text;
  }

  /// Writes the pass for the block's own threads; members that store nothing
  /// for these call their stage for the halo.
  std::string ownCalls(const Pass &pass, const CallPlace &place,
                       const std::string &indent) {
    std::string text = passValues(pass, indent);
    for (const std::size_t m : pass.members)
      if (Builder.isOwned(m))
        text += Builder.callText(m, indent, place);
      else
        callAround(text, m, place, indent);
    return text;
  }

  void writeOwn(std::string &text, const Pass &pass) {
    CallPlace place;
    place.block = "blockIdx";
    place.thread = "threadIdx";
    if (!isRepeated()) {
      place.declared = Coordinates;
      Declared += Builder.declareCoordinates(pass.members, place, "  ");
      Coordinates = place.declared;
      text += clearedFlags(pass, place.cell, "  ");
      const std::string old = filled(pass, place.cell, "    ");
      text += old.empty() ? old : "  {\n" + old + "  }\n";
      const bool isScope =
          !pass.halo.isEmpty() && !passValues(pass, "").empty();
      text += isScope ? "  {\n" + ownCalls(pass, place, "    ") + "  }\n"
                      : ownCalls(pass, place, "  ");
      return;
    }
    const std::string &v = Builder.element;
    place.block = Block;
    place.element = "[" + v + "]";
    place.number = Cell;
    place.cell[axis()] += " + " + times(v, Builder.group.block[axis()]);
    setIndices(place, 3);
    std::string calls =
        Builder.declareCoordinates(pass.members, place, "      ");
    calls += ownCalls(pass, place, "      ");
    // An array stays in registers if all its indices are constants.
    if (!Builder.valueDeclarations("").empty())
      text += "#pragma unroll\n";
    text += "  for (unsigned " + v + " = 0; " + v + " < " + Builder.count() +
            "; ++" + v + ") {\n";
    if (mentions(calls, Cell))
      text += "    const unsigned " + Cell + " = " + Own + " + " + v + " * " +
              threadsText() + ";\n";
    if (mentions(calls, Block))
      text += triple("uint3", Block, "    ", [&](std::uint32_t axis) {
        return firstBlock(axis) + (axis == this->axis() ? " + " + v : "");
      });
    text += clearedFlags(pass, place.cell, "    ");
    text += filled(pass, place.cell, "    ");
    text += "    if (" + v + " < " + Left + ") {\n" + calls + "    }\n  }\n";
  }

  /// Writes the pass for the threads of its halo: the cells after the block's.
  void writeAround(std::string &text, const Pass &pass) {
    const Halo &halo = pass.halo;
    CallPlace place;
    place.block = Block;
    place.thread = Thread;
    place.number = Cell;
    for (std::uint32_t axis = 0; axis < 3; ++axis)
      place.cell[axis] = At + "." + axisName(axis);
    const std::uint64_t own = cellsOf(Work, {}), all = cellsOf(Work, halo);
    const std::string first = Own + " + " + std::to_string(own);
    const std::string isCell = Cell + " < " + std::to_string(all);
    // Compilers move out of a loop what its only cell computes.
    if (all - own <= threads()) {
      if (!std::exchange(HasCell, true))
        text += "  const unsigned " + Cell + " = " + first + ";\n";
      text += "  if (" + isCell + ") {\n";
    } else {
      text += "  for (unsigned " + Cell + " = " + first + "; " + isCell + "; " +
              Cell + " += " + threadsText() + ") {\n";
    }
    text += listed("const int3 " + At + " = " + Builder.helpers.around() + "(",
                   {Cell, constants(Work), constants(halo.low),
                    constants(halo.high)},
                   ");", "    ") +
            "\n";
    text += clearedFlags(pass, place.cell, "    ");
    text += filled(pass, place.cell, "    ");
    std::vector<std::string> tests;
    for (std::uint32_t axis = 0; axis < Builder.rank; ++axis) {
      const std::string name = axisName(axis);
      if (halo.low[axis] != 0)
        tests.push_back(place.cell[axis] + " >= " + Low + "." + name);
      if (halo.high[axis] != 0 || (isRepeated() && axis == this->axis()))
        tests.push_back(place.cell[axis] + " < " + High + "." + name);
    }
    setIndices(place, Builder.rank);
    std::string calls =
        Builder.declareCoordinates(pass.members, place, "      ") +
        passValues(pass, "      ");
    for (const std::size_t m : pass.members)
      callAround(calls, m, place, "      ");
    if (mentions(calls, Block) || mentions(calls, Thread))
      calls = threadAround(pass, place, "      ") + calls;
    text += listed("if (", tests, ") {", "    ", " &&") + "\n" + calls +
            "    }\n  }\n";
  }

  /// Sets the global index of the place on each axis; from `rank` on, axes have
  /// one index.
  void setIndices(CallPlace &place, std::uint32_t rank) const {
    for (std::uint32_t axis = 0; axis < 3; ++axis)
      place.at[axis] =
          times("blockIdx." + std::string(axisName(axis)), Work[axis]) +
          (axis < rank ? " + " + place.cell[axis] : "");
  }

  /// Declares the original's block and thread at a place.
  std::string threadAround(const Pass &pass, const CallPlace &place,
                           const std::string &indent) {
    std::string text =
        listed("uint3 " + Block + " = make_uint3(",
               {firstBlock(0), firstBlock(1), firstBlock(2)}, ");", indent) +
        "\n" + indent + "uint3 " + Thread + " = threadIdx;\n";
    for (std::uint32_t axis = 0; axis < Builder.rank; ++axis) {
      const std::string name = axisName(axis);
      text += indent + Builder.helpers.move() + "(" + place.cell[axis] + ", " +
              std::to_string(Builder.group.block[axis]) + ", " + Block + "." +
              name + ", " + Thread + "." + name + ");\n";
    }
    // Values that cells share must not be converted once for all of them.
    for (const std::size_t m : pass.members)
      if (Builder.hasCommonProducts[m] &&
          Builder.kernelOf(m).integersToFloating)
        for (const std::string &name : {Block, Thread})
          text += indent + name + " = " +
                  Builder.isolate(name, "uint3", m, place) + ";\n";
    return text;
  }

  /// Calls the stage that stores nothing, for a thread of the halo or the
  /// block.
  void callAround(std::string &text, std::size_t member, const CallPlace &place,
                  const std::string &indent) {
    std::vector<std::string> arguments;
    for (const StageArgument &argument : Builder.callsAround[member].arguments)
      arguments.push_back(
          argumentAround(member, argument, place, indent, text));
    text += listed(Builder.callsAround[member].call + "(", arguments, ");",
                   indent) +
            "\n";
    text += Builder.roundingBarriers(member, indent, place, true);
  }

  /// Returns an argument of that stage. A value that no member takes goes to a
  /// variable, whose declaration is added to `text`.
  std::string argumentAround(std::size_t member, const StageArgument &argument,
                             const CallPlace &place, const std::string &indent,
                             std::string &text) {
    const bool isFlag = argument.kind == Kind::Written;
    if (!isFlag && argument.kind != Kind::Forward)
      return Builder.argumentText(member, argument, place);
    const ForwardedArray &value =
        Builder.forwardsAround[member][argument.index];
    if (isTakenAround(value, member)) {
      const std::string &name =
          (isFlag ? Builder.flags : Builder.values)[argument.index];
      if (value.staysInPass)
        return name;
      const std::string element =
          name + tileElement(place.cell, value.halo, Builder.rank);
      return Builder.elementText(member, value, element, place);
    }
    const std::string name = Builder.names.local("kfuseUnused", Builder.taken);
    text += indent + (isFlag ? "bool " + name + " = {};\n"
                             : variableOf(value.element, name,
                                          Builder.program.language));
    return name;
  }

  FusedKernelBuilder &Builder;
  Extents Work;  ///< the threads whose work a block does
  Extents Reach; ///< of the widest halo
  std::vector<Pass> Passes;
  std::set<std::uint32_t> Read, Written; ///< slots, since the last barrier
  std::string Own;                       ///< the thread's number in its block
  std::string Cell, At;                  ///< a cell's number, and its place
  bool HasCell = false; ///< a thread's first one of the halo is a variable
  std::string Block, Thread, Low, High;
  std::vector<StageCoordinate> Coordinates; ///< of the hardware's thread
  std::string Declared;                     ///< the variables of these
  std::string Left; ///< how many of the blocks from firstBlock() on there are
  FillWriter Fills;
  std::optional<Refusal> Refused;
};

} // namespace

Result<std::string> writeTiles(FusedKernelBuilder &builder) {
  return TileWriter(builder).run();
}

} // namespace kfuse
