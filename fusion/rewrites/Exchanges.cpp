//===- Exchanges.cpp - Copies that swaps of pointers replace --------------===//

#include "fusion/rewrites/Exchanges.h"

#include "fusion/dependence/ArrayLiveness.h"
#include "fusion/dependence/FullWriteProof.h"
#include "fusion/dependence/Injective.h"
#include "fusion/dependence/Names.h"
#include "graphs/ExecutionGraph.h"
#include "graphs/program/Effects.h"

#include <algorithm>
#include <map>

namespace kfuse {
namespace {

/// The element at one index goes from an array to another.
struct Move {
  ArrayId target{}, source{};
  const StageAccess *load = nullptr, *store = nullptr; ///< of a kernel
};

bool isHarmless(KernelFeature feature) {
  switch (feature) {
  case KernelFeature::ReadOnlyLoad:
  case KernelFeature::CoordinatesInCallee:
  case KernelFeature::CoordinatesInMacro:
  case KernelFeature::GridShape:
  case KernelFeature::GridFactor:
    return true;
  default:
    return false;
  }
}

/// Returns the moves of a kernel that does nothing else; empty for other
/// kernels.
std::vector<Move> movesOf(const Stage &stage) {
  const Kernel &kernel = *stage.kernel;
  if (!kernel.analysed || kernel.barriers != 0 ||
      kernel.accesses.size() != stage.accesses.size() ||
      !std::all_of(
          kernel.features.begin(), kernel.features.end(),
          [](const FeatureUse &use) { return isHarmless(use.feature); }))
    return {};
  std::vector<Move> moves;
  for (const StageAccess &store : stage.accesses) {
    if (store.access->kind == AccessKind::Read)
      continue;
    if (store.access->kind != AccessKind::Write || !store.access->copyOf)
      return {};
    const StageAccess &load = stage.accesses[*store.access->copyOf];
    moves.push_back({store.array, load.array, &load, &store});
  }
  return moves;
}

CopyVerdict refuse(std::string why, std::string remedy) {
  return {true, {}, std::move(why), std::move(remedy)};
}

/// Checks whether everything is known that the function does once it touches
/// one of the arrays.
bool isFollowed(const Program &program, StepId step,
                const std::vector<Move> &moves) {
  const RegionId root = rootOf(program, program[step].region);
  const auto touches = [&](const StepEffects &effects) {
    return std::any_of(
        effects.effects.begin(), effects.effects.end(),
        [&](const Effect &effect) {
          return std::any_of(moves.begin(), moves.end(), [&](const Move &move) {
            return effect.array == move.target || effect.array == move.source;
          });
        });
  };
  // A loop or branch around the first such step comes before it and touches
  // what is inside.
  bool isTouched = false;
  for (std::uint32_t i = 0; i < program.steps.size(); ++i) {
    if (rootOf(program, program.steps[i].region) != root)
      continue;
    const StepEffects effects = effectsOf(program, static_cast<StepId>(i));
    isTouched |= touches(effects);
    if (isTouched && effects.everything)
      return false;
  }
  return true;
}

bool isPure(const Launch &launch) {
  return launch.grid.expression.isPure && launch.block.expression.isPure &&
         launch.sharedBytes.isPure && launch.stream.isPure &&
         std::all_of(launch.arguments.begin(), launch.arguments.end(),
                     [](const LaunchArgument &argument) {
                       return argument.expression.isPure;
                     });
}

/// Checks whether one element goes to the same place of an array of the same
/// type.
bool isLikeForLike(const Move &move) {
  const Access &load = *move.load->access, &store = *move.store->access;
  return std::holds_alternative<Polynomial>(move.load->index) &&
         move.load->index == move.store->index &&
         move.load->guard == move.store->guard &&
         load.kind == AccessKind::Read &&
         load.elementBytes == store.elementBytes && load.width == store.width &&
         !load.isReinterpreted && !store.isReinterpreted;
}

/// Checks one step, from what only looks at it to what follows.
class Check {
public:
  Check(const Program &program, StepId step)
      : Code(program), Id(step), Step(program[step]) {}

  CopyVerdict launch() {
    const auto shared = std::make_shared<const Stage>(
        makeStage(Code, Step.launch, SymbolSpace::Launch));
    const Stage &stage = *shared;
    const std::vector<Move> moves = movesOf(stage);
    if (moves.empty() ||
        !std::all_of(moves.begin(), moves.end(), isLikeForLike))
      return {};
    const Launch &launch = Code[Step.launch];
    if (!Step.editable || Code[Step.region].isShared || !isPure(launch))
      return refuse("its launch can't be edited",
                    "launch it by a statement of its own");
    if (auto refused = checkSurroundings(moves))
      return *refused;
    const KnownFacts facts = factsOf(Code, stage);
    for (const Move &move : moves)
      if (!coversArray(Code, {{move.store, &move.store->guard, shared}},
                       *Code[move.target].bytes, knownOf(Code)))
        return refuse("it may leave out elements of " + name(move.target),
                      "copy the whole array, with a grid for all of it");
    for (const Move &move : moves)
      if (!tellsThreadsApart(std::get<Polynomial>(move.store->index),
                             {stage, move.store->guard},
                             {stage, move.store->guard}, facts))
        return refuse("several threads may copy one element",
                      "copy each element by one thread");
    return ordered(moves);
  }

