//===- AccessDependences.cpp - How two accesses to an array meet ----------===//
#include "fusion/dependence/AccessDependences.h"

#include "fusion/dependence/Bounds.h"
#include "fusion/dependence/ChosenPlaces.h"
#include "fusion/dependence/DependenceDistance.h"
#include "fusion/dependence/Disjoint.h"
#include "fusion/dependence/Guards.h"
#include "fusion/dependence/Injective.h"
#include "fusion/dependence/Pitches.h"

#include <algorithm>

namespace kfuse {
namespace {

AccessDependence noDependence() { return {AccessDependence::Kind::Disjoint}; }
AccessDependence conflict(ObstacleKind kind) {
  return {AccessDependence::Kind::Conflict, kind};
}

/// Loop counters numbered by nesting, so that those of two kernels compare.
/// Counters that the index doesn't mention keep clear of the others.
class CounterNames {
public:
  explicit CounterNames(const StageAccess &access) {
    const auto &index = std::get<Polynomial>(access.index);
    for (std::uint32_t loop : access.access->loops)
      if (Symbol counter{SymbolKind::LoopCounter, loop};
          index.mentions(counter))
        Used.push_back(counter);
  }

  bool operator==(const CounterNames &) const = default;

  std::optional<Polynomial> rename(const Polynomial &polynomial) const {
    return substitute(
        polynomial, [&](Symbol symbol) -> std::optional<Polynomial> {
          if (symbol.kind != SymbolKind::LoopCounter)
            return std::nullopt;
          const auto place = std::find(Used.begin(), Used.end(), symbol);
          const auto number = static_cast<std::uint32_t>(place - Used.begin());
          const std::uint32_t clear =
              static_cast<std::uint32_t>(Used.size()) + symbol.index;
          return Polynomial(Symbol{SymbolKind::LoopCounter,
                                   place == Used.end() ? clear : number});
        });
  }

