//===- codegen/KernelWriter.cpp - The fused kernel as a list of stages ----===//
#include "codegen/KernelWriter.h"

#include "codegen/Coordinates.h"
#include "codegen/Expressions.h"
#include "codegen/ParameterText.h"
#include "fusion/Tiles.h"

#include <algorithm>
#include <set>

namespace kfuse {
namespace {

using Kind = StageArgument::Kind;

const char *axisName(std::uint32_t axis) {
  static constexpr const char *Names[] = {"x", "y", "z"};
  return Names[std::min<std::uint32_t>(axis, 2)];
}

bool usesShared(const Kernel &kernel) {
  return kernel.staticSharedBytes != 0 || kernel.usesDynamicShared;
}

/// `a`, `a and b`, `a, b and c`.
std::string joined(const std::vector<std::string> &items) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i)
    text += (i == 0 ? "" : i + 1 == items.size() ? " and " : ", ") + items[i];
  return text;
}

class Writer {
public:
  Writer(const Program &program, const FusedKernel &kernel, StageBook &stages,
         Names &names, Helpers &helpers)
      : Code(program), Group(kernel), Book(stages), Unique(names),
        Tools(helpers) {}

  Result<FusedCode> run() {
    auto forwarded = forwards(Code, Group);
    if (const Refusal *refusal = refusalOf(forwarded))
      return *refusal;
    Forwards = std::get<std::vector<Forward>>(std::move(forwarded));
    if (const std::string why = checkSchedule(); !why.empty())
      return Refusal{why};
    if (const std::string why = writeStages(); !why.empty())
      return Refusal{why};
    Fused.name = Unique.fresh(Group.name);
    Parameters = fusedParameters(Code, Group, Calls, Unique, Taken);
    nameLocals();
    if (const std::string why = writeBody(); !why.empty())
      return Refusal{why};
    if (const std::string why = writeHead(); !why.empty())
      return Refusal{why};
    writeComment();
    return std::move(Fused);
  }

private:
  const Launch &launchOf(std::size_t member) const {
    return Code[Group.launches[member]];
  }
  const Kernel &kernelOf(std::size_t member) const {
    return Code[launchOf(member).kernel];
  }
  std::size_t members() const { return Group.launches.size(); }
  bool movesBlocks() const { return Group.elementsPerThread > 1; }
  bool hasTiles() const { return Group.schedule == Schedule::Tile; }
  /// Whether the member runs for threads around the block too.
  bool runsAgain(std::size_t member) const {
    return member < Group.halos.size() && !Group.halos[member].isEmpty();
  }

  /// Decides where the grid-stride loop stands.
  std::string checkSchedule() {
    std::size_t loops = 0;
    bool isAlike = true, forwardsInLoop = false;
    for (std::size_t m = 0; m < members(); ++m) {
      const Kernel &kernel = kernelOf(m);
      const auto &loop = kernel.gridStride;
      const auto &first = kernelOf(0).gridStride;
      loops += loop ? 1 : 0;
      isAlike &= loop && first && loop->axis == first->axis &&
                 loop->type == first->type && kernel.barriers == 0 &&
                 !usesShared(kernel);
      for (const Forward &forward : Forwards)
        forwardsInLoop |= loop && forward.roles[m].takesPart();
      if (movesBlocks() && (kernel.barriers != 0 || usesShared(kernel) ||
                            has(kernel, KernelFeature::CoordinatesInCallee)))
        return "'" + kernel.name + "' can't run for several blocks in turn";
    }
    Hoists = loops == members() && isAlike && !movesBlocks();
    if (forwardsInLoop && !Hoists)
      return "a value passes between grid-stride loops that differ";
    std::size_t dynamic = 0;
    for (std::size_t m = 0; m < members(); ++m)
      dynamic += kernelOf(m).usesDynamicShared ? 1 : 0;
    return dynamic > 1 ? "two members use dynamic shared memory" : "";
  }

