//===- Wrapping.cpp - Numbers that don't wrap in a launch -----------------===//
//
// The front end writes a number that may not fit into its type as a Narrow term
// of what it would be without bounds. With the values of a launch more numbers
// are known to fit. For those that index memory directly this is also assumed,
// if the host can test it before the launch: an index that wrapped would be a
// mistake in most programs. What a hash does with its number stays a term. If
// an index needs such a test, the bounds of its guard that the host computes,
// such as an unsigned `width - 1`, are tested too: one that wraps bounds
// nothing.
//
//===----------------------------------------------------------------------===//

#include "graphs/program/Wrapping.h"

#include "graphs/program/LaunchRanges.h"
#include "graphs/program/Ranges.h"
#include "graphs/program/WholeElements.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace kfuse {
namespace {

/// Which terms may be assumed to fit, with a test: OfHost are those that the
/// host can compute.
enum class Assumable : std::uint8_t { None, OfHost, All };

class Unwrapper {
public:
  Unwrapper(Program &program, Launch &launch)
      : Given(launch), Own(program[launch.kernel]), Terms(program.terms),
        Bound(program, launch) {}

  void run() {
    std::vector<Access> unwrapped = Own.accesses;
    bool isChanged = false;
    for (std::size_t i = 0; i < unwrapped.size(); ++i)
      if (hasNarrow(unwrapped[i]) && unwrap(unwrapped[i]))
        isChanged = true;
    if (isChanged) {
      Kernel rewritten;
      rewritten.accesses = unwrapped;
      Given.accesses = bindAccesses(rewritten, Given, Terms);
      Given.unwrapped = std::move(unwrapped);
    }
    for (std::uint32_t axis = 0; axis < 3; ++axis)
      if (usesIndexOn(axis))
        needThreads(axis);
  }

private:
  bool mentionsNarrow(const Polynomial &value) const {
    for (const auto &[monomial, coefficient] : value.terms())
      for (Symbol symbol : monomial)
        if (symbol.kind == SymbolKind::Opaque && Terms.hasNarrow(symbol))
          return true;
    return false;
  }

  bool hasNarrow(const Access &access) const {
    const auto *index = std::get_if<Polynomial>(&access.index);
    return (index && mentionsNarrow(*index)) ||
           std::any_of(access.guard.begin(), access.guard.end(),
                       [this](const Constraint &constraint) {
                         return mentionsNarrow(constraint.expression);
                       });
  }

  /// Returns whether a value of the kernel fits into the type under the guard.
  bool fits(const Polynomial &own, const NumberRange &type,
            const Guard &guard) {
    const auto value = Bound.bind(own);
    return value && contains(type, Bound.of(*value, Bound.bind(guard)));
  }

  /// Returns the Narrow terms in the value, inner ones first.
  std::vector<Symbol> narrowsIn(const Polynomial &value) const {
    std::vector<Symbol> narrows;
    for (const Symbol symbol : symbolsDeep(value, Terms))
      if (symbol.kind == SymbolKind::Opaque &&
          Terms[symbol].kind == TermKind::Narrow)
        narrows.push_back(symbol);
    std::sort(narrows.begin(), narrows.end());
    return narrows;
  }

  std::optional<Polynomial> replaced(const Polynomial &value, Symbol narrow,
                                     const Polynomial &operand) {
    return substituteDeep(value, Terms, [&](Symbol symbol) {
      return symbol == narrow ? std::optional(operand) : std::nullopt;
    });
  }

  /// Replaces the Narrow terms of the value that fit by their operands, and the
  /// assumable ones for which the host can test it. Returns whether it replaced
  /// any.
  bool unwrap(Polynomial &value, const Guard &guard, Assumable assumable) {
    bool isChanged = false;
    std::set<Symbol> kept;
    while (mentionsNarrow(value)) {
      const std::vector<Symbol> narrows = narrowsIn(value);
      const auto next =
          std::find_if(narrows.begin(), narrows.end(), [&](Symbol symbol) {
            return kept.insert(symbol).second;
          });
      if (next == narrows.end())
        break;
      const Term term = Terms[*next];
      const bool isPlain = value.mentions(*next);
      const bool mayAssume =
          assumable == Assumable::All ||
          (assumable == Assumable::OfHost && isKnownToHost(term.operands[0]));
      const bool mayAdd = (mayAssume && isPlain) || Assumed.contains(*next);
      const bool mayBeGiven = isPlain && !Given.rooms.empty();
      const bool isFree =
          fits(term.operands[0], rangeOfNarrow(term), guard) ||
          ((mayAdd || mayBeGiven) && assume(*next, term, guard, mayAdd));
      auto better =
          isFree ? replaced(value, *next, term.operands[0]) : std::nullopt;
      if (!better)
        continue;
      value = std::move(*better);
      isChanged = true;
    }
    return isChanged;
  }