  /// Renames `guard`. Conjuncts that can't be renamed become Unknown, which
  /// implies nothing and follows from nothing.
  Guard rename(const Guard &guard) const {
    Guard renamed;
    for (const Constraint &constraint : guard)
      if (auto expression = rename(constraint.expression))
        renamed.push_back({constraint.relation, std::move(*expression)});
      else
        renamed.push_back({Relation::Unknown, {}});
    return renamed;
  }

private:
  std::vector<Symbol> Used;
};

struct Renamed {
  Polynomial index;
  Guard guard, cover;
};

std::optional<Renamed> rename(const StageAccess &access,
                              const CounterNames &names) {
  auto index = names.rename(std::get<Polynomial>(access.index));
  if (!index)
    return std::nullopt;
  return Renamed{std::move(*index), names.rename(access.guard),
                 names.rename(access.cover)};
}

/// Checks whether a term such as `k / 2`, which keeps the kernel's own number
/// of the counter, is in the index or the guards.
bool hidesCounter(const Renamed &access, const TermTable &terms) {
  const auto hides = [&](const Polynomial &polynomial) {
    const std::vector<Symbol> symbols = polynomial.symbols();
    return std::any_of(symbols.begin(), symbols.end(), [&](Symbol symbol) {
      return symbol.kind == SymbolKind::Opaque &&
             terms.dependsOn(symbol, SymbolKind::LoopCounter);
    });
  };
  const auto anyHides = [&](const Guard &guard) {
    return std::any_of(guard.begin(), guard.end(),
                       [&](const Constraint &constraint) {
                         return hides(constraint.expression);
                       });
  };
  return hides(access.index) || anyHides(access.guard) ||
         anyHides(access.cover);
}

bool partsAreApart(const Access &first, const Access &second) {
  return first.offset + first.width <= second.offset ||
         second.offset + second.width <= first.offset;
}

/// Checks whether both access elements of one type. A compiler may assume that
/// others are apart.
bool sameType(const PlacedAccess &first, const PlacedAccess &second) {
  const auto &one = first.stage.kernel->pointers;
  const auto &two = second.stage.kernel->pointers;
  const Access &earlier = *first.access.access;
  const Access &later = *second.access.access;
  return earlier.elementBytes == later.elementBytes &&
         !earlier.isReinterpreted && !later.isReinterpreted &&
         earlier.pointer < one.size() && later.pointer < two.size() &&
         one[earlier.pointer].element.canonical ==
             two[later.pointer].element.canonical;
}

/// Checks whether the stage can have a tile, which is an array of a size that
/// the compiler knows.
bool canHaveTile(const Stage &stage) {
  return !stage.strideAxis &&
         std::all_of(stage.block.begin(), stage.block.end(),
                     [](const Polynomial &extent) {
                       return extent.asConstant().value_or(0) > 0;
                     });
}

/// Checks whether `read` takes what the thread at a constant offset wrote, or
/// else an element that no thread in the grid wrote. Threads beyond the grid's
/// end are like those whose guard is false; before its beginning there are
/// none.
AccessDependence compareNeighbours(const PlacedAccess &first,
                                   const PlacedAccess &second,
                                   const Renamed &write, const Renamed &read,
                                   const KnownFacts &facts) {
  const AccessDependence refused = conflict(ObstacleKind::CrossThreadFlow);
  if (!canHaveTile(first.stage) || !canHaveTile(second.stage))
    return refused;
  const TermTable &terms = *facts.terms;
  const Guard &reads = second.access.guard;
  // A write outside of loops mentions no counters that the reader's could be
  // mistaken for.
  const bool hasLoops = !first.access.access->loops.empty();
  const auto distance = distanceBetween(
      write.index,
      hasLoops ? read.index : std::get<Polynomial>(second.access.index),
      first.stage, terms);
  const auto window =
      distance ? windowOf(*distance, second.access, second.stage, facts)
               : std::nullopt;
  if (!window ||
      (hasLoops && (!window->loops.empty() || !window->choices.empty())))
    return refused;
  const Domain writers{first.stage, write.guard};
  if (!tellsThreadsApart(write.index, writers, writers, facts))
    return conflict(ObstacleKind::NotInjective);

  Guard begin, needed = movedBy(first.access.cover, *distance, terms);
  Stage wider = withoutAccesses(second.stage);
  const Offset least = window->least(), most = window->most();
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const auto moved =
        add(Polynomial(Symbol{SymbolKind::GlobalIdx, axis}), (*distance)[axis]);
    if (!moved)
      return refused;
    if (least[axis] < 0)
      begin.push_back({Relation::NonNegative, *moved});
    if (most[axis] <= 0)
      continue;
    const auto threads =
        multiply(second.stage.grid[axis], second.stage.block[axis]);
    const auto last = threads ? subtract(*threads, Polynomial(1)) : threads;
    const auto room = last ? subtract(*last, *moved) : last;
    // Enough additional blocks for the thread that may lie after the last one.
    const std::int64_t block = *second.stage.block[axis].asConstant();
    const auto more =
        add(wider.grid[axis], Polynomial((most[axis] + block - 1) / block));
    if (!room || !more)
      return refused;
    needed.push_back({Relation::NonNegative, *room});
    wider.grid[axis] = *more;
  }
  AccessDependence dependence{
      AccessDependence::Kind::Neighbour, {}, false, *window};
  if (!window->choices.empty()) {
    const RunningAccess running(second.access, second.stage, facts);
    dependence.isCovered = running.implies(begin) && running.implies(needed);
    return dependence.isCovered ? dependence : refused;
  }
  if (!implies(reads, begin, second.stage, facts))
    return refused;
  dependence.isCovered = implies(reads, needed, second.stage, facts);
  if (dependence.isCovered)
    return dependence;
  // No other thread may have written what the thread there didn't write.
  const auto back = opposite(*distance);
  const Guard there =
      back ? movedBy(hasLoops ? read.guard : reads, *back, terms) : Guard{};
  if (!back || !tellsThreadsApart(write.index, writers, {wider, there}, facts))
    return refused;
  return dependence;
}

/// Splits `index` into what differs between threads or iterations and what is
/// the same in all.
std::pair<Polynomial, Polynomial> splitFixed(const Polynomial &index,
                                             const TermTable &terms) {
  std::pair<Polynomial, Polynomial> parts;
  for (const auto &[monomial, coefficient] : index.terms()) {
    const bool isFixed =
        std::all_of(monomial.begin(), monomial.end(), [&](Symbol symbol) {
          return !varies(Polynomial(symbol), terms) &&
                 (symbol.kind != SymbolKind::Opaque ||
                  !terms.hasUnique(symbol));
        });
    Polynomial &part = isFixed ? parts.second : parts.first;
    // Monomials of one polynomial are distinct: the sum can't overflow.
    part = *add(part, Polynomial(monomial, coefficient));
  }
  return parts;
}

/// The number of a counter that no kernel has.
constexpr std::uint32_t FreeCounter = 1U << 30;

/// Splits `value` into what only counts, `k + 3` of `8 * i + k + 3`, and the
/// rest.
std::pair<Polynomial, Polynomial> splitCounted(const Polynomial &value) {
  std::pair<Polynomial, Polynomial> parts;
  for (const auto &[monomial, coefficient] : value.terms()) {
    const bool isCounted =
        std::all_of(monomial.begin(), monomial.end(), [](Symbol symbol) {
          return symbol.kind == SymbolKind::LoopCounter;
        });
    Polynomial &part = isCounted ? parts.first : parts.second;
    part = *add(part, Polynomial(monomial, coefficient));
  }
  return parts;
}

/// The counted part of an index, and the guard of a single counter that covers
/// its values.
class Counted {
public:
  Counted(const Polynomial &value, const Domain &domain,
          const KnownFacts &facts)
      : Guarded(domain.guard) {
    std::vector<std::uint32_t> counters;
    for (const Symbol symbol : value.symbols())
      counters.push_back(symbol.index);
    Bounds bounds(domain.stage, splitGuard(domain.guard, domain.stage, {}), {},
                  facts, counters);
    Highs = bounds.upper(value);
    for (const Polynomial &low : bounds.lower(value))
      if (const auto constant = low.asConstant())
        least = std::max(least.value_or(*constant), *constant);
  }

