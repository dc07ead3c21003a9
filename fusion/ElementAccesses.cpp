//===- ElementAccesses.cpp - Accesses to what passes in a register --------===//

#include "fusion/ElementAccesses.h"

#include "graphs/program/Aliases.h"

#include <algorithm>
#include <optional>
#include <variant>
#include <vector>

namespace kfuse {
namespace {

/// The accesses of a group to an array that passes in a register.
class ElementAccesses {
public:
  ElementAccesses(const Program &program, const FusedKernel &kernel,
                  const Placement &placement)
      : Code(program), Group(kernel), Array(placement) {}

  /// Checks whether all stores of `member` to the array are replaced.
  bool isOverwritten(std::uint32_t member) const {
    const std::vector<const Access *> stores = storesOf(member);
    if (stores.empty() || !arePlain(member, stores) ||
        !readsBefore(member, stores))
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

  /// Checks whether one store behind all others would do for them.
  bool canStoreLast() const {
    const std::uint32_t first = Array.producers.front();
    const std::vector<const Access *> stores = storesOf(first);
    if (stores.size() != 1 || !readsBefore(first, stores))
      return false;
    for (std::uint32_t m = first; m < Group.launches.size(); ++m)
      if ((m > first && readsMemory(m)) || !runsAlike(first, m) ||
          !canDelay(m, stores))
        return false;
    return true;
  }

  /// Returns a load that runs whenever one of the group's accesses to the array
  /// does, if all these are to one element.
  std::optional<MemberAccess> firstLoad() const {
    const std::uint32_t first = Array.producers.front();
    for (std::uint32_t m = first + 1; m < Group.launches.size(); ++m)
      for (std::uint32_t a = 0; a < accessesOf(m).size(); ++a) {
        const Access &load = accessesOf(m)[a];
        if (load.form == AccessForm::Load && load.isValue &&
            arrayOf(m, load) == Array.array && runsFirst(m, load))
          return MemberAccess{m, a};
      }
    return std::nullopt;
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
  std::vector<const Access *> storesOf(std::uint32_t member) const {
    std::vector<const Access *> stores;
    for (const Access &access : accessesOf(member))
      if (isStoreTo(member, access))
        stores.push_back(&access);
    return stores;
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
  bool arePlain(std::uint32_t member,
                const std::vector<const Access *> &stores) const {
    return std::all_of(stores.begin(), stores.end(), [&](const Access *store) {
      return isPlainStore(member, *store);
    });
  }
  bool consumes(std::uint32_t member) const {
    return std::find(Array.consumers.begin(), Array.consumers.end(), member) !=
           Array.consumers.end();
  }

  /// Checks whether the member loads the array from memory only before it
  /// stores. Other names mean other storage: legality ensures it for loads of
  /// one member and stores of another, as that which replaces these.
  bool readsBefore(std::uint32_t member,
                   const std::vector<const Access *> &stores) const {
    const std::vector<Access> &all = accessesOf(member);
    return std::all_of(all.begin(), all.end(), [&](const Access &each) {
      if (each.kind != AccessKind::Read || consumes(member) ||
          arrayOf(member, each) != Array.array)
        return true;
      // Accesses are in the order in which a thread makes them.
      return each.loops.empty() &&
             std::all_of(stores.begin(), stores.end(),
                         [&](const Access *store) { return &each < store; });
    });
  }

  /// Checks whether the member's stores to the array may be made later. They
  /// have to be to the element of the `first` one, and only if that was made.
  /// Nothing behind them in the member may be to the same memory. Legality
  /// tells what is forwarded from what its members write by other names.
  bool canDelay(std::uint32_t member,
                const std::vector<const Access *> &first) const {
    const std::vector<const Access *> stores = storesOf(member);
    const std::vector<Access> &all = accessesOf(member);
    const auto isWritten = [&](ArrayId array) {
      return std::any_of(all.begin(), all.end(), [&](const Access &each) {
        return each.kind != AccessKind::Read && arrayOf(member, each) == array;
      });
    };
    return arePlain(member, stores) &&
           std::all_of(stores.begin(), stores.end(),
                       [&](const Access *store) {
                         return isSameElement(*first.front(), *store) &&
                                runsWhenever(*first.front(), *store);
                       }) &&
           (stores.empty() ||
            std::all_of(all.begin(), all.end(), [&](const Access &each) {
              const ArrayId array = arrayOf(member, each);
              return array == Array.array || &each < stores.front() ||
                     isWritten(array) || areAllocationsTested(array) ||
                     alias(Code, array, Array.array) == Alias::Never;
            }));
  }

  /// Checks whether the kernel only runs if the array is of another allocation
  /// than `other`.
  bool areAllocationsTested(ArrayId other) const {
    return std::any_of(
        Group.conditions.begin(), Group.conditions.end(),
        [&](const Condition &each) {
          if (!isOfAllocations(each))
            return false;
          const ArrayId one = Code[each.first].pointers[each.firstIndex].array;
          const ArrayId two =
              Code[each.second].pointers[each.secondIndex].array;
          return std::minmax(one, two) == std::minmax(other, Array.array);
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

  bool runsFirst(std::uint32_t member, const Access &load) const {
    for (std::uint32_t m = 0; m < Group.launches.size(); ++m) {
      if (!runsAlike(member, m))
        return false;
      for (const Access &each : accessesOf(m))
        if (arrayOf(m, each) == Array.array &&
            (!each.loops.empty() || !isSameElement(load, each) ||
             !runsWhenever(load, each)))
          return false;
    }
    return true;
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

void settleElementAccesses(const Problem &problem, FusedKernel &kernel) {
  if (kernel.schedule == Schedule::Tile)
    return;
  for (Placement &placement : kernel.placements) {
    if (placement.kind != PlacementKind::Register || placement.isTile ||
        placement.computed)
      continue;
    const ElementAccesses accesses(problem.program, kernel, placement);
    if (placement.isPartial()) {
      placement.firstLoad = accesses.firstLoad();
      continue;
    }
    for (const std::uint32_t member : placement.producers)
      if (accesses.isOverwritten(member))
        placement.overwritten.push_back(member);
    placement.canStoreLast = accesses.canStoreLast();
  }
}

} // namespace kfuse
