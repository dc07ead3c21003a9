//===- Liveness.cpp - Arrays that nobody reads from memory ----------------===//

#include "fusion/group/Liveness.h"

#include "fusion/dependence/ArrayLiveness.h"
#include "graphs/program/Aliases.h"
#include "graphs/program/Effects.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace kfuse {

struct ReaderMemo {
  std::map<std::pair<LaunchId, ArrayId>, LaterReaders> stores;
  std::map<ArrayId, ArrayReaders> arrays;
};

namespace {

/// Returns what readersOfStores() does, computed once for each launch and
/// array.
const LaterReaders &knownReaders(const Problem &problem, LaunchId launch,
                                 ArrayId array) {
  auto &readers = madeOn(problem.memos.readers).stores;
  const auto known = readers.find({launch, array});
  return known != readers.end()
             ? known->second
             : readers
                   .emplace(std::pair(launch, array),
                            readersOfStores(problem.program, launch, array))
                   .first->second;
}

/// Returns what readersOf() does, computed once for each array.
const ArrayReaders &knownReaders(const Problem &problem, ArrayId array) {
  auto &readers = madeOn(problem.memos.readers).arrays;
  const auto known = readers.find(array);
  return known != readers.end()
             ? known->second
             : readers.emplace(array, readersOf(problem, array)).first->second;
}

bool isInLoop(const Program &program, RegionId region) {
  for (std::optional<RegionId> at = region; at; at = program[*at].parent)
    if (program[*at].kind == RegionKind::LoopBody)
      return true;
  return false;
}

bool isThisOrUnknown(const Program &program, ArrayId used, ArrayId array) {
  return used == noneOf<ArrayId>() || used == array ||
         alias(program, used, array) != Alias::Never;
}

/// A launch's uses of `array`, under any name that might be it.
struct Use {
  bool reads = false, writes = false;
  bool underOtherName = false;
};
Use useOf(const Program &program, const Launch &launch, ArrayId array,
          bool onlyByName = false) {
  Use use;
  const bool isFollowed =
      program[launch.kernel].analysed &&
      launch.accesses.size() == program[launch.kernel].accesses.size();
  for (std::uint32_t i = 0; i < launch.pointers.size(); ++i) {
    if (!isThisOrUnknown(program, launch.pointers[i].array, array))
      continue;
    const bool isOther = launch.pointers[i].array != array;
    if (isOther && onlyByName)
      continue;
    if (!isFollowed) {
      use = {true, true, isOther || use.underOtherName};
      continue;
    }
    for (const Access &access : launch.accesses) {
      if (access.pointer != i)
        continue;
      (access.kind == AccessKind::Write ? use.writes : use.reads) = true;
      use.writes |= access.kind == AccessKind::Atomic;
      use.underOtherName |= isOther;
    }
  }
  return use;
}

/// Checks whether only this program's text can see the array, and only by its
/// name.
bool isPrivate(const Program &program, ArrayId array) {
  return program[array].origin == ArrayOrigin::Allocation &&
         !program[array].escapes;
}

bool touches(const HostStep &step, ArrayId array) {
  return std::any_of(
      step.effects.begin(), step.effects.end(),
      [&](const Effect &effect) { return effect.array == array; });
}

/// Checks whether the step reads the array outside of nested steps.
bool readsItself(const Program &program, const HostStep &step, ArrayId array) {
  if (!step.nested.empty())
    return std::any_of(
        step.ownReads.begin(), step.ownReads.end(),
        [&](ArrayId read) { return isThisOrUnknown(program, read, array); });
  return std::any_of(
      step.effects.begin(), step.effects.end(), [&](const Effect &effect) {
        return effect.reads && isThisOrUnknown(program, effect.array, array);
      });
}

/// Checks whether a host step may see what launches left in the array.
bool isReadByHost(const Problem &problem, ArrayId array) {
  const Program &program = problem.program;
  const bool isPromised = isPromisedDead(problem, array);
  std::set<RegionId> functions; ///< whose launches use the array
  std::uint32_t last = 0;       ///< step that launches
  auto first = static_cast<std::uint32_t>(program.steps.size());
  bool anyLoop = false;
  for (const Launch &launch : program.launches) {
    const Use use = useOf(program, launch, array);
    if (!use.reads && !use.writes)
      continue;
    functions.insert(rootOf(program, launch.region));
    last = std::max(last, indexOf(launch.step));
    first = std::min(first, indexOf(launch.step));
    anyLoop |= isInLoop(program, launch.region);
  }
  // Nobody knows the array before it is allocated.
  for (std::uint32_t i = 0; i < first; ++i)
    if (touches(program.steps[i], array))
      first = i;
  for (std::uint32_t i = 0; i < program.steps.size(); ++i) {
    const HostStep &step = program.steps[i];
    const bool isBefore = i < first && !anyLoop && isPrivate(program, array);
    if (step.kind == StepKind::Launch || isBefore)
      continue;
    if (readsItself(program, step, array))
      return true;
    // Whatever a kernel or a function does, it can't find an array by itself.
    // Kernel objects of OpenCL keep what they were given.
    if (isPrivate(program, array) && (step.launch != noneOf<LaunchId>() ||
                                      program.language == Language::Cuda))
      continue;
    const bool isAfter = i > last && !anyLoop;
    const bool isUnknown =
        step.nested.empty() ? step.touchesEverything : step.ownTouch;
    if (isUnknown && !(isPromised && isAfter) &&
        functions.count(rootOf(program, step.region)) != 0)
      return true;
  }
  return false;
}

/// Checks whether the member takes every value of the array, and none from
/// memory.
bool isConsumer(const FusedKernel &kernel, ArrayId array, std::size_t member) {
  return std::any_of(kernel.placements.begin(), kernel.placements.end(),
                     [&](const Placement &placement) {
                       return placement.array == array &&
                              placement.isForwarded() &&
                              !placement.isPartial() &&
                              std::find(placement.consumers.begin(),
                                        placement.consumers.end(),
                                        member) != placement.consumers.end();
                     });
}

bool isProducer(const FusedKernel &kernel, ArrayId array, std::size_t member) {
  return std::any_of(kernel.placements.begin(), kernel.placements.end(),
                     [&](const Placement &placement) {
                       return placement.array == array &&
                              placement.isForwarded() &&
                              std::find(placement.producers.begin(),
                                        placement.producers.end(),
                                        member) != placement.producers.end();
                     });
}

/// Checks whether every member of the kernel reads and writes the array in
/// registers alone, under whatever name, or only by its own.
bool isInRegistersOf(const Problem &problem, const FusedKernel &kernel,
                     ArrayId array, bool onlyByName) {
  for (std::size_t i = 0; i < kernel.launches.size(); ++i) {
    const Use use = useOf(problem.program, problem.program[kernel.launches[i]],
                          array, onlyByName);
    if (use.underOtherName || (use.reads && !isConsumer(kernel, array, i)) ||
        (use.writes && !isProducer(kernel, array, i)))
      return false;
  }
  return true;
}

/// Checks whether the condition holds whenever the array has its storage, or
/// never: its launches' sizes follow from the array's.
bool isSteady(const Program &program, const Condition &condition,
              ArrayId array) {
  const auto &bytes = program[array].bytes;
  if (!bytes)
    return false;
  const auto symbols = symbolsDeep(*bytes, program.terms);
  const std::set<Symbol> steady(symbols.begin(), symbols.end());
  const auto areFixed = [&](std::span<const Polynomial> values) {
    return std::all_of(values.begin(), values.end(),
                       [&](const Polynomial &value) {
                         return isFixed(value, steady, program.terms);
                       });
  };
  for (const LaunchId id : {condition.first, condition.second}) {
    const Launch &launch = program[id];
    if (!areFixed(launch.scalars) || !areFixed(launch.grid.extent) ||
        !areFixed(launch.block.extent))
      return false;
  }
  return true;
}

/// Checks whether the kernel leaves out its stores to the array.
bool dropsStores(const FusedKernel &kernel, ArrayId array) {
  return std::any_of(kernel.placements.begin(), kernel.placements.end(),
                     [&](const Placement &placement) {
                       return placement.array == array &&
                              placement.kind == PlacementKind::RegisterOnly;
                     });
}

bool runsAgain(const Program &program, const FusedKernel &kernel) {
  return std::any_of(kernel.launches.begin(), kernel.launches.end(),
                     [&](LaunchId launch) {
                       return isInLoop(program, program[launch].region);
                     });
}

/// Launches that don't read what a kernel leaves out of its stores to an array:
/// those of kernels that have the array in registers alone. If the conditions
/// of such a kernel don't hold, its launches run as they were. They may then
/// read in memory what they haven't stored, if it is another kernel, or this
/// one when it runs again. But what they read doesn't depend on whether other
/// arrays overlap.
class Spared {
public:
  Spared(const Problem &problem, const FusedKernel &kernel,
         std::span<const FusedKernel> kernels, ArrayId array)
      : All(problem), Own(kernel), Kernels(kernels), Left(array) {}

