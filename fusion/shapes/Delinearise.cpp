//===- Delinearise.cpp - Several axes as one of a member ------------------===//

#include "fusion/shapes/Delinearise.h"

#include "fusion/dependence/Guards.h"

#include <algorithm>

namespace kfuse {
namespace {

Polynomial threadOn(std::uint32_t axis) {
  return Polynomial(Symbol{SymbolKind::GlobalIdx, axis});
}

std::vector<std::uint32_t> wideAxes(const Stage &stage) {
  std::vector<std::uint32_t> axes;
  for (std::uint32_t axis = 0; axis < 3; ++axis)
    if (!isOneWide(stage, axis))
      axes.push_back(axis);
  return axes;
}

/// Returns the row and plane sizes that the access's index has: for each of the
/// axes but the last, how many steps along it make one step along the next.
std::optional<std::vector<Polynomial>>
sizesOf(const Program &program, const StageAccess &access,
        const std::vector<std::uint32_t> &axes) {
  const auto *index = std::get_if<Polynomial>(&access.index);
  std::vector<Polynomial> sizes;
  std::optional<Polynomial> before;
  for (const std::uint32_t axis : axes) {
    const auto split = index ? index->splitLinear({SymbolKind::GlobalIdx, axis})
                             : std::nullopt;
    if (!split || split->coefficient.isZero() ||
        varies(split->coefficient, program.terms))
      return std::nullopt;
    if (before) {
      auto size = divideExactly(split->coefficient, *before);
      if (!size)
        return std::nullopt;
      sizes.push_back(std::move(*size));
    }
    before = split->coefficient;
  }
  return sizes;
}

/// One axis of the member along several of the leader's.
struct Fold {
  std::uint32_t axis = 0; ///< of the member
  std::array<std::vector<std::uint32_t>, 3> axes;
  /// The sizes of rows and planes, as in ConfigMapping and as host values.
  std::vector<Polynomial> own, bound;
  /// How many of the access's steps on an axis make one on the next, by axis
  /// of the leader.
  std::vector<Polynomial> sizes;

  const std::vector<std::uint32_t> &along() const { return axes[axis]; }

