//===- TilePrefill.cpp - What a tile has where nothing is written ---------===//

#include "fusion/forwarding/TilePrefill.h"

#include "fusion/dependence/Guards.h"
#include "fusion/group/Stages.h"

#include <algorithm>
#include <map>

namespace kfuse {
namespace {

/// Each is a term of a test in the kernel.
constexpr std::size_t MostReads = 16;

/// Checks whether only global coordinates and parameters occur, which a cell
/// has too.
bool isOfPlace(const Polynomial &polynomial) {
  const std::vector<Symbol> symbols = polynomial.symbols();
  return std::all_of(symbols.begin(), symbols.end(), [](Symbol symbol) {
    return symbol.kind == SymbolKind::GlobalIdx ||
           symbol.kind == SymbolKind::Parameter;
  });
}

bool isOfPlace(const Guard &guard) {
  return std::all_of(guard.begin(), guard.end(),
                     [](const Constraint &constraint) {
                       return constraint.relation != Relation::Unknown &&
                              isOfPlace(constraint.expression);
                     });
}

/// Checks whether one of the guard's bounds keeps the coordinate at or above 0.
bool isAboveZero(const Guard &guard, std::uint32_t axis) {
  const Polynomial place(Symbol{SymbolKind::GlobalIdx, axis});
  return std::any_of(guard.begin(), guard.end(),
                     [&](const Constraint &constraint) {
                       const auto rest = subtract(constraint.expression, place);
                       return constraint.relation == Relation::NonNegative &&
                              rest && rest->asConstant().value_or(1) <= 0;
                     });
}

/// An iteration of some loops: for each its number, and how often it ran
/// before.
using Counters = std::map<std::uint32_t, std::int64_t>;

/// Returns the guard in this iteration, without what is true there anyway.
Guard at(const Counters &counters, const Guard &guard) {
  if (counters.empty())
    return guard;
  Guard result;
  for (const Constraint &constraint : guard) {
    const auto known = substitute(
        constraint.expression, [&](Symbol symbol) -> std::optional<Polynomial> {
          const auto counter = symbol.kind == SymbolKind::LoopCounter
                                   ? counters.find(symbol.index)
                                   : counters.end();
          return counter == counters.end()
                     ? std::nullopt
                     : std::optional(Polynomial(counter->second));
        });
    const auto constant = known ? known->asConstant() : std::nullopt;
    const bool isTrue =
        constant &&
        ((constraint.relation == Relation::NonNegative && *constant >= 0) ||
         (constraint.relation == Relation::Zero && *constant == 0) ||
         (constraint.relation == Relation::NonZero && *constant != 0));
    if (!known)
      result.push_back({Relation::Unknown, {}});
    else if (!isTrue)
      result.push_back({constraint.relation, *known});
  }
  return result;
}

/// Returns all iterations of the window's loops, none if they are too many.
std::vector<Counters> iterationsOf(const Window &window) {
  std::vector<Counters> all = {{}};
  for (const Window::Loop &loop : window.loops) {
    std::vector<Counters> longer;
    for (const Counters &outer : all)
      for (std::int32_t i = 0; i < loop.trips && longer.size() <= MostReads;
           ++i) {
        longer.push_back(outer);
        longer.back()[loop.number] = i;
      }
    all = std::move(longer);
  }
  return all.size() <= MostReads ? all : std::vector<Counters>();
}

/// Returns the place of the thread whose value the load takes in an iteration.
Offset offsetAt(const Counters &counters, const Window &window) {
  Offset offset = window.base;
  for (const Window::Loop &loop : window.loops)
    for (std::uint32_t axis = 0; axis < 3; ++axis)
      offset[axis] +=
          loop.step[axis] *
          (loop.first + loop.increment * static_cast<std::int32_t>(
                                             counters.at(loop.number)));
  return offset;
}

/// An access in its kernel's own terms, in which the launch's constants have
/// replaced parameters. The values of the text, with the parameters' names, are
/// easier to read and are preferred if they depend on nothing that a cell
/// lacks.
class OwnAccess {
public:
  OwnAccess(const Group &group, std::uint32_t member, std::uint32_t number)
      : Terms(group.problem->program.terms),
        Given(stageOf(*group.problem, group.stages[member].launch,
                      SymbolSpace::Kernel)
                  ->accesses[number]),
        Text(group.problem->program.ownAccesses(
            group.problem->program[group.stages[member].launch])[number]),
        Named(withoutAccesses(group.stages[member])) {
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      Named.grid[axis] = Polynomial(Symbol{SymbolKind::GridDim, axis});
      Named.block[axis] = Polynomial(Symbol{SymbolKind::BlockDim, axis});
    }
  }

