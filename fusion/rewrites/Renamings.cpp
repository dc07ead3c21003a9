//===- Renamings.cpp - Updates that had better leave their array ----------===//

#include "fusion/rewrites/Renamings.h"

#include "fusion/PlanGroup.h"
#include "fusion/dependence/AccessDependences.h"
#include "fusion/dependence/ArrayLiveness.h"
#include "fusion/dependence/FullWriteProof.h"
#include "fusion/dependence/Names.h"
#include "fusion/group/GroupChecks.h"
#include "fusion/group/Stages.h"

#include <algorithm>
#include <memory>
#include <optional>

namespace kfuse {
namespace {

/// If there are more launches, isWaitedFor() only checks the nearest.
constexpr std::size_t ManyLaunches = 256;
constexpr std::uint32_t NearLaunches = 16;

bool hasOwnPlace(const Array &array) {
  return array.holder && array.bytes && !array.escapes &&
         array.origin == ArrayOrigin::Allocation;
}

class Search {
public:
  Search(const Problem &problem, LaunchId launch)
      : TheProblem(problem), Code(problem.program), Id(launch),
        TheLaunch(Code[launch]), TheKernel(Code.kernelOf(launch)),
        Own(stageOf(problem, launch, SymbolSpace::Launch)) {}

  std::optional<Renaming> run() {
    if (!canBeWritten())
      return std::nullopt;
    for (std::uint32_t i = 0; i < TheLaunch.pointers.size(); ++i) {
      const ArrayId array = TheLaunch.pointers[i].array;
      // In a large program targetFor() checks all launches, isWaitedFor() few.
      if (!writesAll(i) || (isLarge() && !isWaitedFor(array)))
        continue;
      if (const auto into = targetFor(i); into && isWaitedFor(array))
        return Renaming{Id, i, *into};
    }
    return std::nullopt;
  }

  std::string obstacle(ArrayId array) const {
    const std::vector<std::uint32_t> pointers = pointersTo(array);
    const std::string name = arrayName(Code, array);
    if (!canBeWritten())
      return "its launch can't be edited";
    if (pointers.size() != 1)
      return "it gets " + name + " by several pointers";
    if (!hasOwnPlace(Code[array]))
      return name + " isn't known by one local variable alone";
    if (!writesAll(pointers.front()))
      return "it may leave out elements of " + name +
             ", or read some that it wrote";
    return targetFor(pointers.front())
               ? std::string()
               : "no other array of one size with " + name + " is free then";
  }

private:
  bool canBeWritten() const {
    const HostStep &step = Code[TheLaunch.step];
    return TheKernel.analysed && TheKernel.text.copyable && step.editable &&
           !Code[TheLaunch.region].isShared && step.exchanges.empty();
  }

  /// Returns the kernel's pointers that point to the array.
  std::vector<std::uint32_t> pointersTo(ArrayId array) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < TheLaunch.pointers.size(); ++i)
      if (TheLaunch.pointers[i].array == array)
        found.push_back(i);
    return found;
  }

  /// Checks whether exactly one pointer points to the array, at its begin.
  bool isPlain(std::uint32_t pointer) const {
    const PointerValue &value = TheLaunch.pointers[pointer];
    const PointerParameter &parameter = TheKernel.pointers[pointer];
    return value.array != noneOf<ArrayId>() && hasOwnPlace(Code[value.array]) &&
           value.offset == IndexExpr(Polynomial{}) && !parameter.global &&
           parameter.path.empty() && pointersTo(value.array).size() == 1;
  }

  /// Checks whether the launch writes every element of the pointer's array,
  /// each whole, and reads none that it has written.
  bool writesAll(std::uint32_t pointer) const {
    if (!isPlain(pointer))
      return false;
    std::optional<std::uint32_t> firstWrite, lastRead;
    std::vector<AccessRange> written;
    for (const StageAccess &each : Own->accesses) {
      const Access &access = *each.access;
      if (access.pointer != pointer)
        continue;
      if (!access.editable || access.isReinterpreted)
        return false;
      if (access.kind == AccessKind::Read) {
        lastRead = each.number;
        continue;
      }
      if (access.kind != AccessKind::Write || access.offset != 0 ||
          access.width != access.elementBytes || !access.loops.empty() ||
          (access.form != AccessForm::Store &&
           access.form != AccessForm::Update))
        return false;
      if (!firstWrite)
        firstWrite = each.number;
      written.push_back({&each, &each.cover, Own});
    }
    return firstWrite && (!lastRead || *lastRead < *firstWrite) &&
           readsOwn(TheLaunch.pointers[pointer].array, written) &&
           coversArray(Code, written,
                       *Code[TheLaunch.pointers[pointer].array].bytes,
                       knownOf(Code));
  }