  std::optional<std::int64_t> least;

  Guard guard(std::int64_t from) const {
    const Polynomial counter(Symbol{SymbolKind::LoopCounter, FreeCounter});
    Guard all = Guarded;
    for (const Polynomial &high : Highs)
      if (const auto count = subtract(high, Polynomial(from)))
        if (auto room = subtract(*count, counter))
          all.push_back({Relation::NonNegative, *std::move(room)});
    return all;
  }

private:
  const Guard &Guarded;
  std::vector<Polynomial> Highs;
};

/// Checks whether indices that differ only in their counted parts are of one
/// thread: `8 * i + k` for k below 8, and `8 * i + 3`. Each becomes the common
/// rest plus a counter that covers both parts.
bool areOfOneThread(const Renamed &one, const Domain &earlier,
                    const Renamed &two, const Domain &later,
                    const KnownFacts &facts) {
  const auto [counted, rest] = splitCounted(one.index);
  const auto [other, otherRest] = splitCounted(two.index);
  if (rest != otherRest || hidesCounter(one, *facts.terms) ||
      hidesCounter(two, *facts.terms))
    return false;
  const Counted first(counted, earlier, facts), second(other, later, facts);
  const auto index =
      add(rest, Polynomial(Symbol{SymbolKind::LoopCounter, FreeCounter}));
  if (!first.least || !second.least || !index)
    return false;
  const std::int64_t from = std::min(*first.least, *second.least);
  const Guard inFirst = first.guard(from), inSecond = second.guard(from);
  return tellsThreadsApart(*index, {earlier.stage, inFirst},
                           {later.stage, inSecond}, facts);
}

/// Checks whether each thread has rows of its own, which neither access leaves.
bool stayInRows(const PlacedAccess &first, const PlacedAccess &second,
                const KnownFacts &facts) {
  const std::vector<Rooms> ways = waysToStayInRows(
      first.access, first.stage, second.access, second.stage, facts);
  return !ways.empty() && ways.front().empty();
}

/// Returns how two accesses with known indices depend on each other.
AccessDependence compare(const PlacedAccess &first, const PlacedAccess &second,
                         const KnownFacts &facts) {
  const ObstacleKind neighbour = isFlow(first, second)
                                     ? ObstacleKind::CrossThreadFlow
                                     : ObstacleKind::CrossThreadAntiDependence;
  const CounterNames names(first.access), others(second.access);
  auto one = rename(first.access, names);
  auto two = rename(second.access, others);
  if (!one || !two)
    return conflict(neighbour);
  if (names != others && hidesCounter(*one, *facts.terms) &&
      hidesCounter(*two, *facts.terms))
    return conflict(neighbour);
  const Domain earlier{first.stage, one->guard};
  const Domain later{second.stage, two->guard};
  if (one->index != two->index) {
    const AccessDependence other =
        isFlow(first, second)
            ? compareNeighbours(first, second, *one, *two, facts)
            : conflict(neighbour);
    // If the guards leave only one thread, its elements don't matter.
    const bool isLone =
        other.kind == AccessDependence::Kind::Conflict &&
        (tellsThreadsApart(Polynomial{}, earlier, later, facts) ||
         areOfOneThread(*one, earlier, *two, later, facts) ||
         stayInRows(first, second, facts));
    return isLone ? AccessDependence{AccessDependence::Kind::SameThread}
                  : other;
  }
  AccessDependence dependence{AccessDependence::Kind::SameThread};
  if (isFlow(first, second)) {
    if (!tellsThreadsApart(one->index, earlier, earlier, facts))
      return conflict(ObstacleKind::NotInjective);
    dependence.isCovered = implies(two->guard, one->cover, first.stage, facts);
    if (dependence.isCovered)
      return dependence;
  }
  if (!tellsThreadsApart(one->index, earlier, later, facts))
    return conflict(isFlow(first, second) ? neighbour
                                          : ObstacleKind::NotInjective);
  return dependence;
}

} // namespace

