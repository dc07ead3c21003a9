//===- Writer.cpp - The fused kernel as a list of stages ------------------===//
#include "codegen/kernel/Writer.h"

#include "codegen/body/MergedBody.h"
#include "codegen/draft/Contractible.h"
#include "codegen/kernel/Comment.h"
#include "codegen/stage/ForwardRounding.h"
#include "codegen/text/BodyText.h"
#include "codegen/text/ParameterText.h"
#include "codegen/tile/Writer.h"
#include "fusion/group/GroupChecks.h"

#include <algorithm>

namespace kfuse {
namespace {

/// Replaces CUDA's `__restrict__` by OpenCL's `restrict`.
std::string inOpenCl(std::string declaration) {
  const std::string word = "__restrict__";
  if (const std::size_t at = declaration.find(word); at != std::string::npos)
    declaration.replace(at, word.size(), "restrict");
  return declaration;
}

class Writer {
public:
  Writer(const Program &program, const FusedKernel &kernel, StageCache &stages,
         Names &names, Helpers &helpers)
      : Draft(program, kernel, stages, names, helpers) {}

  /// Puts the members' statements in one body; nullopt if that can't be.
  std::optional<FusedCode> runMerged(bool mayDeclare) {
    auto forwarded = kfuse::forwards(Draft.program, Draft.group);
    if (refusalOf(forwarded))
      return std::nullopt;
    Draft.forwards = std::get<std::vector<Forward>>(std::move(forwarded));
    auto body = mergedBody(Draft, mayDeclare);
    if (!body)
      return std::nullopt;
    Merged = std::move(body);
    Fused.isMerged = true;
    Fused.text.body = Merged->text;
    Renames numbers;
    for (const std::string &value : Draft.values)
      numbers[value] = std::to_string(numbers.size());
    Fused.text.key = renamed(Merged->text, numbers);
    Fused.passesGrid = Draft.movesBlocks();
    if (!writeHead().empty() || !Draft.problem.empty())
      return std::nullopt;
    Fused.text.comment = kernelComment(Draft, Fused.isMerged);
    return std::move(Fused);
  }

  Result<FusedCode> run() {
    auto forwarded = kfuse::forwards(Draft.program, Draft.group);
    if (const Refusal *refusal = refusalOf(forwarded))
      return *refusal;
    Draft.forwards = std::get<std::vector<Forward>>(std::move(forwarded));
    if (const std::string why = checkSchedule(); !why.empty())
      return Refusal{why};
    Draft.meets =
        Draft.group.apart.empty()
            ? meetingMembers(Draft.program, Draft.group, Draft.forwards)
            : std::vector<bool>(Draft.members(), true);
    if (const std::string why = writeStages(); !why.empty())
      return Refusal{why};
    for (const Forward &forward : Draft.forwards)
      addIdentifiers(forward.element.spelling, Draft.taken);
    for (const StageCall &call : Draft.calls)
      addIdentifiers(call.call, Draft.taken);
    if (Draft.hoists)
      addIdentifiers(Draft.kernelOf(firstRun()).gridStride->type, Draft.taken);
    Draft.parameters = fusedParameters(Draft.program, Draft.group, Draft.calls,
                                       Draft.names, Draft.taken);
    nameLocals();
    if (const std::string why = writeBody(); !why.empty())
      return Refusal{why};
    if (const std::string why = writeHead(); !why.empty())
      return Refusal{why};
    if (!Draft.problem.empty())
      return Refusal{Draft.problem};
    Fused.text.comment = kernelComment(Draft, Fused.isMerged);
    return std::move(Fused);
  }

private:
  /// The first member that is run.
  std::size_t firstRun() const {
    std::size_t member = 0;
    while (Draft.isComputed(member))
      ++member;
    return member;
  }