  /// Checks whether no iteration of the kernel's loop reads what an earlier one
  /// has written.
  bool readsOwn(ArrayId array, const std::vector<AccessRange> &written) const {
    return !TheKernel.gridStride ||
           std::all_of(Own->accesses.begin(), Own->accesses.end(),
                       [&](const StageAccess &use) {
                         return use.array != array || writes(use) ||
                                std::all_of(written.begin(), written.end(),
                                            [&](const AccessRange &reach) {
                                              return reach.access->index ==
                                                     use.index;
                                            });
                       });
  }

  /// Checks whether the writes to the array keep an earlier launch from being
  /// fused with this one.
  bool isWaitedFor(ArrayId array) const {
    const std::uint32_t first = isLarge() && indexOf(Id) > NearLaunches
                                    ? indexOf(Id) - NearLaunches
                                    : 0;
    for (std::uint32_t i = first; i < Code.launches.size(); ++i) {
      const LaunchId other{i};
      if (!isBefore(other) || !touches(other, array))
        continue;
      const auto plan = planGroup(TheProblem, closure(TheProblem, other, Id));
      const auto *obstacle = std::get_if<Obstacle>(&plan);
      if (obstacle &&
          obstacle->kind == ObstacleKind::CrossThreadAntiDependence &&
          obstacle->array == array && obstacle->second == Id)
        return true;
    }
    return false;
  }

  bool isLarge() const { return Code.launches.size() > ManyLaunches; }

  bool touches(LaunchId other, ArrayId array) const {
    return std::any_of(
        Code[other].pointers.begin(), Code[other].pointers.end(),
        [&](const PointerValue &pointer) { return pointer.array == array; });
  }

  bool isBefore(LaunchId other) const {
    const auto &nodes = TheProblem.order.nodeOfLaunch;
    return Code[other].region == TheLaunch.region &&
           nodes[indexOf(other)] < nodes[indexOf(Id)];
  }

  std::optional<ArrayId> targetFor(std::uint32_t pointer) const {
    const Array &array = Code[TheLaunch.pointers[pointer].array];
    for (std::uint32_t i = 0; i < Code.arrays.size(); ++i) {
      const ArrayId other{i};
      const Array &candidate = Code.arrays[i];
      if (other != TheLaunch.pointers[pointer].array &&
          hasOwnPlace(candidate) &&
          candidate.holder->type == array.holder->type &&
          candidate.bytes == array.bytes && canTake(pointer, other) &&
          readersAfter(Code, TheLaunch.step, other).isNobody())
        return other;
    }
    return std::nullopt;
  }

  /// Checks whether the writes can go to `target`. Each thread must overwrite
  /// only what it alone has read there, here and in the launches before.
  bool canTake(std::uint32_t pointer, ArrayId target) const {
    const std::vector<std::uint32_t> present = pointersTo(target);
    if (!present.empty() && !isPlain(present.front()))
      return false;
    const KnownFacts facts = factsOf(Code, *Own);
    bool isUsed = false;
    std::vector<AccessRange> written;
    for (const StageAccess &write : Own->accesses) {
      if (write.access->pointer != pointer || !writes(write))
        continue;
      written.push_back({&write, &write.cover, Own});
      StageAccess moved = write;
      moved.array = target;
      for (std::uint32_t i = 0; i < Code.launches.size(); ++i) {
        const LaunchId other{i};
        if (other != Id && !isBefore(other))
          continue;
        const Stage &stage = *stageOf(TheProblem, other, SymbolSpace::Launch);
        for (const StageAccess &use : stage.accesses) {
          if (use.array != target)
            continue;
          isUsed = true;
          if (other == Id && (writes(use) || use.number > write.number ||
                              !use.access->editable))
            return false;
          if (!isOwn({stage, use}, moved, facts))
            return false;
        }
      }
    }
    return isUsed && readsOwn(target, written);
  }

  bool isOwn(const PlacedAccess &use, const StageAccess &write,
             const KnownFacts &facts) const {
    // Launches of other shapes are compared when they are planned.
    if (use.stage.grid != Own->grid || use.stage.block != Own->block)
      return true;
    const AccessDependence dependence =
        dependenceBetween(use, {*Own, write}, facts);
    return dependence.kind == AccessDependence::Kind::SameThread ||
           dependence.kind == AccessDependence::Kind::Disjoint;
  }

  const Problem &TheProblem;
  const Program &Code;
  LaunchId Id;
  const Launch &TheLaunch;
  const Kernel &TheKernel;
  Stages::Shared Own;
};

} // namespace

std::vector<Renaming> renamings(const Problem &problem) {
  std::vector<Renaming> found;
  for (std::uint32_t i = 0; i < problem.program.launches.size(); ++i)
    if (auto renaming = Search(problem, LaunchId{i}).run())
      found.push_back(*renaming);
  return found;
}

std::string renamingObstacle(const Problem &problem, LaunchId launch,
                             ArrayId array) {
  return Search(problem, launch).obstacle(array);
}

} // namespace kfuse
