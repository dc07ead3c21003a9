//===- ArrayLiveness.cpp - Who sees what a step leaves behind -------------===//

#include "fusion/dependence/ArrayLiveness.h"

#include "fusion/dependence/FullWriteProof.h"
#include "fusion/dependence/Guards.h"
#include "graphs/program/Aliases.h"
#include "graphs/program/Effects.h"
#include "graphs/program/Wrapping.h"

#include <algorithm>
#include <array>
#include <set>

namespace kfuse {
namespace {

/// The content's fate on a path through the program.
enum class Fate : std::uint8_t { Kept, Overwritten };

/// Follows every path from a step and collects the array's readers there, while
/// it holds what it held after the step: all of it, or what one launch stored.
class Walk {
public:
  Walk(const Program &program, ArrayId array)
      : Code(program), Sought(array), Known(knownOf(program)) {
    if (const std::optional<Polynomial> &bytes = program[array].bytes)
      for (Symbol symbol : symbolsDeep(*bytes, program.terms))
        Steady.insert(symbol);
  }

  /// Adds the facts that hold if `launch` ran.
  void assumeRun(LaunchId launch) { Known = factsOf(Code, *stageOf(launch)); }

  /// Restricts the walk to what `launch` stores.
  void follow(LaunchId launch) {
    const auto stage = stageOf(launch);
    Followed = launch;
    assumeRun(launch);
    for (const StageAccess &access : stage->accesses)
      if (access.array == Sought && writes(access))
        Stored.push_back({&access, &access.guard, stage});
  }

  /// Returns the readers from `step` outwards to the function's end.
  LaterReaders readersAfter(StepId step) {
    Jumps jumps; // past what follows in the body around
    jumps.add(Code[step]);
    for (std::optional<StepId> at = step; at;) {
      const RegionId region = Code[*at].region;
      const std::size_t place = placeOf(region, *at);
      if (through(region, place + 1, jumps) == Fate::Overwritten &&
          !jumps.any())
        break;
      at = ownerOf(Code, region);
      if (Code[region].kind == RegionKind::LoopBody) {
        forgetIteration();
        // The next iteration, also after the step: what was stored again in the
        // same one may not be in another.
        through(region, 0, jumps);
        jumps.inLoop = false;
        // Its header may throw.
        jumps.beyond |= at && Code[*at].mayLeaveLoop;
      } else if (at) {
        fallThrough(*at, region, jumps);
      }
      // A loop's header, or a handler.
      if (at)
        readOwn(Code[*at]);
    }
    return {{Launches.begin(), Launches.end()}, Others};
  }

private:
  /// Whether what follows may not run: up to the end of the loop around, or
  /// beyond.
  struct Jumps {
    bool inLoop = false, beyond = false;
    bool any() const { return inLoop || beyond; }
    void add(const HostStep &step) {
      inLoop |= step.mayLeave;
      beyond |= step.mayLeaveLoop;
    }
  };

  std::size_t placeOf(RegionId region, StepId step) const {
    const std::vector<StepId> &steps = Code[region].steps;
    return static_cast<std::size_t>(
        std::find(steps.begin(), steps.end(), step) - steps.begin());
  }

  std::shared_ptr<const Stage> stageOf(LaunchId launch) const {
    return std::make_shared<const Stage>(
        makeStage(Code, launch, SymbolSpace::Launch));
  }

  bool mayBeSought(ArrayId array) const {
    return alias(Code, array, Sought) != Alias::Never;
  }

  /// Walks the steps of `region` from number `begin` on, in order.
  Fate through(RegionId region, std::size_t begin, Jumps &jumps) {
    const std::vector<StepId> &steps = Code[region].steps;
    std::vector<AccessRange> written; ///< by all launches on the way
    for (std::size_t i = begin; i < steps.size(); ++i) {
      // It may leave before it overwrites anything.
      jumps.add(Code[steps[i]]);
      if (fateIn(steps[i], written) == Fate::Overwritten)
        return Fate::Overwritten;
    }
    return Fate::Kept;
  }

