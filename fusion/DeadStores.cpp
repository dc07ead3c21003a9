//===- DeadStores.cpp - Stores that nobody reads --------------------------===//

#include "fusion/DeadStores.h"

#include "fusion/group/Liveness.h"
#include "graphs/program/Aliases.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace kfuse {
namespace {

/// Checks whether every access of the group to what may be `array` is a plain
/// store to it that can be left out of the text.
bool onlyStores(const Program &program, const FusedKernel &kernel,
                ArrayId array, std::vector<std::uint32_t> &writers) {
  for (std::uint32_t i = 0; i < kernel.launches.size(); ++i)
    for (const Access &access : program[kernel.launches[i]].accesses) {
      const ArrayId accessed =
          program[kernel.launches[i]].pointers[access.pointer].array;
      if (accessed != array) {
        if (alias(program, accessed, array) != Alias::Never)
          return false;
        continue;
      }
      if (access.kind != AccessKind::Write ||
          access.form != AccessForm::Store || !access.editable ||
          access.offset != 0 || access.width != access.elementBytes)
        return false;
      if (writers.empty() || writers.back() != i)
        writers.push_back(i);
    }
  return !writers.empty();
}

/// Finds the stores of one array that a later member's replace.
class OverwriteFinder {
public:
  OverwriteFinder(const Program &program, const FusedKernel &kernel,
                  const Placement &placement)
      : Code(program), Group(kernel), Array(placement) {}

  /// Checks whether all stores of `member` to the array are replaced.
  bool isOverwritten(std::uint32_t member) const {
    std::vector<const Access *> stores;
    for (const Access &access : accessesOf(member))
      if (isStoreTo(member, access)) {
        if (!isPlainStore(member, access))
          return false;
        stores.push_back(&access);
      }
    if (stores.empty() || !readsBefore(member, stores))
      return false;
    bool isTaken = false; // else the code that computes it would go too
    for (std::uint32_t m = member + 1; m < Group.launches.size(); ++m) {
      if (readsMemory(m))
        return false;
      isTaken |= consumes(m);
      if (isTaken && runsAlike(member, m) && overwrites(m, stores))
        return true;
    }
    return false;
  }

private:
  const Launch &launchOf(std::uint32_t member) const {
    return Code[Group.launches[member]];
  }
  const std::vector<Access> &accessesOf(std::uint32_t member) const {
    return launchOf(member).accesses;
  }
  ArrayId arrayOf(std::uint32_t member, const Access &access) const {
    return launchOf(member).pointers[access.pointer].array;
  }
  bool isStoreTo(std::uint32_t member, const Access &access) const {
    return access.kind != AccessKind::Read &&
           arrayOf(member, access) == Array.array;
  }
  /// Checks whether the access writes the whole element and nothing else.
  bool isPlainStore(std::uint32_t member, const Access &access) const {
    return (access.form == AccessForm::Store ||
            (access.form == AccessForm::Update && consumes(member))) &&
           access.loops.empty() && access.offset == 0;
  }
  bool consumes(std::uint32_t member) const {
    return std::find(Array.consumers.begin(), Array.consumers.end(), member) !=
           Array.consumers.end();
  }

  /// Checks whether the member loads the array, or by another name what may be
  /// the same storage, only before it stores. Between members, legality ensures
  /// that other names mean other storage.
  bool readsBefore(std::uint32_t member,
                   const std::vector<const Access *> &stores) const {
    const std::vector<Access> &all = accessesOf(member);
    return std::all_of(all.begin(), all.end(), [&](const Access &each) {
      const ArrayId array = arrayOf(member, each);
      if (each.kind != AccessKind::Read ||
          (array == Array.array && consumes(member)) ||
          alias(Code, array, Array.array) == Alias::Never)
        return true;
      // Accesses are in the order in which a thread makes them.
      return each.loops.empty() &&
             std::all_of(stores.begin(), stores.end(),
                         [&](const Access *store) { return &each < store; });
    });
  }

