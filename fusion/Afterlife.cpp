//===- fusion/Afterlife.cpp - Who sees what a step leaves behind ----------===//

#include "fusion/Afterlife.h"

#include "fusion/Coverage.h"
#include "graphs/Effects.h"

#include <algorithm>
#include <limits>

namespace kfuse {
namespace {

/// What becomes of the array's content on a way through the program.
enum class Fate : std::uint8_t { Kept, Read, Overwritten };

class Walk {
public:
  Walk(const Program &program, ArrayId array) : Code(program), Sought(array) {}

  /// Follows every way on from the step, outwards to the function's end.
  bool readsAfter(StepId step) {
    bool mayJump = false; // past what follows in the body around
    for (std::optional<StepId> at = step; at;) {
      const RegionId region = Code[*at].region;
      const std::size_t place = placeOf(region, *at);
      const Fate ahead = through(region, place + 1, All, mayJump);
      if (ahead == Fate::Read)
        return true;
      if (ahead == Fate::Overwritten && !mayJump)
        return false;
      at = ownerOf(Code, region);
      if (Code[region].kind == RegionKind::LoopBody) {
        // The next iteration, up to the step itself.
        if (through(region, 0, place + 1, mayJump) == Fate::Read)
          return true;
        mayJump = false;
      } else if (at && fallsThrough(*at, region)) {
        return true;
      }
    }
    return false;
  }

private:
  static constexpr std::size_t All = std::numeric_limits<std::size_t>::max();

  std::size_t placeOf(RegionId region, StepId step) const {
    const std::vector<StepId> &steps = Code[region].steps;
    return static_cast<std::size_t>(
        std::find(steps.begin(), steps.end(), step) - steps.begin());
  }

  /// Steps [begin, end) of the region, in order.
  Fate through(RegionId region, std::size_t begin, std::size_t end,
               bool &mayJump) const {
    const std::vector<StepId> &steps = Code[region].steps;
    std::vector<Reach> written; ///< by all launches on the way
    for (std::size_t i = begin; i < std::min(end, steps.size()); ++i) {
      if (const Fate fate = fateIn(steps[i], written); fate != Fate::Kept)
        return fate;
      mayJump |= Code[steps[i]].mayLeave;
    }
    return Fate::Kept;
  }

  /// The arms of a `switch` follow each other.
  bool fallsThrough(StepId owner, RegionId arm) const {
    const std::vector<RegionId> &arms = Code[owner].nested;
    bool mayJump = false;
    for (auto next = std::find(arms.begin(), arms.end(), arm);
         next != arms.end(); ++next)
      if (*next != arm && through(*next, 0, All, mayJump) == Fate::Read)
        return true;
    return false;
  }

  Fate fateIn(StepId id, std::vector<Reach> &written) const {
    const HostStep &step = Code[id];
    const StepEffects effects = effectsOf(Code, id);
    if (effects.everything)
      return Fate::Read;
    for (const Effect &effect : effects.effects)
      if (effect.reads && alias(Code, effect.array, Sought) != Alias::Never)
        return isReadInside(step) ? Fate::Read : Fate::Kept;
    return overwrites(step, written) ? Fate::Overwritten : Fate::Kept;
  }

  /// Whether a step that reads the array reads what it holds before the step. A
  /// loop may overwrite it first.
  bool isReadInside(const HostStep &step) const {
    bool mayJump = false;
    return std::any_of(step.ownReads.begin(), step.ownReads.end(),
                       [this](ArrayId read) {
                         return alias(Code, read, Sought) != Alias::Never;
                       }) ||
           step.kind != StepKind::Loop || step.nested.size() != 1 ||
           through(step.nested.front(), 0, All, mayJump) == Fate::Read;
  }

  bool overwrites(const HostStep &step, std::vector<Reach> &written) const {
    if (step.kind == StepKind::Free)
      return std::any_of(
          step.effects.begin(), step.effects.end(),
          [&](const Effect &effect) { return effect.array == Sought; });
    const std::optional<Polynomial> &bytes = Code[Sought].bytes;
    if (!bytes)
      return false;
    if (step.transfer)
      return step.transfer->target.array == Sought &&
             step.transfer->target.offset == IndexExpr(Polynomial{}) &&
             step.transfer->bytes == IndexExpr(*bytes);
    if (step.kind != StepKind::Launch || step.launch == noneOf<LaunchId>())
      return false;
    const auto stage = std::make_shared<const Stage>(
        makeStage(Code, step.launch, Frame::Bound));
    for (const StageAccess &access : stage->accesses)
      if (access.array == Sought && access.access->kind == AccessKind::Write)
        written.push_back({&access, &access.cover, stage});
    return coverArray(Code, written, *bytes);
  }

  const Program &Code;
  ArrayId Sought;
};

} // namespace

bool isReadAfter(const Program &program, StepId step, ArrayId array) {
  return Walk(program, array).readsAfter(step);
}

} // namespace kfuse