  bool has(LaunchId launch) {
    const FusedKernel *kernel = kernelOf(launch);
    if (!kernel)
      return false;
    const auto known = Verdicts.find(kernel);
    return known != Verdicts.end()
               ? known->second
               : Verdicts.emplace(kernel, isSpared(*kernel)).first->second;
  }

private:
  const FusedKernel *kernelOf(LaunchId launch) {
    // A search asks for one kernel thousands of times.
    if (Kernels.size() == 1) {
      const std::vector<LaunchId> &members = Kernels.front().launches;
      const bool isMember =
          std::find(members.begin(), members.end(), launch) != members.end();
      return isMember ? &Kernels.front() : nullptr;
    }
    if (KernelOf.empty()) {
      KernelOf.resize(All.program.launches.size());
      for (const FusedKernel &each : Kernels)
        for (const LaunchId member : each.launches)
          KernelOf[indexOf(member)] = &each;
    }
    return KernelOf[indexOf(launch)];
  }

  bool isSpared(const FusedKernel &each) const {
    const bool isSame = each.launches == Own.launches;
    const auto isHarmless = [&](const Condition &condition) {
      return condition.kind == ConditionKind::NoOverlap ||
             (isSame && isSteady(All.program, condition, Left));
    };
    return (isSame && !runsAgain(All.program, Own)) ||
           (isInRegistersOf(All, each, Left, /*onlyByName=*/false) &&
            std::all_of(each.conditions.begin(), each.conditions.end(),
                        isHarmless));
  }