  bool readsMemory(std::uint32_t member) const {
    const std::vector<Access> &all = accessesOf(member);
    return !consumes(member) &&
           std::any_of(all.begin(), all.end(), [&](const Access &each) {
             return each.kind != AccessKind::Write &&
                    arrayOf(member, each) == Array.array;
           });
  }

  /// Checks whether one thread of the group is the same thread of both members.
  bool runsAlike(std::uint32_t one, std::uint32_t other) const {
    return Group.fits.empty() || (Group.fits[one] == ConfigMapping{} &&
                                  Group.fits[other] == ConfigMapping{});
  }

  /// Checks whether the value is the same one wherever it is written. What the
  /// host passes is, also if it isn't known.
  bool isKnown(const Polynomial &value) const {
    const std::vector<Symbol> symbols = value.symbols();
    return std::none_of(symbols.begin(), symbols.end(), [this](Symbol symbol) {
      return symbol.kind == SymbolKind::Opaque &&
             Code.terms.hasUnique(symbol) && !isPassed(symbol);
    });
  }
  bool isPassed(Symbol symbol) const {
    return std::any_of(Group.launches.begin(), Group.launches.end(),
                       [&](LaunchId launch) {
                         const auto &scalars = Code[launch].scalars;
                         return std::find(scalars.begin(), scalars.end(),
                                          Polynomial(symbol)) != scalars.end();
                       });
  }

  /// Checks whether `member` stores to the element of each of the stores
  /// whenever that store runs.
  bool overwrites(std::uint32_t member,
                  const std::vector<const Access *> &stores) const {
    const std::vector<Access> &all = accessesOf(member);
    return std::all_of(stores.begin(), stores.end(), [&](const Access *store) {
      return std::any_of(all.begin(), all.end(), [&](const Access &each) {
        return isStoreTo(member, each) && isPlainStore(member, each) &&
               isSameElement(each, *store) && runsWhenever(each, *store);
      });
    });
  }

  bool isSameElement(const Access &one, const Access &other) const {
    const auto *index = std::get_if<Polynomial>(&one.index);
    return index && isKnown(*index) && one.index == other.index &&
           one.offset == other.offset && one.width == other.width &&
           one.elementBytes == other.elementBytes;
  }

  bool runsWhenever(const Access &one, const Access &other) const {
    return std::all_of(
        one.guard.begin(), one.guard.end(), [&](const Constraint &each) {
          return each.relation != Relation::Unknown &&
                 isKnown(each.expression) &&
                 std::find(other.guard.begin(), other.guard.end(), each) !=
                     other.guard.end();
        });
  }

  const Program &Code;
  const FusedKernel &Group;
  const Placement &Array;
};

} // namespace

void dropOverwrittenStores(const Problem &problem, FusedKernel &kernel) {
  if (kernel.schedule == Schedule::Tile)
    return;
  for (Placement &placement : kernel.placements) {
    if (placement.kind != PlacementKind::Register || placement.isTile ||
        placement.isPartial() || placement.computed)
      continue;
    const OverwriteFinder finder(problem.program, kernel, placement);
    for (const std::uint32_t member : placement.producers)
      if (finder.isOverwritten(member))
        placement.overwritten.push_back(member);
  }
}

void dropUnseenStores(const Problem &problem, FusedKernel &kernel) {
  for (Placement &placement : kernel.placements) {
    std::vector<std::uint32_t> writers;
    if (placement.kind != PlacementKind::Global ||
        !onlyStores(problem.program, kernel, placement.array, writers))
      continue;
    // Code that only computes the value goes with it.
    if (problem.options.exactRounding &&
        std::any_of(writers.begin(), writers.end(), [&](std::uint32_t writer) {
          return problem.program.kernelOf(kernel.launches[writer])
              .sharedProducts;
        }))
      continue;
    const Placement before = placement;
    placement.kind = PlacementKind::RegisterOnly;
    placement.producers = std::move(writers);
    if (!isDeadBeyond(problem, kernel, placement))
      placement = before;
  }
}

} // namespace kfuse