bool isFlow(const PlacedAccess &first, const PlacedAccess &second) {
  return writes(first.access) && !writes(second.access);
}

bool isResolved(const PlacedAccess &first, const PlacedAccess &second,
                const AccessDependence &dependence) {
  if (dependence.kind == AccessDependence::Kind::Neighbour)
    return dependence.isCovered;
  if (dependence.kind == AccessDependence::Kind::SameThread)
    return dependence.isCovered || !isFlow(first, second);
  return dependence.kind == AccessDependence::Kind::Disjoint;
}

std::vector<AccessDependences::Member>
AccessDependences::membersOf(const Stage &stage, const TermTable &terms) {
  std::vector<Member> members;
  std::vector<Polynomial> shapes;
  for (std::uint32_t i = 0; i < stage.accesses.size(); ++i) {
    const StageAccess &access = stage.accesses[i];
    Member member{i, {}};
    Polynomial shape;
    if (const auto *index = std::get_if<Polynomial>(&access.index))
      std::tie(shape, member.begin) = splitFixed(*index, terms);
    for (std::uint32_t other = 0; other < i; ++other) {
      const StageAccess &known = stage.accesses[other];
      if (members[other].like == other && shapes[other] == shape &&
          known.index.index() == access.index.index() &&
          known.guard == access.guard && known.cover == access.cover &&
          known.access->loops == access.access->loops) {
        member.like = other;
        break;
      }
    }
    members.push_back(std::move(member));
    shapes.push_back(std::move(shape));
  }
  return members;
}

AccessDependences::AccessDependences(const Stage &first, const Stage &second,
                                     KnownFacts facts)
    : First(first), Second(second), Known(std::move(facts)),
      FirstMembers(membersOf(first, *Known.terms)),
      SecondMembers(membersOf(second, *Known.terms)) {}

AccessDependence AccessDependences::between(std::uint32_t a, std::uint32_t b) {
  const PlacedAccess first{First, First.accesses[a]};
  const PlacedAccess second{Second, Second.accesses[b]};
  const Access &earlier = *first.access.access;
  const Access &later = *second.access.access;
  if (!writes(first.access) && !writes(second.access))
    return noDependence();
  const bool anyAtomic =
      earlier.kind == AccessKind::Atomic || later.kind == AccessKind::Atomic;
  if (earlier.kind == later.kind && anyAtomic &&
      earlier.atomicOperation == later.atomicOperation &&
      earlier.atomicOperation != 0 && sameType(first, second))
    return noDependence();
  const bool isKnown =
      std::holds_alternative<Polynomial>(first.access.index) &&
      std::holds_alternative<Polynomial>(second.access.index) &&
      earlier.elementBytes == later.elementBytes;
  if (isKnown && partsAreApart(earlier, later))
    return noDependence();
  AccessDependence dependence =
      conflict(anyAtomic ? ObstacleKind::AtomicConflict
                         : ObstacleKind::NonPolynomialIndex);
  if (!isKnown)
    return dependence;
  const Member &one = FirstMembers[a], &two = SecondMembers[b];
  const auto distance = subtract(two.begin, one.begin);
  const Key key{one.like, two.like, distance ? *distance : two.begin,
                distance ? Polynomial() : one.begin, isFlow(first, second)};
  if (!anyAtomic && sameType(first, second)) {
    auto known = Compared.find(key);
    if (known == Compared.end())
      known = Compared.emplace(key, compare(first, second, Known)).first;
    dependence = known->second;
  }
  if (isResolved(first, second, dependence))
    return dependence;
  // Proving that two ranges are apart costs more than comparing polynomials,
  // and is seldom needed.
  auto known = Disjoint.find(key);
  if (known == Disjoint.end())
    known = Disjoint
                .emplace(key, areDisjoint(first.access, First, second.access,
                                          Second, Known))
                .first;
  return known->second ? noDependence() : dependence;
}

AccessDependence dependenceBetween(const PlacedAccess &first,
                                   const PlacedAccess &second,
                                   const KnownFacts &facts) {
  Stage one = withoutAccesses(first.stage), two = withoutAccesses(second.stage);
  one.accesses = {first.access};
  two.accesses = {second.access};
  return AccessDependences(one, two, facts).between(0, 0);
}

} // namespace kfuse