  /// Walks the arms after `arm`: those of a `switch` follow each other.
  void fallThrough(StepId owner, RegionId arm, Jumps &jumps) {
    const std::vector<RegionId> &arms = Code[owner].nested;
    for (auto next = std::find(arms.begin(), arms.end(), arm);
         next != arms.end(); ++next)
      if (*next != arm)
        through(*next, 0, jumps);
  }

  /// Records whether the step itself, outside of the steps in it, reads the
  /// array.
  void readOwn(const HostStep &step) {
    Others |= step.ownTouch ||
              std::any_of(step.ownReads.begin(), step.ownReads.end(),
                          [this](ArrayId read) { return mayBeSought(read); });
  }

  Fate fateIn(StepId id, std::vector<AccessRange> &written) {
    const HostStep &step = Code[id];
    if (!step.nested.empty()) {
      readOwn(step);
      // None may run, or any.
      for (RegionId nested : step.nested) {
        Jumps jumps;
        through(nested, 0, jumps);
      }
      return Fate::Kept;
    }
    const StepEffects effects = effectsOf(Code, id);
    Others |= effects.everything;
    bool isWritten = false;
    for (const Effect &effect : effects.effects) {
      if (!mayBeSought(effect.array))
        continue;
      isWritten |= effect.writes;
      if (!effect.reads)
        continue;
      if (const auto launch = memberOf(Code, id))
        Launches.insert(*launch);
      else
        Others = true;
    }
    return isWritten && overwrites(step, written) ? Fate::Overwritten
                                                  : Fate::Kept;
  }

  bool overwrites(const HostStep &step, std::vector<AccessRange> &written) {
    if (step.frees)
      return step.frees == Sought;
    const std::optional<Polynomial> &bytes = Code[Sought].bytes;
    if (!bytes)
      return false;
    if (step.transfer)
      return step.transfer->target.array == Sought &&
             step.transfer->target.offset == IndexExpr(Polynomial{}) &&
             step.transfer->bytes == IndexExpr(*bytes);
    if (step.kind != StepKind::Launch || step.launch == noneOf<LaunchId>())
      return false;
    if (!runsForSure(step.launch) || isTested(Code[step.launch]))
      return false;
    const auto stage = stageOf(step.launch);
    for (const StageAccess &access : stage->accesses)
      if (access.array == Sought && access.access->kind == AccessKind::Write)
        written.push_back({&access, &access.cover, stage});
    return coversArray(Code, written, *bytes, Known) || coverStores(written);
  }

  /// Checks whether the launch runs if it has any blocks. One that asks for too
  /// much fails, and the program may go on; nobody writes a launch that always
  /// does. What ran before runs again.
  bool runsForSure(LaunchId launch) const {
    constexpr std::int64_t MostThreads = 1024, MostRows = 65535,
                           MostBytes = 48 << 10;
    const Launch &again = Code[launch];
    for (const std::uint32_t axis : {1U, 2U})
      if (again.grid.extent[axis].asConstant().value_or(1) > MostRows)
        return false;
    if (Followed) {
      const Launch &before = Code[*Followed];
      if (again.kernel == before.kernel &&
          again.block.extent == before.block.extent &&
          again.sharedBytes.value == before.sharedBytes.value)
        return true;
    }
    std::int64_t threads = 1;
    for (const Polynomial &extent : again.block.extent) {
      const std::int64_t size = extent.asConstant().value_or(0);
      if (size < 1 || size > MostThreads)
        return false;
      threads *= size;
    }
    const Kernel &kernel = Code[again.kernel];
    const auto shared = again.sharedBytes.value.asConstant();
    return threads <= kernel.maxThreads.value_or(MostThreads) && shared &&
           *shared >= 0 &&
           *shared + static_cast<std::int64_t>(kernel.staticSharedBytes) <=
               MostBytes;
  }