  bool unwrap(Access &access) {
    bool isChanged = unwrapGuard(access.guard, Assumable::None);
    auto *index = std::get_if<Polynomial>(&access.index);
    if (!index)
      return isChanged;
    isChanged |= unwrap(*index, access.guard, Assumable::None);
    if (!mentionsNarrow(*index))
      return isChanged;
    isChanged |= unwrapGuard(access.guard, Assumable::OfHost);
    if (unwrap(*index, access.guard, Assumable::All)) {
      isChanged = true;
      // Assumptions about the index hold in its guard too.
      unwrapGuard(access.guard, Assumable::None);
    }
    return isChanged;
  }

  bool unwrapGuard(Guard &guard, Assumable assumable) {
    bool isChanged = false;
    for (std::size_t i = 0; i < guard.size(); ++i)
      if (guard[i].relation != Relation::Unknown &&
          mentionsNarrow(guard[i].expression)) {
        const Guard before(guard.begin(),
                           guard.begin() + static_cast<std::ptrdiff_t>(i));
        isChanged |= unwrap(guard[i].expression, before, assumable);
      }
    return isChanged;
  }

  /// Adds what the host has to test for the term to fit. Returns false if it
  /// can't, or if that is more than it tests already and `mayAdd` isn't set.
  bool assume(Symbol narrow, const Term &term, const Guard &guard,
              bool mayAdd) {
    const NumberRange type = rangeOfNarrow(term);
    const auto value = Bound.bind(term.operands[0]);
    if (!value)
      return false;
    const NumberRange range = Bound.of(*value, Bound.bind(guard));
    std::vector<Room> rooms;
    if (range.least < type.least && !isNatural(term.operands[0], guard, rooms))
      return false;
    if (range.most > type.most) {
      const auto most = mostOf(term.operands[0], guard, rooms);
      const auto limit = Polynomial(static_cast<std::int64_t>(
          std::min<WideInteger>(type.most, std::int64_t{1} << 62)));
      const auto space = most ? subtract(limit, *most) : std::nullopt;
      if (!space || !need(*space, rooms))
        return false;
    }
    if (!mayAdd)
      return std::all_of(rooms.begin(), rooms.end(),
                         [this](const Room &room) { return isGiven(room); });
    Assumed.insert(narrow);
    for (Room &room : rooms)
      addRoom(std::move(room));
    return true;
  }

  static bool impliesOther(const Room &stronger, const Room &weaker) {
    return stronger.isOfGrid == weaker.isOfGrid && isAtLeast(weaker, stronger);
  }

  bool isGiven(const Room &room) const {
    return std::any_of(
        Given.rooms.begin(), Given.rooms.end(),
        [&](const Room &each) { return impliesOther(each, room); });
  }

  /// Adds `room` unless a known one implies it, and drops those that it
  /// implies.
  void addRoom(Room room) {
    if (isGiven(room))
      return;
    std::erase_if(Given.rooms,
                  [&](const Room &each) { return impliesOther(room, each); });
    Given.rooms.push_back(std::move(room));
  }

  /// Returns whether `one` leaves at least as much room as `other` in every
  /// possible launch.
  static bool isAtLeast(const Room &one, const Room &other) {
    const auto left = subtract(one.more, one.less);
    const auto right = subtract(other.more, other.less);
    const auto more = left && right ? subtract(*left, *right) : std::nullopt;
    return more && std::all_of(more->terms().begin(), more->terms().end(),
                               [](const auto &term) {
                                 return term.second >= 0 &&
                                        isOfShape(term.first);
                               });
  }

  /// Returns whether all factors are extents of the launch, which are never
  /// negative.
  template <typename Monomial> static bool isOfShape(const Monomial &monomial) {
    return std::all_of(monomial.begin(), monomial.end(), [](Symbol symbol) {
      return symbol.kind == SymbolKind::BlockDim ||
             symbol.kind == SymbolKind::GridDim;
    });
  }

  /// Adds the test that the value isn't negative, unless it never is; returns
  /// false if it always is, or isn't known.
  bool need(const Polynomial &own, std::vector<Room> &rooms) {
    const auto value = Bound.bind(own);
    if (!value)
      return false;
    const NumberRange range = Bound.of(*value);
    if (range.least >= 0)
      return true;
    if (range.most < 0)
      return false;
    auto [more, less] = sidesOf(own);
    rooms.push_back({std::move(more), std::move(less), false});
    return true;
  }

  /// Returns how many products of the value differ between threads or
  /// iterations.
  std::ptrdiff_t productsOfThreads(const Polynomial &value) const {
    return std::count_if(value.terms().begin(), value.terms().end(),
                         [this](const auto &term) {
                           return !isKnownToHost(Polynomial(term.first, 1));
                         });
  }