  /// Whether the member leaves something else than values in tiles: stores, or
  /// values for its own thread.
  bool isOwned(std::size_t member) const {
    if (!runsAgain(member))
      return true;
    for (const Forward &value : Again[member]) {
      const bool isInTile = value.isTile && isInTileOf(value, member);
      const Forward *kept = nullptr;
      for (const Forward &forward : Forwards)
        if (forward.array == value.array)
          kept = &forward;
      if (value.roles[member].produces && (!kept || kept->stored || !isInTile))
        return true;
    }
    return false;
  }

  /// Whether the stage that runs again takes or leaves the value in its tile.
  static bool isInTileOf(const Forward &value, std::size_t member) {
    const ForwardRole role = value.roles[member];
    return role.consumes || (role.produces && value.isUsedAfter(member));
  }

  StageRequest requestFor(std::size_t member) const {
    const Kernel &kernel = kernelOf(member);
    StageRequest request;
    request.launch = Group.launches[member];
    request.member = member;
    request.forwards = &Forwards;
    request.movesBlocks = movesBlocks();
    request.hoistsLoop = Hoists;
    request.sharedWithWriter.resize(kernel.parameters.size());
    for (std::size_t p = 0; p < kernel.pointers.size(); ++p) {
      const PointerParameter &pointer = kernel.pointers[p];
      if (pointer.global || pointer.parameter >= kernel.parameters.size())
        continue;
      for (std::size_t other = 0; other < members(); ++other)
        if (other != member &&
            mayWrite(Code, launchOf(other), launchOf(member).pointers[p].array))
          request.sharedWithWriter[pointer.parameter] = true;
    }
    return request;
  }

  std::string writeStages() {
    for (std::size_t m = 0; m < members(); ++m) {
      StageRequest request = requestFor(m);
      Again.push_back(forwardsAgain(Code, Group, Forwards, m));
      CallsAgain.emplace_back();
      if (runsAgain(m)) {
        StageRequest elsewhere = request;
        elsewhere.forwards = &Again[m];
        elsewhere.movesThreads = true;
        auto stage = Book.stage(elsewhere);
        if (const Refusal *refusal = refusalOf(stage))
          return refusal->reason;
        CallsAgain[m] = std::get<StageCall>(std::move(stage));
      }
      if (!isOwned(m)) {
        Calls.push_back(CallsAgain[m]);
        continue;
      }
      auto stage = Book.stage(request);
      if (const Refusal *refusal = refusalOf(stage))
        return refusal->reason;
      Calls.push_back(std::get<StageCall>(std::move(stage)));
    }
    return {};
  }

  /// The name by which the forward's producer knows the array.
  std::string userName(const Forward &forward) const {
    for (std::size_t m = 0; m < members(); ++m) {
      if (!forward.roles[m].takesPart())
        continue;
      const auto accesses = accessesTo(Code, launchOf(m), forward.array);
      if (accesses.empty())
        continue;
      const PointerParameter &pointer =
          kernelOf(m).pointers[accesses.front()->pointer];
      if (!pointer.global && pointer.path.empty())
        return kernelOf(m).parameters[pointer.parameter].name;
      break;
    }
    return arrayName(forward);
  }