  /// Returns the member's coordinate on the folded axis, in units of the first
  /// `count` axes along it together.
  std::optional<Polynomial> placeFrom(std::size_t count) const {
    std::optional<Polynomial> place = threadOn(along().back());
    for (std::size_t i = along().size() - 1; i > count && place; --i) {
      place = multiply(*place, bound[i - 1]);
      place = place ? add(*place, threadOn(along()[i - 1])) : std::nullopt;
    }
    return place;
  }
};

std::vector<Fold> foldsOf(const Program &program, const Stage &leader,
                          const std::vector<std::uint32_t> &memberAxes,
                          const std::vector<std::uint32_t> &axes) {
  const Stage own = makeStage(program, leader.launch, SymbolSpace::Kernel);
  const std::size_t length = axes.size() - memberAxes.size() + 1;
  std::vector<Fold> folds;
  for (std::size_t i = 0; i < leader.accesses.size(); ++i) {
    const auto sizes = sizesOf(program, leader.accesses[i], axes);
    const auto ownSizes = sizesOf(program, own.accesses[i], axes);
    if (!sizes || !ownSizes)
      continue;
    for (std::size_t folded = 0; folded < memberAxes.size(); ++folded) {
      Fold fold;
      fold.axis = memberAxes[folded];
      fold.sizes = *sizes;
      std::size_t next = 0;
      for (std::size_t m = 0; m < memberAxes.size(); ++m)
        for (std::size_t n = m == folded ? length : 1; n > 0; --n)
          fold.axes[memberAxes[m]].push_back(axes[next++]);
      const auto part = [&](const std::vector<Polynomial> &all) {
        const auto first = all.begin() + static_cast<std::ptrdiff_t>(folded);
        return std::vector(first,
                           first + static_cast<std::ptrdiff_t>(length - 1));
      };
      fold.own = part(*ownSizes);
      fold.bound = part(*sizes);
      if (std::none_of(folds.begin(), folds.end(), [&](const Fold &known) {
            return known.axis == fold.axis && known.own == fold.own &&
                   known.sizes == fold.sizes;
          }))
        folds.push_back(std::move(fold));
    }
  }
  return folds;
}

/// Returns the polynomial of the member's threads as one of the leader's.
/// Nullopt also if a term, such as `i % 2`, has the member's thread: the same
/// term of the leader's has another value.
std::optional<Polynomial> folded(const Polynomial &polynomial, const Fold &fold,
                                 const TermTable &terms) {
  for (const Symbol symbol : polynomial.symbols())
    if (symbol.kind == SymbolKind::Opaque && varies(Polynomial(symbol), terms))
      return std::nullopt;
  return substitute(
      polynomial, [&](Symbol symbol) -> std::optional<Polynomial> {
        if (symbol.kind != SymbolKind::GlobalIdx)
          return std::nullopt;
        if (symbol.index == fold.axis)
          return fold.placeFrom(0);
        const auto &axes = fold.axes[symbol.index];
        return axes.empty() ? std::nullopt
                            : std::optional(threadOn(axes.front()));
      });
}

/// Returns the constraint in the leader's threads. A bound of the folded axis
/// at whole rows or planes becomes a bound of the axes beyond; other
/// constraints only change their symbols.
Constraint folded(const Constraint &constraint, const Fold &fold,
                  const TermTable &terms) {
  const auto split =
      constraint.expression.splitLinear({SymbolKind::GlobalIdx, fold.axis});
  if (constraint.relation == Relation::NonNegative && split &&
      split->coefficient == Polynomial(-1) && !varies(split->rest, terms)) {
    auto extent = add(split->rest, Polynomial(1));
    std::size_t count = 0;
    while (extent && count < fold.bound.size()) {
      auto whole = divideExactly(*extent, fold.bound[count]);
      if (!whole)
        break;
      extent = std::move(*whole);
      ++count;
    }
    const auto last = extent ? subtract(*extent, Polynomial(1)) : std::nullopt;
    const auto place = fold.placeFrom(count);
    if (auto room = last && place ? subtract(*last, *place) : std::nullopt;
        room && count > 0)
      return {Relation::NonNegative, std::move(*room)};
  }
  auto expression = folded(constraint.expression, fold, terms);
  if (!expression)
    return {Relation::Unknown, {}};
  return {constraint.relation, std::move(*expression)};
}

/// Rewrites the stage's accesses in the threads of the fold. Every access also
/// gets the constraints `ends`. Returns false on overflow.
bool turn(Stage &stage, const Fold &fold, const Guard &ends,
          const TermTable &terms) {
  Guard inside;
  for (std::size_t i = 0; i < fold.bound.size(); ++i) {
    auto room = below(fold.along()[i], fold.bound[i]);
    if (!room)
      return false;
    inside.push_back(std::move(*room));
  }
  for (StageAccess &access : stage.accesses) {
    if (auto *index = std::get_if<Polynomial>(&access.index)) {
      if (auto turned = folded(*index, fold, terms))
        *index = std::move(*turned);
      else
        access.index = NotPolynomial::Unsupported;
    }
    for (Guard *guard : {&access.guard, &access.cover}) {
      guard->insert(guard->end(), ends.begin(), ends.end());
      for (Constraint &constraint : *guard)
        constraint = folded(constraint, fold, terms);
      guard->insert(guard->end(), inside.begin(), inside.end());
    }
  }
  return true;
}

/// Checks whether an access of the member steps as the leader's does.
bool stepsAlike(const Program &program, const Stage &turned, const Fold &fold,
                const std::vector<std::uint32_t> &axes) {
  return std::any_of(turned.accesses.begin(), turned.accesses.end(),
                     [&](const StageAccess &access) {
                       return sizesOf(program, access, axes) == fold.sizes;
                     });
}

class Folder {
public:
  Folder(const Group &group, const Stage &member, const Stage &leader)
      : Code(group.problem->program), Member(member), Leader(leader),
        Known(factsOf(group)) {}

  std::optional<MappedShape> run() {
    const std::vector<std::uint32_t> own = wideAxes(Member);
    const std::vector<std::uint32_t> all = wideAxes(Leader);
    Line = Member;
    if (own.empty() || own.size() >= all.size() || !mayMove(own))
      return std::nullopt;
    for (const std::uint32_t axis : own)
      if (!boundAxis(axis))
        return std::nullopt;
    std::optional<MappedShape> best;
    for (const Fold &fold : foldsOf(Code, Leader, own, all)) {
      auto fitted = fit(fold, all);
      if (fitted &&
          (!best || fitted->conditions.size() < best->conditions.size()))
        best = std::move(fitted);
    }
    return best;
  }

private:
  bool mayMove(const std::vector<std::uint32_t> &own) {
    const Kernel &kernel = *Member.kernel;
    if (!isFreeOfBlocks(Member) ||
        has(kernel, KernelFeature::CoordinatesInCallee) ||
        has(kernel, KernelFeature::GridShape) ||
        !allowsBlock(kernel, Leader.block))
      return false;
    return !Member.strideAxis ||
           (own == std::vector{*Member.strideAxis} && unrollLoop(Line));
  }

  /// Records whether threads beyond the member's have to be kept out of the
  /// axis. Returns false on overflow.
  bool boundAxis(std::uint32_t axis) {
    const auto extent = multiply(Member.grid[axis], Member.block[axis]);
    const auto exists = extent ? below(axis, *extent) : std::nullopt;
    if (!exists)
      return false;
    IsBounded[axis] =
        !Member.strideAxis &&
        !std::all_of(Line.accesses.begin(), Line.accesses.end(),
                     [&](const StageAccess &access) {
                       return staysBelow(access.bare, axis, *extent, Known);
                     });
    if (IsBounded[axis])
      Ends.push_back(*exists);
    return true;
  }