  /// Decides where the grid-stride loop stands.
  std::string checkSchedule() {
    std::size_t loops = 0, runs = 0;
    for (std::size_t m = 0; m < Draft.members(); ++m)
      runs += Draft.isComputed(m) ? 0 : 1;
    bool isAlike = true, forwardsInLoop = false;
    for (std::size_t m = 0; m < Draft.members(); ++m) {
      const Kernel &kernel = Draft.kernelOf(m);
      if (Draft.fitOf(m).isIteration || Draft.isComputed(m))
        continue;
      const auto &loop = kernel.gridStride;
      const auto &first = Draft.kernelOf(firstRun()).gridStride;
      loops += loop ? 1 : 0;
      isAlike &= loop && first && loop->axis == first->axis &&
                 loop->type == first->type && kernel.barriers == 0 &&
                 !usesShared(kernel);
      for (const Forward &forward : Draft.forwards)
        forwardsInLoop |= loop && forward.roles[m].takesPart();
      if (Draft.movesBlocks() &&
          (kernel.barriers != 0 || usesShared(kernel) ||
           has(kernel, KernelFeature::CoordinatesInCallee)))
        return "'" + kernel.name + "' can't run for several blocks in turn";
    }
    Draft.hoists = loops == runs && isAlike && !Draft.movesBlocks();
    if (forwardsInLoop && !Draft.hoists)
      return "a value passes between grid-stride loops that differ";
    std::size_t dynamic = 0;
    for (std::size_t m = 0; m < Draft.members(); ++m)
      dynamic += Draft.kernelOf(m).usesDynamicShared ? 1 : 0;
    return dynamic > 1 ? "two members use dynamic shared memory" : "";
  }

  StageRequest requestFor(std::size_t member) const {
    const Kernel &kernel = Draft.kernelOf(member);
    StageRequest request;
    request.launch = Draft.group.launches[member];
    request.member = member;
    request.forwards = &Draft.forwards;
    request.movesBlocks = Draft.movesBlocks();
    for (std::size_t f = 0; f < Draft.forwards.size(); ++f)
      request.roundsProducts.push_back(
          !Draft.allMeet() &&
          roundingInStage(Draft.program, Draft.group, Draft.forwards[f],
                          member) == Rounding::Product);
    const ShapeFit fit = Draft.fitOf(member);
    request.movesThreads =
        fit.share || Draft.isApart(member) ||
        ((fit.hasRows() || Draft.isComputed(member)) && !fit.isIteration);
    request.keepsThreads = Draft.isApart(member) ||
                           (Draft.meets[member] && kernel.integersToFloating);
    request.hoistsLoop =
        (Draft.hoists && !Draft.isComputed(member)) || fit.isIteration;
    request.sharedWithWriter.resize(kernel.parameters.size());
    for (std::size_t p = 0; p < kernel.pointers.size(); ++p) {
      const PointerParameter &pointer = kernel.pointers[p];
      if (pointer.global || pointer.parameter >= kernel.parameters.size())
        continue;
      for (std::size_t other = 0; other < Draft.members(); ++other)
        if (other != member &&
            mayWrite(Draft.program, Draft.launchOf(other),
                     Draft.launchOf(member).pointers[p].array))
          request.sharedWithWriter[pointer.parameter] = true;
    }
    return request;
  }

  std::string writeStages() {
    for (std::size_t m = 0; m < Draft.members(); ++m) {
      StageRequest request = requestFor(m);
      Draft.forwardsAround.push_back(
          forwardsAround(Draft.program, Draft.group, Draft.forwards, m));
      Draft.callsAround.emplace_back();
      if (Draft.runsAround(m)) {
        StageRequest elsewhere = request;
        elsewhere.forwards = &Draft.forwardsAround[m];
        elsewhere.movesThreads = true;
        elsewhere.isAround = Draft.isOwned(m);
        auto stage = Draft.stages.stage(elsewhere);
        if (const Refusal *refusal = refusalOf(stage))
          return refusal->reason;
        Draft.callsAround[m] = std::get<StageCall>(std::move(stage));
      }
      if (!Draft.isOwned(m)) {
        Draft.calls.push_back(Draft.callsAround[m]);
        continue;
      }
      auto stage = Draft.stages.stage(request);
      if (const Refusal *refusal = refusalOf(stage))
        return refusal->reason;
      Draft.calls.push_back(std::get<StageCall>(std::move(stage)));
    }
    return {};
  }

