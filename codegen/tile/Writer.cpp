//===- Writer.cpp - Stages that share tiles -------------------------------===//
#include "codegen/tile/Writer.h"

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

class Writer {
public:
  explicit Writer(KernelDraft &draft)
      : Draft(draft), Work(workOf(draft.group)), Fills(draft) {
    Cell = Draft.names.inner("cell", Draft.taken);
    At = Draft.names.inner("at", Draft.taken);
    Block = Draft.names.inner("block", Draft.taken);
    Thread = Draft.names.inner("thread", Draft.taken);
    Own = Draft.names.inner("kfuseThread", Draft.taken);
    Low = Draft.names.inner("kfuseLow", Draft.taken);
    High = Draft.names.inner("kfuseHigh", Draft.taken);
    Left = Draft.names.inner("kfuseLeft", Draft.taken);
    for (std::size_t m = 0; m < Draft.members(); ++m) {
      if (m == 0 || Draft.group.passes[m] != Draft.group.passes[m - 1])
        Passes.push_back({{}, Draft.group.halos[m]});
      Passes.back().members.push_back(m);
    }
    Halo widest;
    for (const Pass &pass : Passes)
      for (std::uint32_t axis = 0; axis < 3; ++axis)
        widest.high[axis] = std::max(
            {widest.high[axis], pass.halo.low[axis], pass.halo.high[axis]});
    Reach = widest.high;
    Draft.rank = rankOf(tileExtents(Work, widest));
  }

  /// The passes in order, with a barrier wherever a thread needs or overwrites
  /// what others left in shared memory.
  Result<std::string> run() {
    std::string text;
    for (const Pass &pass : Passes) {
      clearTiles(text, pass);
      if (mustWait(pass))
        wait(text);
      for (const std::size_t m : pass.members)
        for (std::size_t i = 0; i < Draft.forwards.size(); ++i) {
          if (!Draft.forwards[i].isTile)
            continue;
          const ForwardRole role = roleInTiles(i, m);
          if (role.consumes)
            Read.insert(Draft.forwards[i].slot);
          if (role.produces)
            Written.insert(Draft.forwards[i].slot);
        }
      writeOwn(text, pass);
      if (!pass.halo.isEmpty())
        writeAround(text, pass);
    }
    if (Refused)
      return *Refused;
    return tileDeclarations(Draft) + placeDeclarations(text) +
           Fills.declarations() + Declared +
           Draft.valueDeclarations("  ", extent()) + text;
  }

private:
  bool isRepeated() const { return Draft.movesBlocks(); }
  std::uint32_t axis() const { return Draft.group.elementsAxis; }
  /// `[4]`: of values that each of a thread's elements has.
  std::string extent() const {
    return isRepeated() ? "[" + Draft.count() + "]" : "";
  }
  std::uint64_t threads() const { return cellsOf(Draft.group.block, {}); }
  std::string threadsText() const { return std::to_string(threads()); }