  /// Checks whether the leader has a thread for all of the member's on its
  /// axis.
  bool isCovered(const Stage &turned, std::uint32_t axis) const {
    const auto extent = multiply(Leader.grid[axis], Leader.block[axis]);
    return extent &&
           std::all_of(turned.accesses.begin(), turned.accesses.end(),
                       [&](const StageAccess &access) {
                         return staysBelow(access.guard, axis, *extent, Known);
                       });
  }

  std::optional<MappedShape> fit(const Fold &fold,
                                 const std::vector<std::uint32_t> &all) const {
    MappedShape result{Line, {}, {}};
    result.fit.hasBlocks = false;
    result.fit.isIteration = Member.strideAxis.has_value();
    result.fit.bounds = IsBounded;
    result.fit.axes = fold.axes;
    result.fit.rows = fold.own;
    if (!turn(result.stage, fold, Ends, Code.terms) ||
        !stepsAlike(Code, result.stage, fold, all))
      return std::nullopt;
    result.stage.grid = Leader.grid;
    result.stage.block = Leader.block;
    result.stage.hasOwnTerms = false;
    for (std::uint32_t axis = 0; axis < 3; ++axis)
      if (axis != fold.axis && !fold.axes[axis].empty() &&
          !isCovered(result.stage, fold.axes[axis].front()))
        result.conditions.push_back(
            atLeast(Leader, threadsOn(fold.axes[axis].front()), Member,
                    neededThreads(Code, Member, axis)));
    if (!coverFolded(fold, result))
      return std::nullopt;
    return result;
  }

  /// Returns what holds if the leader has blocks: for (n + 255) / 256, that n
  /// is at least 1.
  KnownFacts launchableFacts() const {
    KnownFacts facts = Known;
    for (const Polynomial &extent : Leader.grid) {
      if (auto fact = subtract(extent, Polynomial(1)))
        facts.notNegative.push_back(std::move(*fact));
      const auto symbol = extent.asSymbol();
      if (!symbol || symbol->kind != SymbolKind::Opaque)
        continue;
      const Term &term = (*facts.terms)[*symbol];
      if (term.kind != TermKind::Divide || term.operands.size() != 2 ||
          !provesPositive(facts, term.operands[1]))
        continue;
      if (auto fact = subtract(term.operands[0], term.operands[1]))
        facts.notNegative.push_back(std::move(*fact));
    }
    return facts;
  }

  /// Adds the conditions under which the leader has whole rows and planes, and
  /// enough of them. Returns false if they can't hold or can't be expressed.
  bool coverFolded(const Fold &fold, MappedShape &result) const {
    const KnownFacts launchable = launchableFacts();
    const std::uint32_t last = fold.along().back();
    std::optional<Polynomial> cells = threadsOn(last);
    std::optional<Polynomial> count =
        multiply(Leader.grid[last], Leader.block[last]);
    for (std::size_t i = 0; i < fold.own.size(); ++i) {
      cells = cells ? multiply(*cells, fold.own[i]) : std::nullopt;
      count = count ? multiply(*count, fold.bound[i]) : std::nullopt;
      const auto extent =
          multiply(Leader.grid[fold.along()[i]], Leader.block[fold.along()[i]]);
      const auto inside = below(fold.along()[i], fold.bound[i]);
      if (!extent || !inside)
        return false;
      if (!provesPositive(launchable, fold.bound[i])) {
        if (fold.own[i].asConstant())
          return false;
        result.conditions.push_back(
            atLeast(Leader, fold.own[i], Leader, Polynomial(1)));
      }
      if (staysBelow({*inside}, fold.along()[i], *extent, Known))
        continue;
      result.conditions.push_back(
          atLeast(Leader, threadsOn(fold.along()[i]), Leader, fold.own[i]));
    }
    if (!cells)
      return false;
    if (!isCovered(result.stage, fold.along().back()))
      result.conditions.push_back(atLeast(
          Leader, *cells, Member, neededThreads(Code, Member, fold.axis)));
    // The member's index may be an `int`.
    const auto known = count ? count->asConstant() : std::nullopt;
    if (!Member.strideAxis && known && *known > MostThreads)
      return false;
    if (!Member.strideAxis && !known)
      result.conditions.push_back(
          atLeast(Leader, Polynomial(MostThreads), Leader, *cells));
    return true;
  }

  const Program &Code;
  const Stage &Member, &Leader;
  KnownFacts Known;
  Stage Line; ///< the member, a loop's iterations as threads
  std::array<bool, 3> IsBounded{};
  Guard Ends; ///< of the axes that are bounded
};

} // namespace

std::optional<MappedShape> delinearise(const Group &group, const Stage &member,
                                       const Stage &leader) {
  return Folder(group, member, leader).run();
}

} // namespace kfuse