  void nameLocals() {
    const std::vector<std::string> userNames = Draft.forwardNames();
    for (std::size_t i = 0; i < Draft.forwards.size(); ++i) {
      const Forward &forward = Draft.forwards[i];
      const std::string &name = userNames[i];
      Draft.values.push_back(
          Draft.names.local(name + (forward.computed ? "_array"
                                    : forward.isTile ? "_tile"
                                                     : "_value"),
                            Draft.taken));
      Draft.flags.push_back(
          forward.isPartial ? Draft.names.local(name + "_written", Draft.taken)
                            : "");
    }
    Fused.passesGrid = Draft.movesBlocks();
    if (Fused.passesGrid) {
      Draft.grid = Draft.names.local("kfuseGrid", Draft.taken);
      Draft.element = Draft.names.inner("v", Draft.taken);
    }
    if (Draft.movesBlocks() && !Draft.hasTiles())
      Block = Draft.names.inner("block", Draft.taken);
    for (std::size_t m = 0; m < Draft.members(); ++m) {
      const ShapeFit fit = Draft.fitOf(m);
      const std::string &name = Draft.kernelOf(m).name;
      Draft.grids.emplace_back();
      Draft.blocks.emplace_back();
      if (!fit.isBounded())
        continue;
      Draft.grids[m] = Draft.names.local(name + "_grid", Draft.taken);
      Fused.shapes.push_back({m, false});
      if (fit.hasBlocks)
        continue;
      Draft.blocks[m] = Draft.names.local(name + "_block", Draft.taken);
      Fused.shapes.push_back({m, true});
    }
    Draft.zero = Draft.names.local("kfuseZero", Draft.taken);
    if (Draft.hoists)
      Index = Draft.names.inner(Draft.kernelOf(firstRun()).gridStride->variable,
                                Draft.taken);
  }

  std::string writeBody() {
    for (std::size_t m = 0; m < Draft.members(); ++m) {
      const ShapeFit fit = Draft.fitOf(m);
      if (fit.isIteration &&
          !Draft.valueOf(m, Draft.kernelOf(m).gridStride->bound))
        return noText(m);
      for (const Polynomial &row : fit.rows)
        if (!Draft.valueOf(Draft.group.leader, row))
          return "the length of rows of '" +
                 Draft.kernelOf(Draft.group.leader).name + "' has no text";
      if (fit.share && !Draft.valueOf(Draft.group.leader, *fit.share))
        return "what a block of '" + Draft.kernelOf(Draft.group.leader).name +
               "' has of '" + Draft.kernelOf(m).name + "' has no text";
    }
    std::string text = "{\n";
    for (std::size_t m = 0; m < Draft.members(); ++m) {
      const auto array = Draft.computedArray(m, "  ");
      if (!array)
        return "the thread of an element of '" + Draft.kernelOf(m).name +
               "' has no text";
      text += *array;
    }
    if (Draft.hoists) {
      const std::string why = writeLoop(text);
      if (!why.empty())
        return why;
    } else if (Draft.hasTiles()) {
      const Result<std::string> tiles = writeTiles(Draft);
      if (const Refusal *refusal = refusalOf(tiles))
        return refusal->reason;
      text += std::get<std::string>(tiles);
    } else if (Draft.movesBlocks()) {
      writeBlocks(text);
    } else if (Draft.hasShares()) {
      writeShares(text);
    } else {
      CallPlace place;
      std::vector<std::size_t> own;
      for (std::size_t m = 0; m < Draft.members(); ++m)
        if (!Draft.isComputed(m) && !Draft.fitOf(m).isRenumbered())
          own.push_back(m);
      text += Draft.declareCoordinates(own, place, "  ") +
              Draft.valueDeclarations("  ");
      for (std::size_t m = 0; m < Draft.members(); ++m) {
        if (Draft.isComputed(m))
          continue;
        if (Draft.needsBarrier(m))
          text += "  __syncthreads();\n";
        text += Draft.boundedCallText(m, "  ", place);
      }
    }
    Fused.text.body = Fused.text.key = text + "}";
    return {};
  }