  /// `const int3 name = make_int3(a, b, c);` of a text for each axis.
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
      for (std::uint32_t axis = 1; axis < Draft.rank; ++axis)
        text += " + threadIdx." + std::string(axisName(axis)) + " * " +
                std::to_string(before *= Draft.group.block[axis - 1]);
      text += ";\n";
    }
    if (isRepeated())
      text += "  const unsigned " + Left + " = " + Draft.grid + "." +
              axisName(axis()) + " - " + firstBlock(axis()) + ";\n";
    if (mentions(body, Low))
      text += triple("int3", Low, "  ", [&](std::uint32_t axis) {
        return Reach[axis] == 0
                   ? std::string("0")
                   : "blockIdx." + std::string(axisName(axis)) + " > 0 ? -" +
                         std::to_string(Draft.group.block[axis]) + " : 0";
      });
    if (mentions(body, High))
      text += triple("int3", High, "  ",
                     [&](std::uint32_t axis) { return highText(axis); });
    return text;
  }

  /// The first of the program's blocks that a fused one does the work of.
  std::string firstBlock(std::uint32_t axis) const {
    const std::string block = "blockIdx." + std::string(axisName(axis));
    return isRepeated() && axis == this->axis() ? block + " * " + Draft.count()
                                                : block;
  }

  std::string highText(std::uint32_t axis) const {
    const std::string name = axisName(axis);
    const std::uint32_t threads = Draft.group.block[axis];
    if (!isRepeated() || axis != this->axis())
      return Reach[axis] == 0 ? std::to_string(threads)
                              : "blockIdx." + name + " + 1 < gridDim." + name +
                                    " ? " + std::to_string(threads * 2) +
                                    " : " + std::to_string(threads);
    const std::uint32_t most = Draft.group.elementsPerThread + 1;
    return Left + " < " + std::to_string(most) + " ? " + times(Left, threads) +
           " : " + std::to_string(most * threads);
  }

  //===--------------------------------------------------------------------===//
  // Barriers
  //===--------------------------------------------------------------------===//

  ForwardRole roleInTiles(std::size_t forward, std::size_t member) const {
    return (Draft.runsAround(member) ? Draft.forwardsAround[member]
                                     : Draft.forwards)[forward]
        .roles[member];
  }

  bool mustWait(const Pass &pass) const {
    for (const std::size_t m : pass.members) {
      if (Draft.needsBarrier(m))
        return true;
      for (std::size_t i = 0; i < Draft.forwards.size(); ++i) {
        const std::uint32_t slot = Draft.forwards[i].slot;
        const ForwardRole role = roleInTiles(i, m);
        if (Draft.forwards[i].isTile &&
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

  /// Whether the first member that gives cells their value passes all of them,
  /// and so can say of each that it has none yet.
  bool isClearedBy(std::size_t forward, std::size_t member) const {
    return Draft.group.halos[member] == Draft.forwards[forward].halo;
  }

  bool hasFlags(std::size_t forward) const {
    return Draft.forwards[forward].isTile && Draft.forwards[forward].isPartial;
  }

  /// Says of all cells of a tile that they have no value yet, before a pass
  /// that gives it only to some.
  void clearTiles(std::string &text, const Pass &pass) {
    for (std::size_t i = 0; i < Draft.forwards.size(); ++i)
      for (const std::size_t m : pass.members) {
        if (!hasFlags(i) || !producesFirst(i, m) || isClearedBy(i, m))
          continue;
        const std::uint32_t slot = Draft.forwards[i].slot;
        if (Read.count(slot) || Written.count(slot))
          wait(text);
        Written.insert(slot);
        text += "  for (unsigned " + Cell + " = " + Own + "; " + Cell + " < " +
                std::to_string(cellsOf(Draft.forwards[i].tile, {})) + "; " +
                Cell + " += " + threadsText() + ")\n    (&" + Draft.flags[i] +
                tileElement({"0", "0", "0"}, {}, Draft.rank) + ")[" + Cell +
                "] = false;\n";
      }
  }

  /// The same of a single cell, before the members that may give it a value.
  std::string clearedFlags(const Pass &pass, const PlaceText &place,
                           const std::string &indent) const {
    std::string text;
    for (std::size_t i = 0; i < Draft.forwards.size(); ++i)
      for (const std::size_t m : pass.members)
        if (hasFlags(i) && producesFirst(i, m) && isClearedBy(i, m))
          text += indent + Draft.flags[i] +
                  tileElement(place, Draft.forwards[i].halo, Draft.rank) +
                  " = false;\n";
    return text;
  }

  /// The old content of a single cell, before the members that may give it a
  /// value.
  std::string filled(const Pass &pass, const PlaceText &place,
                     const std::string &indent) {
    std::string text;
    for (const Forward &forward : Draft.forwards) {
      if (!forward.fill ||
          std::find(pass.members.begin(), pass.members.end(),
                    forward.fill->write.member) == pass.members.end())
        continue;
      const std::string &tile = Draft.values[&forward - Draft.forwards.data()];
      const auto fill = Fills.fill(
          forward, tile + tileElement(place, forward.halo, Draft.rank), indent);
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
                        times(firstBlock(axis), Draft.group.block[axis]) +
                        " + " + place[axis] + ";\n";
    return declarations + text;
  }

  //===--------------------------------------------------------------------===//
  // Passes
  //===--------------------------------------------------------------------===//

  /// The values that members of the pass hand to each other.
  std::string passValues(const Pass &pass, const std::string &indent) const {
    std::string text;
    for (std::size_t i = 0; i < Draft.forwards.size(); ++i)
      for (const std::size_t m : pass.members)
        if (Draft.forwards[i].staysInPass &&
            Draft.forwards[i].roles[m].takesPart()) {
          text += Draft.valueDeclaration(i, indent);
          break;
        }
    return text;
  }

  /// Writes the pass for the block's own threads, without their stores if there
  /// are none.
  std::string ownCalls(const Pass &pass, const CallPlace &place,
                       const std::string &indent) {
    std::string text = passValues(pass, indent);
    for (const std::size_t m : pass.members)
      if (Draft.isOwned(m))
        text += Draft.callText(m, indent, place);
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
      Declared += Draft.declareCoordinates(pass.members, place, "  ");
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
    const std::string &v = Draft.element;
    place.block = Block;
    place.element = "[" + v + "]";
    place.number = Cell;
    place.cell[axis()] += " + " + times(v, Draft.group.block[axis()]);
    setIndices(place, 3);
    std::string calls = Draft.declareCoordinates(pass.members, place, "      ");
    calls += ownCalls(pass, place, "      ");
    // An array stays in registers if all its indices are constants.
    if (!Draft.valueDeclarations("").empty())
      text += "#pragma unroll\n";
    text += "  for (unsigned " + v + " = 0; " + v + " < " + Draft.count() +
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
    text += listed("const int3 " + At + " = " + Draft.helpers.around() + "(",
                   {Cell, constants(Work), constants(halo.low),
                    constants(halo.high)},
                   ");", "    ") +
            "\n";
    text += clearedFlags(pass, place.cell, "    ");
    text += filled(pass, place.cell, "    ");
    std::vector<std::string> tests;
    for (std::uint32_t axis = 0; axis < Draft.rank; ++axis) {
      const std::string name = axisName(axis);
      if (halo.low[axis] != 0)
        tests.push_back(place.cell[axis] + " >= " + Low + "." + name);
      if (halo.high[axis] != 0 || (isRepeated() && axis == this->axis()))
        tests.push_back(place.cell[axis] + " < " + High + "." + name);
    }
    setIndices(place, Draft.rank);
    std::string calls =
        Draft.declareCoordinates(pass.members, place, "      ") +
        passValues(pass, "      ");
    for (const std::size_t m : pass.members)
      callAround(calls, m, place, "      ");
    if (mentions(calls, Block) || mentions(calls, Thread))
      calls = threadAround(pass, place, "      ") + calls;
    text += listed("if (", tests, ") {", "    ", " &&") + "\n" + calls +
            "    }\n  }\n";
  }

  /// The global index of the place on each axis; beyond `rank` there is one.
  void setIndices(CallPlace &place, std::uint32_t rank) const {
    for (std::uint32_t axis = 0; axis < 3; ++axis)
      place.at[axis] =
          times("blockIdx." + std::string(axisName(axis)), Work[axis]) +
          (axis < rank ? " + " + place.cell[axis] : "");
  }

  /// Names the original's block and thread at a place.
  std::string threadAround(const Pass &pass, const CallPlace &place,
                           const std::string &indent) {
    std::string text =
        listed("uint3 " + Block + " = make_uint3(",
               {firstBlock(0), firstBlock(1), firstBlock(2)}, ");", indent) +
        "\n" + indent + "uint3 " + Thread + " = threadIdx;\n";
    for (std::uint32_t axis = 0; axis < Draft.rank; ++axis) {
      const std::string name = axisName(axis);
      text += indent + Draft.helpers.move() + "(" + place.cell[axis] + ", " +
              std::to_string(Draft.group.block[axis]) + ", " + Block + "." +
              name + ", " + Thread + "." + name + ");\n";
    }
    // Values that cells share must not be converted once for all of them.
    for (const std::size_t m : pass.members)
      if (Draft.meets[m] && Draft.kernelOf(m).integersToFloating)
        for (const std::string &name : {Block, Thread})
          text += indent + name + " = " + Draft.apart(name, "uint3", m, place) +
                  ";\n";
    return text;
  }

  /// The stage that stores nothing, for a thread of the halo or of the block.
  void callAround(std::string &text, std::size_t member, const CallPlace &place,
                  const std::string &indent) {
    std::vector<std::string> arguments;
    for (const StageArgument &argument : Draft.callsAround[member].arguments)
      arguments.push_back(
          argumentAround(member, argument, place, indent, text));
    text +=
        listed(Draft.callsAround[member].call + "(", arguments, ");", indent) +
        "\n";
    text += Draft.settledValues(member, indent, place, true);
  }

  /// Returns the argument; a value that nobody takes goes to a variable that
  /// `text` declares.
  std::string argumentAround(std::size_t member, const StageArgument &argument,
                             const CallPlace &place, const std::string &indent,
                             std::string &text) {
    const bool isFlag = argument.kind == Kind::Written;
    if (!isFlag && argument.kind != Kind::Forward)
      return Draft.argumentText(member, argument, place);
    const Forward &value = Draft.forwardsAround[member][argument.index];
    if (isTakenAround(value, member)) {
      const std::string &name =
          (isFlag ? Draft.flags : Draft.values)[argument.index];
      if (value.staysInPass)
        return name;
      const std::string element =
          name + tileElement(place.cell, value.halo, Draft.rank);
      return Draft.elementText(member, value, element, place);
    }
    const std::string name = Draft.names.local("kfuseUnused", Draft.taken);
    text += indent +
            (isFlag ? "bool " + name + " = {};\n"
                    : variableOf(value.element, name, Draft.program.language));
    return name;
  }

  KernelDraft &Draft;
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

Result<std::string> writeTiles(KernelDraft &draft) {
  return Writer(draft).run();
}

} // namespace kfuse