  /// Checks whether each element that the launch stored was stored again.
  bool coverStores(const std::vector<AccessRange> &written) const {
    return !Stored.empty() &&
           std::all_of(Stored.begin(), Stored.end(),
                       [&](const AccessRange &store) {
                         return std::any_of(written.begin(), written.end(),
                                            [&](const AccessRange &again) {
                                              return covers(again, store);
                                            });
                       });
  }

  /// Checks whether the same threads store to the same places again, wherever
  /// they did. Then neither is in a loop, whose counter the index would
  /// mention.
  bool covers(const AccessRange &again, const AccessRange &store) const {
    const Access &one = *store.access->access, &two = *again.access->access;
    const Stage &stage = *store.stage;
    return std::holds_alternative<Polynomial>(store.access->index) &&
           store.access->index == again.access->index &&
           one.elementBytes == two.elementBytes && two.offset <= one.offset &&
           two.offset + two.width >= one.offset + one.width &&
           two.loops.empty() && !again.stage->strideAxis &&
           stage.grid == again.stage->grid &&
           stage.block == again.stage->block && isSteady(again) &&
           implies(*store.guard, *again.guard, stage, factsOf(Code, stage));
  }

  /// Checks whether the value is the same in all iterations of the loops that
  /// the walk left or went around. Symbols of the array's size were there
  /// before.
  bool isFixed(const Polynomial &polynomial) const {
    return kfuse::isFixed(polynomial, Steady, Code.terms);
  }

  /// Drops the facts that hold for one iteration only.
  void forgetIteration() {
    IsSameIteration = false;
    Followed.reset();
    std::erase_if(Known.positive, [this](Symbol symbol) {
      return !isFixed(Polynomial(symbol));
    });
    std::erase_if(Known.notNegative,
                  [this](const Polynomial &fact) { return !isFixed(fact); });
  }

  /// Checks whether all that tells where the access stores means the same as
  /// for the store that is followed.
  bool isSteady(const AccessRange &reach) const {
    const auto areFixed = [this](const std::array<Polynomial, 3> &extents) {
      return std::all_of(
          extents.begin(), extents.end(),
          [this](const Polynomial &extent) { return isFixed(extent); });
    };
    return IsSameIteration ||
           (isFixed(std::get<Polynomial>(reach.access->index)) &&
            std::all_of(reach.guard->begin(), reach.guard->end(),
                        [this](const Constraint &constraint) {
                          return isFixed(constraint.expression);
                        }) &&
            areFixed(reach.stage->grid) && areFixed(reach.stage->block));
  }

  const Program &Code;
  ArrayId Sought;
  std::set<Symbol> Steady; ///< in the array's size
  std::vector<AccessRange>
      Stored; ///< by the launch that is followed, if one is
  std::optional<LaunchId> Followed;
  KnownFacts Known;
  bool IsSameIteration = true;
  std::set<LaunchId> Launches;
  bool Others = false;
};

} // namespace

bool isFixed(const Polynomial &value, const std::set<Symbol> &steady,
             const TermTable &terms) {
  const auto symbols = symbolsDeep(value, terms);
  return std::all_of(symbols.begin(), symbols.end(), [&](Symbol symbol) {
    const bool mayChange = symbol.kind == SymbolKind::HostValue ||
                           (symbol.kind == SymbolKind::Opaque &&
                            terms[symbol].kind == TermKind::Unique);
    return !mayChange || steady.count(symbol) != 0;
  });
}

LaterReaders readersAfter(const Program &program, StepId step, ArrayId array) {
  Walk walk(program, array);
  if (const auto launch = memberOf(program, step))
    walk.assumeRun(*launch);
  return walk.readersAfter(step);
}

LaterReaders readersOfStores(const Program &program, LaunchId launch,
                             ArrayId array) {
  Walk walk(program, array);
  walk.follow(launch);
  return walk.readersAfter(program[launch].step);
}

} // namespace kfuse