  const Problem &All;
  const FusedKernel &Own;
  std::span<const FusedKernel> Kernels;
  ArrayId Left;
  std::vector<const FusedKernel *> KernelOf; ///< by launch; null for none
  std::map<const FusedKernel *, bool> Verdicts;
};

/// Checks whether nobody but the `spared` launches ever reads the array,
/// anywhere in the program.
bool isNeverRead(const Problem &problem, ArrayId array, Spared &spared) {
  if (!isPrivate(problem.program, array) && !isPromisedDead(problem, array))
    return false;
  const ArrayReaders &readers = knownReaders(problem, array);
  return !readers.host &&
         std::all_of(readers.launches.begin(), readers.launches.end(),
                     [&](LaunchId reader) { return spared.has(reader); });
}

/// Checks whether what the launch stores in the array is stored again before
/// anybody but the `spared` launches reads it.
bool isStoredAgain(const Problem &problem, LaunchId launch, ArrayId array,
                   Spared &spared) {
  const LaterReaders &readers = knownReaders(problem, launch, array);
  return !readers.others &&
         std::all_of(readers.launches.begin(), readers.launches.end(),
                     [&](LaunchId reader) { return spared.has(reader); });
}

} // namespace

bool isPromisedDead(const Problem &problem, ArrayId array) {
  const auto &names = problem.options.dead;
  return std::find(names.begin(), names.end(), problem.program[array].name) !=
         names.end();
}