  CopyVerdict transfer() {
    const Transfer &transfer = *Step.transfer;
    if (!transfer.source)
      return {};
    const std::vector<Move> moves = {
        {transfer.target.array, transfer.source->array}};
    if (!Step.editable || Code[Step.region].isShared)
      return refuse("it can't be edited", "make it a statement of its own");
    if (auto refused = checkSurroundings(moves))
      return *refused;
    const IndexExpr begin = Polynomial{};
    if (transfer.target.offset != begin || transfer.source->offset != begin ||
        transfer.bytes != IndexExpr(*Code[transfer.target.array].bytes))
      return refuse("it may leave out elements of " +
                        name(transfer.target.array),
                    "copy the whole array");
    return ordered(moves);
  }

private:
  std::string name(ArrayId array) const { return arrayName(Code, array); }

  std::optional<CopyVerdict>
  checkSurroundings(const std::vector<Move> &moves) const {
    if (!Step.assigns.empty())
      return refuse("it assigns variables", "assign them before it");
    if (usesSeveralStreams(Code))
      return refuse("the program uses several streams",
                    "launch everything on one stream");
    if (!isFollowed(Code, Id, moves))
      return refuse("something in the function can't be followed",
                    "keep calls that kfuse can't see out of it");
    for (const Move &move : moves)
      for (ArrayId array : {move.target, move.source})
        if (array == noneOf<ArrayId>() || !Code[array].holder ||
            Code[array].origin != ArrayOrigin::Allocation ||
            Code[array].escapes)
          return refuse(
              (array == noneOf<ArrayId>() ? "an array" : name(array)) +
                  " isn't known by one local variable alone",
              "allocate it in the function, and pass the variable "
              "only to launches, copies, memsets and frees");
    for (const Move &move : moves) {
      const Array &target = Code[move.target], &source = Code[move.source];
      if (target.holder->type != source.holder->type || !target.bytes ||
          target.bytes != source.bytes)
        return refuse(name(move.target) + " and " + name(move.source) +
                          " aren't known to have one size and type",
                      "allocate both alike");
    }
    return std::nullopt;
  }

  /// Returns the swaps that together have the effect of all moves, or why there
  /// are none. A chain `a = b, b = c` leaves a's old content in `c`.
  CopyVerdict ordered(const std::vector<Move> &moves) const {
    std::map<ArrayId, const Move *> to;   ///< by target
    std::map<ArrayId, const Move *> from; ///< by source
    for (const Move &move : moves)
      if (move.target == move.source ||
          !to.emplace(move.target, &move).second ||
          !from.emplace(move.source, &move).second)
        return refuse("it copies an array twice", "copy it once");
    for (const Move &move : moves) {
      const auto overwritten = to.find(move.source);
      // Memory may have changed before it is loaded.
      if (overwritten != to.end() &&
          (overwritten->second->store->number < move.load->number ||
           overwritten->second->store->index != move.load->index))
        return refuse("it overwrites " + name(move.source) +
                          " before it copies it",
                      "copy it first");
    }
    CopyVerdict verdict{true, {}, {}, {}};
    for (const Move &move : moves) {
      const auto back = to.find(move.source);
      const bool isPair =
          back != to.end() && back->second->source == move.target;
      if (isPair && indexOf(move.target) < indexOf(move.source))
        verdict.exchanges.push_back({move.target, move.source, false});
      if (isPair || from.count(move.target) != 0)
        continue;
      for (const Move *link = &move; link;) {
        const auto next = to.find(link->source);
        const bool isLast = next == to.end();
        verdict.exchanges.push_back({link->target, link->source, isLast});
        if (isLast && !readersAfter(Code, Id, link->source).isNobody())
          return refuse(name(link->source) +
                            " may be read before all of it is overwritten",
                        "overwrite all of it first, or don't read it");
        link = isLast ? nullptr : next->second;
      }
    }
    // A circle of more than two has no end to begin at.
    const std::size_t pairs = static_cast<std::size_t>(std::count_if(
        verdict.exchanges.begin(), verdict.exchanges.end(),
        [&](const Exchange &exchange) {
          const auto back = to.find(exchange.source);
          return back != to.end() && back->second->source == exchange.target;
        }));
    if (verdict.exchanges.size() + pairs != moves.size())
      return refuse("it rotates arrays", "rotate the pointers instead");
    return verdict;
  }

  const Program &Code;
  StepId Id;
  const HostStep &Step;
};

} // namespace

CopyVerdict copyVerdict(const Program &program, StepId step) {
  if (memberOf(program, step))
    return Check(program, step).launch();
  if (program[step].transfer)
    return Check(program, step).transfer();
  return {};
}

Program withExchanges(Program program) {
  std::vector<std::vector<Exchange>> found(program.steps.size());
  for (std::uint32_t i = 0; i < program.steps.size(); ++i)
    found[i] = copyVerdict(program, static_cast<StepId>(i)).exchanges;
  for (std::uint32_t i = 0; i < program.steps.size(); ++i) {
    program.steps[i].exchanges = found[i];
    // No step that mentions the pointers may go past the steps around either.
    for (auto owner = ownerOf(program, program.steps[i].region); owner;
         owner = ownerOf(program, program[*owner].region))
      for (const Exchange &exchange : found[i])
        for (ArrayId array : {exchange.target, exchange.source})
          program.steps[indexOf(*owner)].effects.push_back(
              {array, false, true});
  }
  return program;
}

} // namespace kfuse