  std::optional<Polynomial> index() const {
    const auto *text = std::get_if<Polynomial>(&Text.index);
    const auto *given = std::get_if<Polynomial>(&Given.index);
    const auto named = text ? canonical(*text, Named, Terms) : std::nullopt;
    if (named && isOfPlace(*named))
      return named;
    return given && isOfPlace(*given) ? std::optional(*given) : std::nullopt;
  }

  /// Returns the guard in an iteration of the loops around the access.
  std::optional<Guard> guard(const Counters &counters = {}) const {
    auto text = named(counters);
    return text ? text : of(at(counters, Given.guard));
  }
  std::optional<Guard> cover() const {
    return Text.otherArm.empty() ? guard() : of(Given.cover);
  }
  std::uint32_t pointer() const { return Text.pointer; }

private:
  static std::optional<Guard> of(const Guard &guard) {
    return isOfPlace(guard) ? std::optional(guard) : std::nullopt;
  }

  std::optional<Guard> named(const Counters &counters) const {
    Guard guard;
    for (const Constraint &constraint : at(counters, Text.guard)) {
      auto expression = canonical(constraint.expression, Named, Terms);
      if (!expression || expression->asConstant())
        return std::nullopt;
      guard.push_back({constraint.relation, std::move(*expression)});
    }
    return of(guard);
  }

  const TermTable &Terms;
  const StageAccess &Given;
  const Access &Text;
  Stage Named; ///< of a shape that no launch gave it
};

/// Returns the threads for which `own` holds, a guard in the kernel's terms;
/// `bound` is the same guard in the launch's values.
CellAccess cellAccess(const Group &group, std::uint32_t member,
                      const Guard &bound, Guard own) {
  const Stage &stage = group.stages[member];
  CellAccess result;
  result.member = member;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const auto threads = multiply(stage.grid[axis], stage.block[axis]);
    result.mayBeBefore[axis] = !isAboveZero(own, axis);
    result.mayBeBehind[axis] =
        !threads || !staysBelow(bound, axis, *threads, factsOf(group));
  }
  result.guard = std::move(own);
  return result;
}

/// Returns the threads that run a load, for each iteration of its window; none
/// if they can't be told.
std::vector<CellAccess> readsOf(const Group &group, const ForwardedRead &read) {
  const Stage &stage = group.stages[read.member];
  const auto access = std::find_if(
      stage.accesses.begin(), stage.accesses.end(),
      [&](const StageAccess &each) { return each.number == read.access; });
  if (access == stage.accesses.end() || group.isMoved(read.member))
    return {};
  const OwnAccess own(group, read.member, read.access);
  std::vector<CellAccess> all;
  for (const Counters &counters : iterationsOf(read.window)) {
    auto guard = own.guard(counters);
    // A test for each iteration would be longer than one at each read.
    if (!guard || (!all.empty() && *guard != all.front().guard))
      return {};
    all.push_back(cellAccess(group, read.member, at(counters, access->guard),
                             std::move(*guard)));
    all.back().offset = offsetAt(counters, read.window);
  }
  return all;
}

} // namespace

std::optional<TilePrefill> prefillOf(const Group &group,
                                     const Placement &placement) {
  if (!placement.isTile || !placement.isPartial() ||
      placement.producers.size() != 1)
    return std::nullopt;
  const std::uint32_t producer = placement.producers.front();
  const Stage &stage = group.stages[producer];
  const auto write =
      std::find_if(stage.accesses.begin(), stage.accesses.end(),
                   [&](const StageAccess &access) {
                     return access.array == placement.array && writes(access);
                   });
  if (write == stage.accesses.end() || group.isMoved(producer))
    return std::nullopt;
  const OwnAccess own(group, producer, write->number);
  auto index = own.index();
  auto cover = own.cover();
  if (!index || !cover || stage.kernel->pointers[own.pointer()].global)
    return std::nullopt;
  TilePrefill fill;
  fill.write = cellAccess(group, producer, write->cover, std::move(*cover));
  fill.pointer = own.pointer();
  fill.index = std::move(*index);
  for (const ForwardedRead &each : placement.reads) {
    if (!each.isPartial)
      continue;
    const std::vector<CellAccess> reads = readsOf(group, each);
    if (reads.empty())
      return std::nullopt;
    for (const CellAccess &read : reads)
      if (std::find(fill.reads.begin(), fill.reads.end(), read) ==
          fill.reads.end())
        fill.reads.push_back(read);
  }
  return fill.reads.size() <= MostReads ? std::optional(std::move(fill))
                                        : std::nullopt;
}

} // namespace kfuse