ArrayReaders readersOf(const Problem &problem, ArrayId array) {
  const Program &program = problem.program;
  ArrayReaders readers;
  for (std::uint32_t i = 0; i < program.launches.size(); ++i)
    if (useOf(program, program[LaunchId{i}], array).reads)
      readers.launches.push_back(LaunchId{i});
  readers.host = isReadByHost(problem, array);
  return readers;
}

bool isDead(const Problem &problem, const FusedKernel &kernel,
            const Placement &placement, std::span<const FusedKernel> kernels) {
  const Program &program = problem.program;
  const ArrayId array = placement.array;
  // The kernel's conditions keep other names of an array that the user promised
  // dead apart.
  if (!placement.isForwarded() ||
      !isInRegistersOf(problem, kernel, array,
                       /*onlyByName=*/isPromisedDead(problem, array)))
    return false;
  Spared spared(problem, kernel, kernels, array);
  return isNeverRead(problem, array, spared) ||
         (isPrivate(program, array) && program[array].holder &&
          std::all_of(placement.producers.begin(), placement.producers.end(),
                      [&](std::uint32_t producer) {
                        return isStoredAgain(problem, kernel.launches[producer],
                                             array, spared);
                      }));
}

bool isDeadBeyond(const Problem &problem, const FusedKernel &kernel,
                  const Placement &placement) {
  return isDead(problem, kernel, placement, {&kernel, 1});
}

std::vector<ArrayId> deadArrays(const std::vector<FusedKernel> &kernels) {
  std::set<ArrayId> arrays;
  for (const FusedKernel &kernel : kernels)
    for (const Placement &placement : kernel.placements)
      if (placement.kind == PlacementKind::RegisterOnly)
        arrays.insert(placement.array);
  return {arrays.begin(), arrays.end()};
}

bool isStored(const Program &program, const std::vector<FusedKernel> &kernels,
              ArrayId array) {
  return std::any_of(
      kernels.begin(), kernels.end(), [&](const FusedKernel &kernel) {
        return !dropsStores(kernel, array) &&
               std::any_of(
                   kernel.launches.begin(), kernel.launches.end(),
                   [&](LaunchId member) {
                     return useOf(program, program[member], array).writes;
                   });
      });
}

std::vector<ArrayId> removableArrays(const Program &program,
                                     const std::vector<FusedKernel> &kernels,
                                     const std::vector<ArrayId> &dead) {
  // A pointer that is passed and never used still needs its storage, and so
  // does the `else` of a condition.
  auto isNeededBy = [&](const FusedKernel &kernel, ArrayId array) {
    for (std::size_t i = 0; i < kernel.launches.size(); ++i) {
      const auto &pointers = program[kernel.launches[i]].pointers;
      const bool isMentioned = std::any_of(
          pointers.begin(), pointers.end(),
          [&](const PointerValue &pointer) { return pointer.array == array; });
      if (isMentioned &&
          (!kernel.conditions.empty() || !dropsStores(kernel, array) ||
           (!isConsumer(kernel, array, i) && !isProducer(kernel, array, i))))
        return true;
    }
    return false;
  };
  std::vector<ArrayId> removable;
  for (ArrayId array : dead)
    if (!program[array].lifetimeStatements.empty() &&
        std::none_of(kernels.begin(), kernels.end(),
                     [&](const FusedKernel &kernel) {
                       return isNeededBy(kernel, array);
                     }))
      removable.push_back(array);
  return removable;
}

} // namespace kfuse