  /// The members that are distributed in a loop, and the others as they are.
  void writeShares(std::string &text) {
    text += Draft.valueDeclarations("  ") + Draft.shareDeclaration("  ");
    const auto isShared = [&](std::size_t member) {
      return Draft.fitOf(member).share.has_value();
    };
    CallPlace place;
    for (std::size_t m = 0; m < Draft.members(); ++m)
      if (!Draft.fitOf(m).isRenumbered())
        text += Draft.declareCoordinates({m}, place, "  ");
    for (std::size_t m = 0; m < Draft.members();) {
      if (m > 0 && (isShared(m) != isShared(m - 1) || Draft.needsBarrier(m)))
        text += "  __syncthreads();\n";
      std::size_t next = m + 1;
      while (isShared(m) && next < Draft.members() && isShared(next))
        ++next;
      text += isShared(m) ? Draft.sharedCallText(m, next, "  ")
                          : Draft.boundedCallText(m, "  ", place);
      m = next;
    }
  }

  std::string blockDeclaration(const std::string &indent) const {
    return indent + "const uint3 " + Block + " = make_uint3(blockIdx.x * " +
           Draft.count() + " + " + Draft.element +
           ", blockIdx.y, blockIdx.z);\n";
  }

  /// Writes the stages for each of the thread's logical blocks. If all of these
  /// exist nothing tests for them, and each stage has a loop of its own: that
  /// keeps the most loads in flight. Measured on an H100, a chain of three over
  /// 100M floats takes 1.2 times as long with a test in each loop. All loops
  /// are unrolled: otherwise the zeros would be copied to local memory to be
  /// indexed there, which halved the speed of a group of six.
  void writeBlocks(std::string &text) {
    text += Draft.valueDeclarations("  ", "[" + Draft.count() + "]") +
            "  if (blockIdx.x * " + Draft.count() + " + " + Draft.count() +
            " <= " + Draft.grid + ".x) {\n";
    for (const bool isWhole : {true, false}) {
      text += isWhole ? "" : "  } else {\n";
      for (std::size_t m = 0; m < Draft.members(); ++m)
        text += blockLoop(m, isWhole);
    }
    text += "  }\n";
  }

  std::string blockLoop(std::size_t member, bool isWhole) {
    const std::string place =
        "blockIdx.x * " + Draft.count() + " + " + Draft.element;
    CallPlace own;
    own.block = Block;
    own.element = "[" + Draft.element + "]";
    own.at = {"(" + place + ") * blockDim.x + threadIdx.x",
              "blockIdx.y * blockDim.y + threadIdx.y",
              "blockIdx.z * blockDim.z + threadIdx.z"};
    std::string calls;
    if (!Draft.fitOf(member).isRenumbered())
      calls = Draft.declareCoordinates({member}, own, "      ");
    calls += Draft.boundedCallText(member, "      ", own);
    const std::string test =
        isWhole ? "" : " && " + place + " < " + Draft.grid + ".x";
    return "#pragma unroll\n" +
           listed("for (unsigned " + Draft.element + " = 0;",
                  {" " + Draft.element + " < " + Draft.count() + test + "; ++" +
                   Draft.element},
                  ") {", "    ") +
           "\n" + (mentions(calls, Block) ? blockDeclaration("      ") : "") +
           calls + "    }\n";
  }

  std::string noText(std::size_t member) const {
    return "the bound of the grid-stride loop of '" +
           Draft.kernelOf(member).name + "' has no text";
  }

  std::string writeLoop(std::string &text) {
    std::vector<std::string> tests, distinct;
    for (std::size_t m = 0; m < Draft.members(); ++m) {
      tests.emplace_back();
      if (Draft.isComputed(m))
        continue;
      const auto bound = Draft.valueOf(m, Draft.kernelOf(m).gridStride->bound);
      if (!bound)
        return noText(m);
      const std::string test = Index + " < " + *bound;
      tests.back() = test;
      if (std::find(distinct.begin(), distinct.end(), test) == distinct.end())
        distinct.push_back(test);
    }
    const GridStrideLoop &loop = *Draft.kernelOf(firstRun()).gridStride;
    const std::string axis = axisName(loop.axis);
    const CallPlace place{{}, {}, Index};
    std::string condition;
    for (const std::string &test : distinct)
      condition += (condition.empty() ? "" : " || ") + test;
    text += "  for (" + loop.type + " " + Index + " = blockIdx." + axis +
            " * blockDim." + axis + " + threadIdx." + axis + "; " + condition +
            ";\n       " + Index + " += blockDim." + axis + " * gridDim." +
            axis + ") {\n" + Draft.valueDeclarations("    ");
    for (std::size_t m = 0; m < Draft.members(); ++m) {
      if (Draft.isComputed(m))
        continue;
      if (distinct.size() == 1)
        text += Draft.callText(m, "    ", place);
      else
        text += "    if (" + tests[m] + ") {\n" +
                Draft.callText(m, "      ", place) + "    }\n";
    }
    text += "  }\n";
    return {};
  }

