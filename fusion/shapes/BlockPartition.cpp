//===- BlockPartition.cpp - Work distributed over blocks ------------------===//

#include "fusion/shapes/BlockPartition.h"

#include "fusion/dependence/Bounds.h"
#include "fusion/dependence/Disjoint.h"
#include "fusion/dependence/Guards.h"
#include "fusion/dependence/Quotients.h"
#include "fusion/group/KernelChecks.h"
#include "fusion/group/Stages.h"
#include "fusion/shapes/ShapeMapping.h"

#include <algorithm>

namespace kfuse {
namespace {

constexpr AxisSplit FirstAxis = {true, false, false};

bool isLine(const Stage &stage) {
  return !stage.strideAxis && isOneWide(stage, 1) && isOneWide(stage, 2);
}

/// Checks whether each thread may run in another block and after another
/// thread, as one of several that a thread runs.
bool canBeShared(const Stage &stage) {
  const Kernel &kernel = *stage.kernel;
  return isFreeOfBlocks(stage) && stage.hasOwnTerms &&
         !has(kernel, KernelFeature::CoordinatesInCallee) &&
         !has(kernel, KernelFeature::GridShape) && !kernel.maxThreads &&
         !kernel.integersToFloating && floatingGlobals(kernel).empty();
}

/// Splits the index into its increase from a block to the next and the index in
/// the first one.
std::optional<Polynomial::LinearSplit> byBlock(const StageAccess &access,
                                               const Stage &stage) {
  const auto *index = std::get_if<Polynomial>(&access.index);
  const auto split = index ? splitAxes(*index, stage, FirstAxis) : std::nullopt;
  return split ? split->splitLinear(Symbol{SymbolKind::BlockIdx, 0})
               : std::nullopt;
}

/// Returns the element of the stage's first thread, if each thread has the next
/// element.
std::optional<Polynomial> firstElement(const StageAccess &access,
                                       const TermTable &terms) {
  const auto *index = std::get_if<Polynomial>(&access.index);
  const auto split = index
                         ? index->splitLinear(Symbol{SymbolKind::GlobalIdx, 0})
                         : std::nullopt;
  const bool isNext = split && split->coefficient == Polynomial(1) &&
                      !varies(split->rest, terms);
  return isNext ? std::optional(split->rest) : std::nullopt;
}

/// Checks whether the host can compute the value before the launch, and the
/// device can without leaving an `int`.
bool isHostValue(const Polynomial &polynomial, const TermTable &terms) {
  const std::vector<Symbol> symbols = polynomial.symbols();
  return !varies(polynomial, terms) &&
         std::all_of(symbols.begin(), symbols.end(), [&](Symbol symbol) {
           return symbol.kind == SymbolKind::Parameter ||
                  symbol.kind == SymbolKind::BlockDim ||
                  (symbol.kind == SymbolKind::Opaque &&
                   terms[symbol].kind == TermKind::Divide &&
                   !terms.dependsOn(symbol, SymbolKind::Parameter) &&
                   !terms.hasUnique(symbol));
         });
}

/// Returns the stage with the quotients and remainders in its accesses split
/// into the block's part and the thread's (apartFromBlocks()).
Stage toldByBlocks(Stage stage, TermTable &terms) {
  for (StageAccess &access : stage.accesses) {
    if (auto *index = std::get_if<Polynomial>(&access.index))
      if (auto told = apartFromBlocks(*index, stage, terms))
        *index = std::move(*told);
    for (Guard *guard : {&access.guard, &access.cover})
      for (Constraint &constraint : *guard)
        if (auto told = apartFromBlocks(constraint.expression, stage, terms))
          constraint.expression = std::move(*told);
  }
  return stage;
}

/// A number of elements, in host values and in the symbols of the leader's
/// kernel.
struct ThreadCount {
  Polynomial bound, own;
};

/// Returns the count of all blocks together if each gets `chunk`.
std::optional<ThreadCount> reachOf(const Stage &leader,
                                   const ThreadCount &chunk) {
  auto bound = multiply(leader.grid[0], chunk.bound);
  auto own = multiply(Polynomial(Symbol{SymbolKind::GridDim, 0}), chunk.own);
  return bound && own
             ? std::optional(ThreadCount{*std::move(bound), *std::move(own)})
             : std::nullopt;
}

/// Returns how many threads' elements a block of `whole` reaches, by the first
/// pair of accesses that tells it.
std::optional<ThreadCount> chunkOf(const Group &group, const Stage &shared,
                                   const Stage &whole) {
  TermTable terms = termsOf(group);
  const Stage own = toldByBlocks(
      *stageOf(*group.problem, whole.launch, SymbolSpace::Kernel), terms);
  for (const StageAccess &mine : shared.accesses)
    for (std::size_t i = 0; i < whole.accesses.size(); ++i) {
      const StageAccess &other = whole.accesses[i];
      if (mine.array == noneOf<ArrayId>() || mine.array != other.array ||
          (!writes(mine) && !writes(other)) || !firstElement(mine, terms))
        continue;
      const auto bound = byBlock(other, whole);
      const auto text = byBlock(own.accesses[i], own);
      // Threads with an element each need no chunk.
      if (bound && text && !bound->coefficient.isZero() &&
          bound->coefficient != whole.block[0] &&
          !varies(bound->coefficient, terms) &&
          isHostValue(text->coefficient, terms))
        return ThreadCount{bound->coefficient, text->coefficient};
    }
  return std::nullopt;
}

void addCondition(Group &group, Condition condition) {
  condition.kind = ConditionKind::WholeShares;
  group.conditions.push_back(std::move(condition));
}

/// Checks that the members' indices in the last block are numbers that an `int`
/// has, as they were before. Adds a condition if that is known only at run
/// time.
bool limitIndices(Group &group, const ThreadCount &reach) {
  if (const auto known = reach.bound.asConstant())
    return *known <= MostThreads;
  if (!group.problem->options.mayNeed(ConditionKind::WholeShares))
    return false;
  const Stage &leader = group.stages[group.leader];
  addCondition(group,
               atLeast(leader, Polynomial(MostThreads), leader, reach.own));
  return true;
}

/// Returns how the member runs in its chunks. Nullopt if blocks might leave
/// threads out and that can't be tested.
std::optional<ConfigMapping> shareOut(Group &group, std::uint32_t number,
                                      const ThreadCount &chunk,
                                      const ThreadCount &reach) {
  const Stage &stage = group.stages[number];
  const auto own = multiply(stage.grid[0], stage.block[0]);
  const auto exists = own ? below(0, *own) : std::nullopt;
  if (!exists)
    return std::nullopt;
  const KnownFacts facts = factsOf(group);
  ConfigMapping fit;
  fit.hasBlocks = false;
  fit.chunk = chunk.own;
  bool isCovered = true;
  for (const StageAccess &access : stage.accesses) {
    fit.bounds[0] = fit.bounds[0] || !staysBelow(access.bare, 0, *own, facts);
    Guard guard = access.guard;
    guard.push_back(*exists);
    isCovered &= staysBelow(guard, 0, reach.bound, facts);
  }
  if (isCovered)
    return fit;
  if (!group.problem->options.mayNeed(ConditionKind::WholeShares))
    return std::nullopt;
  addCondition(group, atLeast(group.stages[group.leader], reach.own, stage,
                              neededThreads(group.problem->program, stage, 0)));
  return fit;
}

/// Returns for each member whether it has the first member's shape; nullopt
/// unless the others have one shape too.
std::optional<std::vector<bool>> twoShapes(const Stages &stages) {
  const auto isAs = [](const Stage &one, const Stage &other) {
    return one.grid == other.grid && one.block == other.block;
  };
  const Stage *second = nullptr;
  std::vector<bool> isFirst;
  for (const Stage &stage : stages) {
    isFirst.push_back(isAs(stage, stages.front()));
    if (isFirst.back())
      continue;
    if (second && !isAs(stage, *second))
      return std::nullopt;
    second = &stage;
  }
  return second ? std::optional(std::move(isFirst)) : std::nullopt;
}

/// Returns the group with the members of `isShared` distributed among the
/// blocks of the others; nullopt if they can't be.
std::optional<Group> shareSide(Group group, const std::vector<bool> &isShared) {
  const auto count = static_cast<std::uint32_t>(group.stages.size());
  useOwnTerms(group);
  for (std::uint32_t member = 0; member < count; ++member)
    if (!isShared[member])
      group.stages.replace(member,
                           toldByBlocks(group.stages[member], *group.ownTerms));
    else if (!canBeShared(group.stages[member]))
      return std::nullopt;
  // The chunk is in terms of the one that tells it, which leads.
  std::optional<ThreadCount> chunk;
  for (std::uint32_t member = 0; member < count; ++member)
    for (std::uint32_t other = 0; other < count && !chunk; ++other)
      if (isShared[member] && !isShared[other]) {
        chunk = chunkOf(group, group.stages[member], group.stages[other]);
        group.leader = other;
      }
  const auto reach =
      chunk ? reachOf(group.stages[group.leader], *chunk) : std::nullopt;
  if (!reach || !limitIndices(group, *reach))
    return std::nullopt;
  group.chunk = chunk->bound;
  for (std::uint32_t member = 0; member < count; ++member)
    if (isShared[member]) {
      auto fit = shareOut(group, member, *chunk, *reach);
      if (!fit)
        return std::nullopt;
      group.fits[member] = *std::move(fit);
    }
  return group;
}

} // namespace

std::optional<Group> withChunks(Group group) {
  auto isShared = twoShapes(group.stages);
  if (!isShared || group.problem->program.language != Language::Cuda ||
      !std::all_of(group.stages.begin(), group.stages.end(), isLine))
    return std::nullopt;
  group.fits.assign(group.stages.size(), {});
  group.shapedAs.clear();
  for (const Stage &stage : group.stages)
    group.shapedAs.push_back(stage.launch);
  group.isReordered.assign(group.stages.size(), false);
  auto shared = shareSide(group, *isShared);
  isShared->flip();
  return shared ? std::move(shared) : shareSide(std::move(group), *isShared);
}

namespace {

/// Checks whether 0 <= `value` < `limit` wherever the access runs.
bool staysWithin(const Polynomial &value, const Polynomial &limit,
                 const PlacedAccess &at, const KnownFacts &facts) {
  Bounds bounds(at.stage, splitGuard(at.access.guard, at.stage, FirstAxis),
                FirstAxis, facts, at.access.access->loops);
  const std::vector<Polynomial> lows = bounds.lower(value);
  const std::vector<Polynomial> highs = bounds.upper(value);
  return std::any_of(lows.begin(), lows.end(),
                     [&](const Polynomial &low) {
                       return provesNonNegative(bounds.facts(), low);
                     }) &&
         std::any_of(highs.begin(), highs.end(), [&](const Polynomial &high) {
           const auto room = subtract(limit, high);
           return room && provesPositive(bounds.facts(), *room);
         });
}

/// Returns the facts with `value` > 0. What is within a block's part of an
/// array makes that part no less than one element, for all that meets it.
KnownFacts withPositive(KnownFacts facts, const Polynomial &value) {
  if (auto rest = subtract(value, Polynomial(1)))
    assumeNonNegative(facts, *std::move(rest));
  return facts;
}

} // namespace

bool areOfOneBlock(const PlacedAccess &first, const PlacedAccess &second,
                   const KnownFacts &facts) {
  if (first.access.access->kind == AccessKind::Atomic ||
      second.access.access->kind == AccessKind::Atomic ||
      first.access.access->elementBytes != second.access.access->elementBytes ||
      !isLine(first.stage) || !isLine(second.stage))
    return false;
  const auto one = byBlock(first.access, first.stage);
  const auto other = byBlock(second.access, second.stage);
  if (!one || !other || one->coefficient != other->coefficient ||
      varies(one->coefficient, *facts.terms))
    return false;
  const Polynomial &part = one->coefficient;
  const KnownFacts some = withPositive(facts, part);
  return (staysWithin(one->rest, part, first, facts) &&
          staysWithin(other->rest, part, second, some)) ||
         (staysWithin(one->rest, part, first, some) &&
          staysWithin(other->rest, part, second, facts));
}

AccessDependence meetInBlock(const PlacedAccess &first,
                             const PlacedAccess &second, bool isFirstShared,
                             const Polynomial &chunk, const KnownFacts &facts) {
  const AccessDependence apart{AccessDependence::Kind::Disjoint, {}, false, {}};
  const auto conflict = [](ObstacleKind kind) {
    return AccessDependence{AccessDependence::Kind::Conflict, kind};
  };
  if (!writes(first.access) && !writes(second.access))
    return apart;
  if (first.access.access->kind == AccessKind::Atomic ||
      second.access.access->kind == AccessKind::Atomic)
    return conflict(ObstacleKind::AtomicConflict);
  if (!std::holds_alternative<Polynomial>(first.access.index) ||
      !std::holds_alternative<Polynomial>(second.access.index) ||
      first.access.access->elementBytes != second.access.access->elementBytes)
    return conflict(ObstacleKind::NonPolynomialIndex);
  if (areDisjoint(first.access, first.stage, second.access, second.stage,
                  facts))
    return apart;
  const AccessDependence refused =
      conflict(isFlow(first, second) ? ObstacleKind::CrossThreadFlow
                                     : ObstacleKind::CrossThreadAntiDependence);
  const PlacedAccess &shared = isFirstShared ? first : second;
  const PlacedAccess &whole = isFirstShared ? second : first;
  const auto begin = firstElement(shared.access, *facts.terms);
  const auto place = byBlock(whole.access, whole.stage);
  if (!begin || !place || place->coefficient != chunk)
    return refused;
  // The thread of the element, counted from the block's first.
  const auto thread = subtract(place->rest, *begin);
  // A distributed thread is one of a chunk.
  const bool isWithin =
      thread && staysWithin(*thread, chunk, whole, withPositive(facts, chunk));
  return isWithin ? AccessDependence{AccessDependence::Kind::SameBlock,
                                     {},
                                     false,
                                     {}}
                  : refused;
}

} // namespace kfuse