  /// Returns an upper bound of the value. A constraint of the guard, which is
  /// at least 0, is added first if fewer products of the sum differ between
  /// threads.
  std::optional<Polynomial> mostOf(const Polynomial &value, const Guard &guard,
                                   std::vector<Room> &rooms) {
    for (const Constraint &known : guard) {
      if (known.relation != Relation::NonNegative &&
          known.relation != Relation::Zero)
        continue;
      const auto more = add(value, known.expression);
      if (!more || productsOfThreads(*more) >= productsOfThreads(value))
        continue;
      std::vector<Room> needed = rooms;
      if (auto most = upperBound(*more, guard, needed)) {
        rooms = std::move(needed);
        return most;
      }
    }
    return upperBound(value, guard, rooms);
  }

  /// Bounds `value` in the kernel's Parameter, BlockDim and GridDim; needs that
  /// none of the factors is negative.
  std::optional<Polynomial> upperBound(const Polynomial &value,
                                       const Guard &guard,
                                       std::vector<Room> &rooms) {
    const Polynomial joined = withGlobalIndices(value);
    std::optional<Polynomial> most = Polynomial{};
    for (const auto &[monomial, coefficient] : joined.terms()) {
      std::optional<Polynomial> part =
          Polynomial(std::max<std::int64_t>(coefficient, 0));
      for (Symbol symbol : monomial) {
        if (!isNatural(symbol, rooms))
          return std::nullopt;
        const auto factor =
            coefficient > 0 ? upperBound(symbol, guard) : std::nullopt;
        if (coefficient > 0)
          part = part && factor ? multiply(*part, *factor) : std::nullopt;
      }
      if (monomial.empty())
        part = Polynomial(coefficient);
      most = most && part ? add(*most, *part) : std::nullopt;
    }
    return most;
  }

  /// Checks whether the value isn't negative, with tests of what the host
  /// knows. It may be so above a number that the guard says not to be negative,
  /// as in a mirrored row `width - 1 - x`.
  bool isNatural(const Polynomial &value, const Guard &guard,
                 std::vector<Room> &rooms) {
    const auto isSum = [&](const Polynomial &sum) {
      std::vector<Room> needed = rooms;
      if (!isSumOfNaturals(sum, guard, needed))
        return false;
      rooms = std::move(needed);
      return true;
    };
    return isSum(value) ||
           std::any_of(guard.begin(), guard.end(),
                       [&](const Constraint &known) {
                         if (known.relation != Relation::NonNegative)
                           return false;
                         const auto above = subtract(value, known.expression);
                         return above && isSum(*above);
                       });
  }

  /// Checks whether the value is a sum of what the host knows, and of products
  /// of numbers that aren't negative. Each coordinate counts above the least
  /// that the guard leaves. Needs of what the host knows that it isn't
  /// negative.
  bool isSumOfNaturals(const Polynomial &value, const Guard &guard,
                       std::vector<Room> &rooms) {
    const auto above =
        substitute(withGlobalIndices(value),
                   [&](Symbol symbol) -> std::optional<Polynomial> {
                     const std::int64_t least = leastOf(symbol, guard);
                     return least == 0
                                ? std::nullopt
                                : add(Polynomial(symbol), Polynomial(least));
                   });
    if (!above)
      return false;
    std::optional<Polynomial> ofHost = Polynomial{};
    for (const auto &[monomial, coefficient] : above->terms()) {
      const Polynomial term(monomial, coefficient);
      if (isKnownToHost(term))
        ofHost = ofHost ? add(*ofHost, term) : std::nullopt;
      else if (coefficient < 0 || !areNatural(monomial, rooms))
        return false;
    }
    if (!ofHost)
      return false;
    const bool isDifference =
        std::any_of(ofHost->terms().begin(), ofHost->terms().end(),
                    [](const auto &term) { return term.second < 0; });
    return isDifference
               ? need(*ofHost, rooms)
               : std::all_of(ofHost->terms().begin(), ofHost->terms().end(),
                             [&](const auto &term) {
                               return areNatural(term.first, rooms);
                             });
  }

  bool areNatural(const Monomial &factors, std::vector<Room> &rooms) {
    return std::all_of(factors.begin(), factors.end(),
                       [&](Symbol symbol) { return isNatural(symbol, rooms); });
  }

  /// Returns the number, at least 0, that the guard says to be a lower bound.
  static std::int64_t leastOf(Symbol symbol, const Guard &guard) {
    std::int64_t least = 0;
    for (const Constraint &each : guard) {
      if (each.relation != Relation::NonNegative)
        continue;
      const auto room =
          subtract(Polynomial(symbol), withGlobalIndices(each.expression));
      if (const auto bound = room ? room->asConstant() : std::nullopt)
        least = std::max(least, *bound);
    }
    return least;
  }