  std::string writeHead() {
    std::vector<std::string> &items = Fused.text.parameters;
    for (const FusedParameter &parameter : Draft.parameters) {
      if (!isSpellable(parameter.type))
        return "the type of " + parameter.name + " can't be written";
      const std::string declared =
          declare(parameter.type, parameter.name, parameter.isRestrict);
      items.push_back(Draft.isOpenCl() ? inOpenCl(declared) : declared);
      Fused.arguments.push_back(parameter.representative);
      Fused.names.push_back(parameter.name);
      Fused.passed.insert(parameter.sources.begin(), parameter.sources.end());
    }
    for (const ShapeArgument &shape : Fused.shapes)
      items.push_back("dim3 " + (shape.isBlock ? Draft.blocks[shape.member]
                                               : Draft.grids[shape.member]));
    if (Fused.passesGrid)
      items.push_back("dim3 " + Draft.grid);
    if (Draft.isOpenCl()) {
      if (Draft.usesZeros) {
        Fused.zeroCount = zeros();
        items.push_back("const struct " + Draft.helpers.zeros(Fused.zeroCount) +
                        " " + Draft.zero);
      }
      Fused.text.type = "__kernel void ";
      return {};
    }
    if (Draft.usesZeros) {
      const std::string type =
          Draft.helpers.zeros() + "<" + std::to_string(zeros()) + ">";
      items.push_back(type + " " + Draft.zero);
      Fused.zeros = type + "{}";
    }
    Fused.text.type = "static __global__ void " + launchBounds();
    return {};
  }

  std::size_t zeros() { return Merged ? Merged->zeroCount : Draft.zeros(); }

  /// A block's registers must suffice for all of its threads, as they did for
  /// the members alone: the compiler has to know of large blocks.
  std::string launchBounds() const {
    std::optional<std::uint32_t> told =
        Draft.kernelOf(Draft.group.leader).maxThreads;
    std::uint64_t threads = 0;
    std::uint32_t registers = 0;
    for (std::size_t m = 0; m < Draft.members(); ++m) {
      registers += Draft.kernelOf(m).registers;
      if (Draft.fitOf(m).share || Draft.isComputed(m))
        continue;
      const auto other = Draft.kernelOf(m).maxThreads;
      told =
          told && other ? std::optional(std::min(*told, *other)) : std::nullopt;
      threads = std::max(
          threads, constantThreads(Draft.launchOf(m)).value_or(MostThreads));
    }
    if (!told && threads > SafeThreads &&
        threads * registers >= RegistersOfBlock)
      told = static_cast<std::uint32_t>(threads);
    return told ? "__launch_bounds__(" + std::to_string(*told) + ") " : "";
  }
  static constexpr std::uint32_t MostThreads = 1024, RegistersOfBlock = 65536;
  /// So many may have the most registers that there are for a thread.
  static constexpr std::uint32_t SafeThreads = 256;

  KernelDraft Draft;
  std::optional<MergedBody> Merged;
  std::string Block, Index; ///< of a moved block, of a hoisted loop
  FusedCode Fused;
};

} // namespace

std::string FusedText::head(const std::string &name) const {
  return listed(type + name + "(", parameters, ")", "");
}

Result<FusedCode> writeKernel(const Program &program, const FusedKernel &kernel,
                              StageCache &stages, Names &names,
                              Helpers &helpers, bool mayMerge) {
  for (const bool mayDeclare : {true, false}) {
    Names triedNames = names;
    Helpers triedHelpers(helpers, triedNames);
    Writer trial(program, kernel, stages, triedNames, triedHelpers);
    if (!mayMerge || !trial.runMerged(mayDeclare))
      continue;
    Writer writer(program, kernel, stages, names, helpers);
    return *writer.runMerged(mayDeclare);
  }
  return Writer(program, kernel, stages, names, helpers).run();
}

} // namespace kfuse