  /// The name by which the host knows it.
  std::string arrayName(const Forward &forward) const {
    const std::string &name = Code[forward.array].name;
    const bool isName =
        !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
          return isIdentifierCharacter(c);
        });
    return isName ? name : "array";
  }

  /// What to call the forwards: by the producers' names where these differ.
  std::vector<std::string> forwardNames() const {
    std::vector<std::string> names;
    for (const Forward &forward : Forwards) {
      const std::string name = userName(forward);
      const auto isAlike = [&](const Forward &other) {
        return userName(other) == name;
      };
      const bool isUnique =
          std::count_if(Forwards.begin(), Forwards.end(), isAlike) == 1;
      names.push_back(isUnique ? name : arrayName(forward));
    }
    return names;
  }

  void nameLocals() {
    const std::vector<std::string> userNames = forwardNames();
    for (std::size_t i = 0; i < Forwards.size(); ++i) {
      const Forward &forward = Forwards[i];
      const std::string &name = userNames[i];
      Values.push_back(
          Unique.local(name + (forward.isTile ? "_tile" : "_value"), Taken));
      Flags.push_back(forward.isPartial ? Unique.local(name + "_written", Taken)
                                        : "");
    }
    Fused.passesGrid = movesBlocks();
    if (Fused.passesGrid) {
      Grid = Unique.local("kfuseGrid", Taken);
      Counter = Unique.inner("v", Taken);
      Block = Unique.inner("block", Taken);
    }
    if (hasTiles())
      nameTileLocals();
    Zero = Unique.local("kfuseZero", Taken);
    if (Hoists)
      Index = Unique.inner(kernelOf(0).gridStride->variable, Taken);
  }

  const FusedParameter *parameterFor(std::size_t member,
                                     std::size_t parameter) const {
    for (const FusedParameter &known : Parameters)
      for (const ParameterSource source : known.sources)
        if (source == ParameterSource{member, parameter})
          return &known;
    return nullptr;
  }

  /// V, as text.
  std::string count() const { return std::to_string(Group.elementsPerThread); }

  /// The zero of a member and of the element of the thread it works on: where
  /// all had one, the compiler would move what they share out of the loop.
  std::string zeroText(std::size_t member) {
    UsesZeros = true;
    const std::string number =
        std::to_string(member) +
        (movesBlocks() ? " * " + count() + " + " + Counter : "");
    return Zero + "." + Tools.zeroMember() + "[" + number + "]";
  }

  std::string apart(const std::string &value, std::size_t member) {
    return Tools.apart() + "(" + value + ", " + zeroText(member) + ")";
  }

  /// Whether a load through the pointer can give several elements of a thread
  /// the same value.
  bool loadsUniformly(std::size_t member, std::size_t pointer) const {
    const auto &accesses = kernelOf(member).accesses;
    return std::any_of(
        accesses.begin(), accesses.end(), [&](const Access &access) {
          const auto *index = std::get_if<Polynomial>(&access.index);
          return access.pointer == pointer && access.kind == AccessKind::Read &&
                 !(index && index->mentions(Symbol{SymbolKind::BlockIdx, 0}));
        });
  }

  /// Whether the compiler could compute with the argument in one stage what it
  /// computes in another, or for another element of the thread. Integers in
  /// memory may be floating-point values' bits.
  bool mustBeApart(std::size_t member, std::size_t parameter) const {
    const Kernel &kernel = kernelOf(member);
    const FusedParameter &fused = *parameterFor(member, parameter);
    const bool isShared =
        std::any_of(fused.sources.begin(), fused.sources.end(),
                    [&](ParameterSource s) { return s.member != member; });
    if (!isShared && !movesBlocks())
      return false;
    for (std::size_t p = 0; p < kernel.pointers.size(); ++p) {
      const PointerParameter &pointer = kernel.pointers[p];
      if (!pointer.global && pointer.path.empty() &&
          pointer.parameter == parameter)
        return isShared || loadsUniformly(member, p);
    }
    // Integers take no part in contractions; what is neither a known integer
    // nor a pointer may hold floating-point values.
    return !std::any_of(kernel.scalars.begin(), kernel.scalars.end(),
                        [&](const ScalarParameter &scalar) {
                          return scalar.parameter == parameter &&
                                 scalar.path.empty();
                        });
  }

  /// What the member gets of a forward, or of whether it has a value.
  std::string valueText(std::size_t member, std::size_t forward,
                        const std::vector<std::string> &names,
                        const std::string &element) const {
    if (!Forwards[forward].isTile)
      return names[forward] + element;
    const std::string cell =
        names[forward] + tileElement(Place, Forwards[forward].halo, Rank);
    return Forwards[forward].roles[member].produces ? cell : "&" + cell;
  }

  std::string argumentText(std::size_t member, const StageArgument &argument,
                           const std::string &element) {
    switch (argument.kind) {
    case Kind::Block:
      return Block;
    case Kind::Thread:
      return Thread;
    case Kind::Grid:
      return Grid;
    case Kind::Parameter: {
      const std::string &name = parameterFor(member, argument.index)->name;
      return mustBeApart(member, argument.index) ? apart(name, member) : name;
    }
    case Kind::Forward:
      return valueText(member, argument.index, Values, element);
    case Kind::Written:
      return valueText(member, argument.index, Flags, element);
    case Kind::LoopVariable:
      return Index;
    }
    return {};
  }

  /// A member's call, and then the values it had in registers set apart for
  /// the next stage, each named with `element` behind it.
  std::string callText(std::size_t member, const std::string &indent,
                       const std::string &element = "") {
    std::vector<std::string> arguments;
    for (const StageArgument &argument : Calls[member].arguments)
      arguments.push_back(argumentText(member, argument, element));
    std::string text =
        listed(Calls[member].call + "(", arguments, ");", indent) + "\n";
    for (std::size_t i = 0; i < Forwards.size(); ++i) {
      const std::string value = Values[i] + element;
      if (!Forwards[i].isTile && Forwards[i].roles[member].takesPart() &&
          Forwards[i].isUsedAfter(member))
        text += indent + value + " = " + apart(value, member) + ";\n";
    }
    return text;
  }

  std::string valueDeclarations(const std::string &indent,
                                const std::string &extent = "") const {
    std::string text;
    for (std::size_t i = 0; i < Forwards.size(); ++i) {
      if (Forwards[i].isTile)
        continue;
      text += indent + Forwards[i].element.spelling + " " + Values[i] + extent +
              " = {};\n";
      if (Forwards[i].isPartial)
        text += indent + "bool " + Flags[i] + extent + " = {};\n";
    }
    return text;
  }

  /// One kernel launched twice shares its `__shared__` arrays: what the first
  /// call still reads the second must not overwrite.
  bool needsBarrier(std::size_t member) const {
    if (!usesShared(kernelOf(member)))
      return false;
    for (std::size_t m = 0; m < member; ++m)
      if (kernelOf(m).text.declaration == kernelOf(member).text.declaration)
        return true;
    return false;
  }

  std::string writeBody() {
    std::string text = "{\n";
    if (Hoists) {
      const std::string why = writeLoop(text);
      if (!why.empty())
        return why;
    } else if (movesBlocks()) {
      writeBlocks(text);
    } else if (hasTiles()) {
      writeTiles(text);
    } else {
      text += valueDeclarations("  ");
      for (std::size_t m = 0; m < members(); ++m) {
        if (needsBarrier(m))
          text += "  __syncthreads();\n";
        text += callText(m, "  ");
      }
    }
    Fused.body = text + "}";
    return {};
  }

  void nameTileLocals() {
    Cell = Unique.inner("cell", Taken);
    Block = Unique.inner("block", Taken);
    Thread = Unique.inner("thread", Taken);
    Counter = Unique.inner("kfuseThread", Taken);
    Low = Unique.inner("kfuseLow", Taken);
    High = Unique.inner("kfuseHigh", Taken);
    First = Unique.inner("kfuseFirst", Taken);
    for (std::uint32_t axis = 0; axis < 3; ++axis)
      Axes[axis] = Unique.inner(axisName(axis), Taken);
    for (const Halo &halo : Group.halos)
      for (std::uint32_t axis = 0; axis < 3; ++axis)
        Widest[axis] =
            std::max({Widest[axis], halo.low[axis], halo.high[axis]});
    Extents reach{};
    for (std::uint32_t axis = 0; axis < 3; ++axis)
      reach[axis] = Group.block[axis] + Widest[axis];
    Rank = rankOf(reach);
  }

  /// `make_uint3(a, b, c)` of a text for each axis.
  template <typename Text>
  static std::string triple(const char *make, Text text) {
    return std::string(make) + "(" + text(0) + ", " + text(1) + ", " + text(2) +
           ")";
  }

  /// The tiles, and what every pass over cells needs: which places around the
  /// block's first thread exist. As for `first`: one block back where there is
  /// one, so that no thread there counts from below zero.
  std::string tileDeclarations() const {
    std::string text;
    for (std::size_t i = 0; i < Forwards.size(); ++i) {
      if (!Forwards[i].isTile)
        continue;
      const std::string dimensions = tileDimensions(Forwards[i].tile, Rank);
      text += "  __shared__ " + Forwards[i].element.spelling + " " + Values[i] +
              dimensions + ";\n";
      if (Forwards[i].isPartial)
        text += "  __shared__ bool " + Flags[i] + dimensions + ";\n";
    }
    text += "  const unsigned " + Counter + " = threadIdx.x";
    std::uint64_t before = 1;
    for (std::uint32_t axis = 1; axis < Rank; ++axis)
      text += " + threadIdx." + std::string(axisName(axis)) + " * " +
              std::to_string(before *= Group.block[axis - 1]);
    const auto block = [&](std::uint32_t axis) {
      return std::string("blockIdx.") + axisName(axis);
    };
    const auto size = [&](std::uint32_t axis, std::uint32_t times) {
      return std::to_string(Group.block[axis] * times);
    };
    text += ";\n  const int3 " + Low + " = " +
            triple("make_int3", [&](std::uint32_t axis) {
              return Widest[axis] == 0
                         ? "0"
                         : block(axis) + " > 0 ? -" + size(axis, 1) + " : 0";
            });
    text += ";\n  const int3 " + High + " = " +
            triple("make_int3", [&](std::uint32_t axis) {
              return Widest[axis] == 0
                         ? size(axis, 1)
                         : block(axis) + " + 1 < gridDim." + axisName(axis) +
                               " ? " + size(axis, 2) + " : " + size(axis, 1);
            });
    text += ";\n  const uint3 " + First + " = " +
            triple("make_uint3", [&](std::uint32_t axis) {
              return block(axis) +
                     (Widest[axis] == 0 ? "" : " - (" + block(axis) + " > 0)");
            });
    return text + ";\n";
  }

  /// The stages in order, with a barrier wherever a thread needs or overwrites
  /// what others left in a tile.
  void writeTiles(std::string &text) {
    const PlaceText own = {"threadIdx.x", "threadIdx.y", "threadIdx.z"};
    text += tileDeclarations() + valueDeclarations("  ");
    std::vector<bool> isRead(Forwards.size()), isWritten(Forwards.size());
    for (std::size_t i = 0; i < Forwards.size(); ++i)
      if (Forwards[i].isTile && Forwards[i].isPartial && !isClearedByFirst(i)) {
        isWritten[i] = true;
        text += cellLoop(Forwards[i].halo) + "\n    (&" + Flags[i] +
                tileElement({"0", "0", "0"}, {}, Rank) + ")[" + Cell +
                "] = false;\n";
      }
    for (std::size_t m = 0; m < members(); ++m) {
      bool mustWait = needsBarrier(m);
      for (std::size_t i = 0; i < Forwards.size(); ++i) {
        const ForwardRole role = roleInTiles(i, m);
        mustWait |= Forwards[i].isTile &&
                    ((role.produces && (isRead[i] || isWritten[i])) ||
                     (role.consumes && isWritten[i]));
      }
      if (mustWait) {
        text += "  __syncthreads();\n";
        isRead.assign(Forwards.size(), false);
        isWritten.assign(Forwards.size(), false);
      }
      for (std::size_t i = 0; i < Forwards.size(); ++i) {
        isRead[i] = isRead[i] || roleInTiles(i, m).consumes;
        isWritten[i] = isWritten[i] || roleInTiles(i, m).produces;
      }
      Place = own;
      if (isOwned(m))
        text += clearedFlags(m, "  ") + callText(m, "  ");
      if (runsAgain(m))
        writeAgain(text, m);
    }
  }

  /// `for (unsigned cell = kfuseThread; cell < 340; cell += 256)`.
  std::string cellLoop(const Halo &halo) const {
    return "  for (unsigned " + Cell + " = " + Counter + "; " + Cell + " < " +
           std::to_string(cellsOf(Group.block, halo)) + "; " + Cell +
           " += " + std::to_string(cellsOf(Group.block, {})) + ")";
  }

  /// Whether the first member that gives cells their value passes all of them,
  /// and so can say of each that it has none yet.
  bool isClearedByFirst(std::size_t forward) const {
    for (std::size_t m = 0; m < members(); ++m)
      if (roleInTiles(forward, m).produces)
        return m < Group.halos.size() &&
               Group.halos[m] == Forwards[forward].halo;
    return false;
  }

  /// Before the first member that may give a cell of a tile its value: that it
  /// has none yet.
  std::string clearedFlags(std::size_t member,
                           const std::string &indent) const {
    std::string text;
    for (std::size_t i = 0; i < Forwards.size(); ++i) {
      const Forward &forward = Forwards[i];
      if (forward.isTile && forward.isPartial && isClearedByFirst(i) &&
          producesFirst(i, member))
        text += indent + Flags[i] + tileElement(Place, forward.halo, Rank) +
                " = false;\n";
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
    return (runsAgain(member) ? Again[member] : Forwards)[forward]
        .roles[member];
  }

  /// The member for each thread of the block's surroundings, and for its own
  /// too where nothing of them is stored.
  void writeAgain(std::string &text, std::size_t member) {
    const Halo &halo = Group.halos[member];
    const Extents tile = tileExtents(Group.block, halo);
    const PlaceText places = placesOfCell(Cell, tile, halo, Rank);
    text += cellLoop(halo) + " {\n";
    for (std::uint32_t axis = 0; axis < Rank; ++axis)
      text += "    const int " + Axes[axis] + " = " + places[axis] + ";\n";
    Place = Axes;
    if (isOwned(member))
      text += "    if (" + isInBlock(Place, Group.block, halo) +
              ")\n      continue;\n";
    text += clearedFlags(member, "    ");
    std::string test;
    for (std::uint32_t axis = 0; axis < Rank; ++axis) {
      const std::string name = axisName(axis);
      if (halo.low[axis] != 0)
        test += (test.empty() ? "" : " && ") + Axes[axis] + " >= " + Low + "." +
                name;
      if (halo.high[axis] != 0)
        test += (test.empty() ? "" : " && ") + Axes[axis] + " < " + High + "." +
                name;
    }
    text += "    if (" + test + ") {\n" + threadAgain(member, "      ");
    std::vector<std::string> arguments;
    for (const StageArgument &argument : CallsAgain[member].arguments)
      arguments.push_back(argumentAgain(member, argument, text));
    text += listed(CallsAgain[member].call + "(", arguments, ");", "      ") +
            "\n    }\n  }\n";
  }

  /// Names the block and thread at a place: the original's, or where the text
  /// only adds them up any with the same sum.
  std::string threadAgain(std::size_t member, const std::string &indent) {
    const Kernel &kernel = kernelOf(member);
    const bool hasSums = !has(kernel, KernelFeature::CoordinatesInMacro) &&
                         usesOnlyGlobalIndex(Book.textOf(kernel));
    const auto place = [&](std::uint32_t axis) {
      return axis < Rank ? Axes[axis] + " - " + Low + "." + axisName(axis)
                         : std::string("0");
    };
    if (hasSums)
      return indent + "const uint3 " + Block + " = " + First + ", " + Thread +
             " = " + triple("make_uint3", place) + ";\n";
    std::string text = indent + "uint3 " + Block + " = blockIdx, " + Thread +
                       " = threadIdx;\n";
    for (std::uint32_t axis = 0; axis < Rank; ++axis) {
      const std::string name = axisName(axis);
      text += indent + Tools.move() + "(" + Axes[axis] + ", " +
              std::to_string(Group.block[axis]) + ", " + Block + "." + name +
              ", " + Thread + "." + name + ");\n";
    }
    return text;
  }

  /// What nobody takes goes to a variable that `text` declares.
  std::string argumentAgain(std::size_t member, const StageArgument &argument,
                            std::string &text) {
    const bool isFlag = argument.kind == Kind::Written;
    if (!isFlag && argument.kind != Kind::Forward)
      return argumentText(member, argument, "");
    const Forward &value = Again[member][argument.index];
    if (value.isTile && isInTileOf(value, member)) {
      const std::string element = (isFlag ? Flags : Values)[argument.index] +
                                  tileElement(Place, value.halo, Rank);
      return value.roles[member].produces ? element : "&" + element;
    }
    const std::string name = Unique.local("kfuseUnused", Taken);
    text += "      " + (isFlag ? "bool" : value.element.spelling) + " " + name +
            " = {};\n";
    return name;
  }

  std::string blockDeclaration(const std::string &indent) const {
    return indent + "const uint3 " + Block + " = make_uint3(blockIdx.x * " +
           count() + " + " + Counter + ", blockIdx.y, blockIdx.z);\n";
  }

  /// The stages for each of the thread's logical blocks. Where all of these
  /// exist nothing tests for them, and each stage has a loop of its own: that
  /// keeps the most loads in flight. Measured on an H200, a chain of three over
  /// 268M floats, V = 4: so 4,413 GB/s, with a test in each loop 3,563. Both
  /// loops are unrolled: the zeros would be copied to local memory otherwise,
  /// to be indexed there, which halved the speed of a group of six.
  void writeBlocks(std::string &text) {
    text += "  if (blockIdx.x * " + count() + " + " + count() + " <= " + Grid +
            ".x) {\n" + valueDeclarations("    ", "[" + count() + "]");
    for (std::size_t m = 0; m < members(); ++m)
      text += "#pragma unroll\n    for (unsigned " + Counter + " = 0; " +
              Counter + " < " + count() + "; ++" + Counter + ") {\n" +
              blockDeclaration("      ") +
              callText(m, "      ", "[" + Counter + "]") + "    }\n";
    text += "  } else {\n#pragma unroll\n    for (unsigned " + Counter +
            " = 0; " + Counter + " < " + count() + " && blockIdx.x * " +
            count() + " + " + Counter + " < " + Grid + ".x; ++" + Counter +
            ") {\n" + blockDeclaration("      ") + valueDeclarations("      ");
    for (std::size_t m = 0; m < members(); ++m)
      text += callText(m, "      ");
    text += "    }\n  }\n";
  }

  /// `i < n` for a member's grid-stride loop.
  std::optional<std::string> loopTest(std::size_t member) const {
    const Kernel &kernel = kernelOf(member);
    const auto symbol = [&](Symbol s) -> std::optional<std::string> {
      if (s.kind == SymbolKind::BlockDim && s.index < 3)
        return std::string("blockDim.") + axisName(s.index);
      if (s.kind == SymbolKind::GridDim && s.index < 3)
        return std::string("gridDim.") + axisName(s.index);
      if (s.kind != SymbolKind::Parameter || s.index >= kernel.scalars.size())
        return std::nullopt;
      const ScalarParameter &scalar = kernel.scalars[s.index];
      const FusedParameter *parameter = parameterFor(member, scalar.parameter);
      if (!parameter)
        return std::nullopt;
      return parameter->name + scalar.path;
    };
    const auto bound =
        expressionText(kernel.gridStride->bound, Code.terms, symbol);
    if (!bound)
      return std::nullopt;
    return Index + " < " + *bound;
  }

  std::string writeLoop(std::string &text) {
    std::vector<std::string> tests, distinct;
    for (std::size_t m = 0; m < members(); ++m) {
      const auto test = loopTest(m);
      if (!test)
        return "the bound of the grid-stride loop of '" + kernelOf(m).name +
               "' has no text";
      tests.push_back(*test);
      if (std::find(distinct.begin(), distinct.end(), *test) == distinct.end())
        distinct.push_back(*test);
    }
    const GridStrideLoop &loop = *kernelOf(0).gridStride;
    const std::string axis = axisName(loop.axis);
    std::string condition;
    for (const std::string &test : distinct)
      condition += (condition.empty() ? "" : " || ") + test;
    text += "  for (" + loop.type + " " + Index + " = blockIdx." + axis +
            " * blockDim." + axis + " + threadIdx." + axis + "; " + condition +
            ";\n       " + Index + " += blockDim." + axis + " * gridDim." +
            axis + ") {\n" + valueDeclarations("    ");
    for (std::size_t m = 0; m < members(); ++m) {
      if (distinct.size() == 1)
        text += callText(m, "    ");
      else
        text +=
            "    if (" + tests[m] + ") {\n" + callText(m, "      ") + "    }\n";
    }
    text += "  }\n";
    return {};
  }

  std::string writeHead() {
    std::vector<std::string> items;
    for (const FusedParameter &parameter : Parameters) {
      if (!isSpellable(parameter.type))
        return "the type of " + parameter.name + " can't be written";
      items.push_back(
          declare(parameter.type, parameter.name, parameter.isRestrict));
      Fused.arguments.push_back(parameter.representative);
      Fused.passed.insert(parameter.sources.begin(), parameter.sources.end());
    }
    if (Fused.passesGrid)
      items.push_back("dim3 " + Grid);
    if (UsesZeros) {
      const std::string type =
          Tools.zeros() + "<" +
          std::to_string(members() * Group.elementsPerThread) + ">";
      items.push_back(type + " " + Zero);
      Fused.zeros = type + "{}";
    }
    std::optional<std::uint32_t> threads = kernelOf(0).maxThreads;
    for (std::size_t m = 1; m < members() && threads; ++m) {
      const auto other = kernelOf(m).maxThreads;
      threads = other ? std::optional(std::min(*threads, *other)) : other;
    }
    const std::string bounds =
        threads ? "__launch_bounds__(" + std::to_string(*threads) + ") " : "";
    Fused.head = listed("static __global__ void " + bounds + Fused.name + "(",
                        items, ")", "");
    return {};
  }

  /// `line 12`, or `line 12 of kernels.h` for another file than the input.
  std::string placeText(const Kernel &kernel) const {
    const SourceRange &range = kernel.text.declaration;
    const std::string &path = Code.files[range.file].path;
    return "line " + std::to_string(range.line) +
           (range.file == 0 ? ""
                            : " of " + path.substr(path.find_last_of('/') + 1));
  }

  void writeComment() {
    std::vector<std::string> names, kept, dropped, tiles;
    for (std::size_t m = 0; m < members(); ++m)
      names.push_back("'" + kernelOf(m).name + "' (" + placeText(kernelOf(m)) +
                      ")");
    const std::vector<std::string> userNames = forwardNames();
    for (std::size_t i = 0; i < Forwards.size(); ++i) {
      const Forward &forward = Forwards[i];
      const bool isNoted = forward.isTile && !forward.stored;
      (forward.isTile   ? tiles
       : forward.stored ? kept
                        : dropped)
          .push_back(userNames[i] + (isNoted ? " (never stored)" : ""));
    }
    std::string text = "kfuse: " + joined(names) + " as one kernel.";
    if (!kept.empty())
      text += " " + joined(kept) + (kept.size() == 1 ? " passes" : " pass") +
              " in a register and " + (kept.size() == 1 ? "is" : "are") +
              " stored too.";
    if (!dropped.empty())
      text += " " + joined(dropped) +
              (dropped.size() == 1 ? " passes" : " pass") +
              " in a register and " + (dropped.size() == 1 ? "is" : "are") +
              " never stored.";
    if (!tiles.empty())
      text += " " + joined(tiles) + (tiles.size() == 1 ? " passes" : " pass") +
              " in shared memory, where a block also computes what its "
              "neighbours' threads take from other blocks.";
    if (movesBlocks())
      text += " A block does the work of " +
              std::to_string(Group.elementsPerThread) + " original blocks.";
    Fused.comment = commentLines(text, "");
  }

  const Program &Code;
  const FusedKernel &Group;
  StageBook &Book;
  Names &Unique;
  Helpers &Tools;
  std::vector<Forward> Forwards;
  std::vector<StageCall> Calls; ///< by member
  /// By member that runs for other threads too: its values, and its call there.
  std::vector<std::vector<Forward>> Again;
  std::vector<StageCall> CallsAgain;
  std::vector<FusedParameter> Parameters;
  std::vector<std::string> Values; ///< by forward
  std::vector<std::string> Flags;  ///< by forward: whether it has a value
  std::set<std::string> Taken;
  std::string Grid, Zero, Counter, Block, Index;
  std::string Cell, Thread, Low, High, First; ///< of passes over cells
  Extents Widest{};                           ///< of the members' halos
  PlaceText Axes, Place; ///< names of a cell's place; the place to call for
  std::uint32_t Rank = 1;
  bool Hoists = false;
  bool UsesZeros = false;
  FusedCode Fused;
};

} // namespace

Result<FusedCode> writeKernel(const Program &program, const FusedKernel &kernel,
                              StageBook &stages, Names &names,
                              Helpers &helpers) {
  return Writer(program, kernel, stages, names, helpers).run();
}

} // namespace kfuse