  bool isNatural(Symbol symbol, std::vector<Room> &rooms) {
    // Whatever the host computes it from: with none there is no thread.
    if (symbol.kind == SymbolKind::BlockDim ||
        symbol.kind == SymbolKind::GridDim)
      return true;
    const auto value = Bound.bind(Polynomial(symbol));
    if (value && Bound.of(*value).least >= 0)
      return true;
    return symbol.kind == SymbolKind::Parameter &&
           need(Polynomial(symbol), rooms);
  }

  bool isKnownToHost(const Polynomial &value) const {
    const std::vector<Symbol> symbols = symbolsDeep(value, Terms);
    return std::all_of(symbols.begin(), symbols.end(), [this](Symbol symbol) {
      return symbol.kind == SymbolKind::Parameter ||
             isOfShape(std::array{symbol}) ||
             (symbol.kind == SymbolKind::Opaque &&
              isQuotientByConstant(Terms[symbol]));
    });
  }

  std::optional<Polynomial> upperBound(Symbol symbol, const Guard &guard) {
    if (isKnownToHost(Polynomial(symbol)))
      return Polynomial(symbol);
    for (const Constraint &known : guard) {
      if (known.relation != Relation::NonNegative &&
          known.relation != Relation::Zero)
        continue;
      const Polynomial joined = withGlobalIndices(known.expression);
      const auto split = joined.splitLinear(symbol);
      if (split && split->coefficient == Polynomial(-1) &&
          isKnownToHost(split->rest))
        return split->rest;
    }
    const auto below = [](const std::optional<Polynomial> &extent) {
      return extent ? subtract(*extent, Polynomial(1)) : std::nullopt;
    };
    const Polynomial blocks(Symbol{SymbolKind::GridDim, symbol.index});
    const Polynomial threads(Symbol{SymbolKind::BlockDim, symbol.index});
    switch (symbol.kind) {
    case SymbolKind::ThreadIdx:
      return below(threads);
    case SymbolKind::BlockIdx:
      return below(blocks);
    case SymbolKind::GlobalIdx:
      return below(multiply(blocks, threads));
    case SymbolKind::LoopCounter:
      if (symbol.index < Own.loops.size())
        if (const auto *trips =
                std::get_if<Polynomial>(&Own.loops[symbol.index].tripCount);
            trips && isKnownToHost(*trips))
          return below(*trips);
      break;
    default:
      break;
    }
    const auto value = Bound.bind(Polynomial(symbol));
    const WideInteger most = value ? Bound.of(*value).most : anyNumber().most;
    if (most > INT32_MAX)
      return std::nullopt;
    return Polynomial(static_cast<std::int64_t>(most));
  }

  /// Returns whether an access depends on the thread's place in the whole grid.
  bool usesIndexOn(std::uint32_t axis) const {
    const auto uses = [&](const Polynomial &value) {
      for (const Symbol symbol : symbolsDeep(value, Terms))
        if (symbol == Symbol{SymbolKind::BlockIdx, axis} ||
            symbol == Symbol{SymbolKind::GlobalIdx, axis})
          return true;
      return false;
    };
    return std::any_of(
        Own.accesses.begin(), Own.accesses.end(), [&](const Access &access) {
          const auto *index = std::get_if<Polynomial>(&access.index);
          return (index && uses(*index)) ||
                 std::any_of(access.guard.begin(), access.guard.end(),
                             [&](const Constraint &constraint) {
                               return uses(constraint.expression);
                             });
        });
  }

  /// Adds the test that the threads along an axis fit into an int, as the front
  /// end assumes, unless they are known to.
  void needThreads(std::uint32_t axis) {
    // A grid for an int's elements has a few threads more.
    if (Bound.threadsOn(axis) <=
        WideInteger{launchLimits::Threads} + launchLimits::BlockThreads)
      return;
    const auto all = multiply(Polynomial(Symbol{SymbolKind::GridDim, axis}),
                              Polynomial(Symbol{SymbolKind::BlockDim, axis}));
    if (all)
      Given.rooms.push_back(
          {Polynomial(launchLimits::Threads), *all, /*isOfGrid=*/true});
  }

  Launch &Given;
  const Kernel &Own;
  TermTable &Terms;
  LaunchRanges Bound;
  std::set<Symbol> Assumed; ///< terms that a test shows to fit
};

} // namespace

bool isTested(const Launch &launch) {
  return std::any_of(launch.rooms.begin(), launch.rooms.end(),
                     [](const Room &room) { return !room.isOfGrid; });
}

void bindLaunch(Program &program, Launch &launch) {
  launch.accesses = bindAccesses(program[launch.kernel], launch, program.terms);
  Unwrapper(program, launch).run();
  needWholeElements(program, launch);
}

} // namespace kfuse
