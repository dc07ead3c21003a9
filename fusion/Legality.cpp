//===- fusion/Legality.cpp - Pairs of accesses of two stages --------------===//

#include "fusion/Legality.h"

#include "fusion/Injective.h"
#include "fusion/Intervals.h"
#include "fusion/Memo.h"
#include "fusion/Names.h"
#include "fusion/Neighbours.h"

#include <algorithm>

namespace kfuse {
namespace {

/// An access and the stage it belongs to.
struct Place {
  const Stage &stage;
  const StageAccess &access;
};

/// How two accesses meet.
struct Meeting {
  enum class Kind : std::uint8_t {
    Apart,
    SameThread,
    Neighbour, ///< a read of what the thread `offset` away wrote, and no other
    Conflict
  } kind;
  ObstacleKind obstacle{};
  bool isCovered = false; ///< of a read after a write: the write ran
  Offset offset{};
};

constexpr Meeting Apart{Meeting::Kind::Apart, {}, false, {}};
constexpr Meeting conflict(ObstacleKind kind) {
  return {Meeting::Kind::Conflict, kind, false, {}};
}

/// Loop counters numbered by nesting, so that those of two kernels compare.
/// Counters that the index doesn't mention keep clear of the others.
std::optional<Polynomial> renameCounters(const Polynomial &polynomial,
                                         const std::vector<Symbol> &used) {
  return substitute(
      polynomial, [&](Symbol symbol) -> std::optional<Polynomial> {
        if (symbol.kind != SymbolKind::LoopCounter)
          return std::nullopt;
        const auto place = std::find(used.begin(), used.end(), symbol);
        const auto number = static_cast<std::uint32_t>(place - used.begin());
        const std::uint32_t clear =
            static_cast<std::uint32_t>(used.size()) + symbol.index;
        return Polynomial(Symbol{SymbolKind::LoopCounter,
                                 place == used.end() ? clear : number});
      });
}

struct Renamed {
  Polynomial index;
  Guard guard;
};

std::optional<Renamed> renameCounters(const StageAccess &access) {
  const auto &index = std::get<Polynomial>(access.index);
  std::vector<Symbol> used;
  for (std::uint32_t loop : access.access->loops)
    if (Symbol counter{SymbolKind::LoopCounter, loop}; index.mentions(counter))
      used.push_back(counter);
  auto renamed = renameCounters(index, used);
  if (!renamed)
    return std::nullopt;
  Renamed result{std::move(*renamed), {}};
  for (const Constraint &constraint : access.guard)
    if (auto expression = renameCounters(constraint.expression, used))
      result.guard.push_back({constraint.relation, std::move(*expression)});
  return result;
}

bool partsAreApart(const Access &first, const Access &second) {
  return first.offset + first.width <= second.offset ||
         second.offset + second.width <= first.offset;
}

/// Whether the two access elements of one type.
bool sameType(const Place &first, const Place &second) {
  const auto &one = first.stage.kernel->pointers;
  const auto &two = second.stage.kernel->pointers;
  const Access &earlier = *first.access.access;
  const Access &later = *second.access.access;
  return earlier.elementBytes == later.elementBytes &&
         earlier.pointer < one.size() && later.pointer < two.size() &&
         one[earlier.pointer].element.spelling ==
             two[later.pointer].element.spelling;
}

bool isFlow(const Place &first, const Place &second) {
  return writes(first.access) && !writes(second.access);
}

/// Whether nothing is left to find out about the meeting.
bool isSettled(const Place &first, const Place &second,
               const Meeting &meeting) {
  if (meeting.kind == Meeting::Kind::Neighbour)
    return meeting.isCovered;
  if (meeting.kind == Meeting::Kind::SameThread)
    return meeting.isCovered || !isFlow(first, second);
  return meeting.kind == Meeting::Kind::Apart;
}

/// Tiles are arrays of a size that the compiler knows.
bool canHaveTile(const Stage &stage) {
  return !stage.kernel->gridStride &&
         std::all_of(stage.block.begin(), stage.block.end(),
                     [](const Polynomial &extent) {
                       return extent.asConstant().has_value();
                     });
}

/// Whether a read at another index takes what the thread a constant offset away
/// wrote, or else what nobody in the grid wrote. Threads beyond the end of the
/// grid are like those whose guard is false; before its begin there are none.
Meeting compareNeighbours(const Place &first, const Place &second,
                          const Renamed &write, const Renamed &read,
                          const Facts &facts) {
  const Meeting refused = conflict(ObstacleKind::NeighbourRead);
  if (!canHaveTile(first.stage) || !canHaveTile(second.stage))
    return refused;
  const TermTable &terms = *facts.terms;
  const auto offset =
      offsetBetween(write.index, read.index, first.stage, terms);
  if (!offset)
    return refused;
  const Guard &reads = second.access.guard;
  const Domain writers{first.stage, write.guard};
  if (!tellsThreadsApart(write.index, writers, writers, facts))
    return conflict(ObstacleKind::NotInjective);

  Guard begin, needed = movedBy(first.access.guard, *offset, terms);
  Stage wider{second.stage.launch,
              second.stage.kernel,
              second.stage.grid,
              second.stage.block,
              {}};
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const Polynomial place(Symbol{SymbolKind::GlobalIdx, axis});
    const Polynomial moved = *add(place, Polynomial((*offset)[axis]));
    if ((*offset)[axis] < 0)
      begin.push_back({Relation::NonNegative, moved});
    if ((*offset)[axis] <= 0)
      continue;
    const auto threads =
        multiply(second.stage.grid[axis], second.stage.block[axis]);
    const auto last = threads ? subtract(*threads, Polynomial(1)) : threads;
    const auto room = last ? subtract(*last, moved) : last;
    const auto more = add(wider.grid[axis], Polynomial(1));
    if (!room || !more)
      return refused;
    needed.push_back({Relation::NonNegative, *room});
    wider.grid[axis] = *more;
  }
  if (!implies(reads, begin, second.stage, facts))
    return refused;
  Meeting meeting{Meeting::Kind::Neighbour, {}, false, *offset};
  meeting.isCovered = implies(reads, needed, second.stage, facts);
  if (meeting.isCovered)
    return meeting;
  // What the thread there didn't write no other thread wrote either.
  const Guard there = movedBy(read.guard, opposite(*offset), terms);
  if (!tellsThreadsApart(write.index, writers, {wider, there}, facts))
    return refused;
  return meeting;
}

/// Whether the accesses, of known indices, meet in one thread alone.
Meeting compare(const Place &first, const Place &second, const Facts &facts) {
  const ObstacleKind neighbour = isFlow(first, second)
                                     ? ObstacleKind::NeighbourRead
                                     : ObstacleKind::NeighbourWrite;
  auto one = renameCounters(first.access);
  auto two = renameCounters(second.access);
  if (!one || !two)
    return conflict(neighbour);
  if (one->index != two->index)
    return isFlow(first, second)
               ? compareNeighbours(first, second, *one, *two, facts)
               : conflict(neighbour);
  const Domain earlier{first.stage, one->guard};
  const Domain later{second.stage, two->guard};
  Meeting meeting{Meeting::Kind::SameThread, {}, false, {}};
  if (isFlow(first, second)) {
    if (!tellsThreadsApart(one->index, earlier, earlier, facts))
      return conflict(ObstacleKind::NotInjective);
    meeting.isCovered =
        implies(second.access.guard, first.access.guard, first.stage, facts);
    if (meeting.isCovered)
      return meeting;
  }
  if (!tellsThreadsApart(one->index, earlier, later, facts))
    return conflict(isFlow(first, second) ? neighbour
                                          : ObstacleKind::NotInjective);
  return meeting;
}

/// How an access of an earlier stage meets one of a later stage, in the same
/// array.
Meeting meet(const Place &first, const Place &second, const Facts &facts) {
  const Access &earlier = *first.access.access;
  const Access &later = *second.access.access;
  if (!writes(first.access) && !writes(second.access))
    return Apart;
  const bool anyAtomic =
      earlier.kind == AccessKind::Atomic || later.kind == AccessKind::Atomic;
  if (earlier.kind == later.kind && anyAtomic &&
      earlier.atomicOperation == later.atomicOperation &&
      earlier.atomicOperation != 0 && sameType(first, second))
    return Apart;
  const bool isKnown =
      std::holds_alternative<Polynomial>(first.access.index) &&
      std::holds_alternative<Polynomial>(second.access.index) &&
      earlier.elementBytes == later.elementBytes;
  if (isKnown && partsAreApart(earlier, later))
    return Apart;
  Meeting meeting = conflict(anyAtomic ? ObstacleKind::AtomicConflict
                                       : ObstacleKind::UnknownIndex);
  if (isKnown && !anyAtomic)
    meeting = compare(first, second, facts);
  // Proving that two ranges are apart costs more than comparing polynomials,
  // and is seldom needed.
  if (isKnown && !isSettled(first, second, meeting) &&
      areDisjoint(first.access, first.stage, second.access, second.stage,
                  facts))
    return Apart;
  return meeting;
}

/// A pair of scalars, one of each stage, that might be equal at run time.
struct Candidate {
  std::uint32_t first = 0, second = 0;
};

void collectScalars(const Polynomial &polynomial, const TermTable &terms,
                    std::vector<std::uint32_t> &scalars) {
  for (Symbol symbol : polynomial.symbols()) {
    if (symbol.kind == SymbolKind::Parameter &&
        std::find(scalars.begin(), scalars.end(), symbol.index) ==
            scalars.end())
      scalars.push_back(symbol.index);
    if (symbol.kind == SymbolKind::Opaque)
      for (const Polynomial &operand : terms[symbol].operands)
        collectScalars(operand, terms, scalars);
  }
}

/// The scalars that the index and the guard of an access depend on.
std::vector<std::uint32_t> scalarsOf(const Place &place,
                                     const TermTable &terms) {
  std::vector<std::uint32_t> scalars;
  const Access &own = place.stage.kernel->accesses[place.access.number];
  if (const auto *index = std::get_if<Polynomial>(&own.index))
    collectScalars(*index, terms, scalars);
  for (const Constraint &constraint : own.guard)
    collectScalars(constraint.expression, terms, scalars);
  return scalars;
}

/// Equal names first: they are the likeliest to be equal values.
std::vector<Candidate> candidates(const Group &group, const Place &first,
                                  const Place &second) {
  const Program &program = group.problem->program;
  std::vector<Candidate> named, others;
  for (std::uint32_t one : scalarsOf(first, program.terms))
    for (std::uint32_t two : scalarsOf(second, program.terms)) {
      const auto &left = program[first.stage.launch].scalars;
      const auto &right = program[second.stage.launch].scalars;
      if (one >= left.size() || two >= right.size() || left[one] == right[two])
        continue;
      const bool isNamedAlike = scalarName(*first.stage.kernel, one) ==
                                scalarName(*second.stage.kernel, two);
      (isNamedAlike ? named : others).push_back({one, two});
    }
  named.insert(named.end(), others.begin(), others.end());
  return named;
}

/// The group with the scalars of two stages assumed equal.
std::optional<Group> assumeScalars(const Group &group, std::uint32_t i,
                                   std::uint32_t j,
                                   const std::vector<Candidate> &equal) {
  const Program &program = group.problem->program;
  Group trial = group;
  for (const Candidate &candidate : equal) {
    const LaunchId first = group.stages[i].launch;
    const LaunchId second = group.stages[j].launch;
    auto left = assumedValue(trial, program[first].scalars[candidate.first]);
    auto right = assumedValue(trial, program[second].scalars[candidate.second]);
    if (!left || !right)
      return std::nullopt;
    if (left == right)
      continue;
    // The later stage's value is expressed by the earlier stage's.
    if (!assumeEqual(trial, *right, *left))
      return std::nullopt;
    Condition condition;
    condition.kind = ConditionKind::EqualScalar;
    condition.first = first;
    condition.second = second;
    condition.firstIndex = candidate.first;
    condition.secondIndex = candidate.second;
    trial.conditions.push_back(std::move(condition));
  }
  return trial;
}

Meeting meetIn(const Group &group, std::uint32_t i, std::uint32_t a,
               std::uint32_t j, std::uint32_t b) {
  return meet({group.stages[i], group.stages[i].accesses[a]},
              {group.stages[j], group.stages[j].accesses[b]}, factsOf(group));
}

/// Of more pairs of scalars than this, two at once are only tried by name.
constexpr std::size_t MostPairedCandidates = 8;

/// The group with one access in each of two stages and none elsewhere: what is
/// assumed in it costs little.
Group narrowTo(const Group &group, std::uint32_t i, std::uint32_t a,
               std::uint32_t j, std::uint32_t b) {
  Group narrow;
  narrow.problem = group.problem;
  narrow.assumed = group.assumed;
  narrow.ownTerms = group.ownTerms;
  for (const Stage &stage : group.stages)
    narrow.stages.push_back(
        {stage.launch, stage.kernel, stage.grid, stage.block, {}});
  narrow.stages[i].accesses = {group.stages[i].accesses[a]};
  narrow.stages[j].accesses = {group.stages[j].accesses[b]};
  useOwnTerms(narrow);
  return narrow;
}

/// Assumptions that settle how the accesses meet, fewest first; of accesses
/// that are in conflict, those under which they no longer are will do.
std::optional<Group> findAssumptions(const Group &group, std::uint32_t i,
                                     std::uint32_t a, std::uint32_t j,
                                     std::uint32_t b, bool isConflict) {
  const Place first{group.stages[i], group.stages[i].accesses[a]};
  const Place second{group.stages[j], group.stages[j].accesses[b]};
  const std::vector<Candidate> single = candidates(group, first, second);
  std::vector<std::vector<Candidate>> trials;
  for (const Candidate &candidate : single)
    trials.push_back({candidate});
  std::vector<Candidate> named;
  for (const Candidate &candidate : single)
    if (scalarName(*first.stage.kernel, candidate.first) ==
        scalarName(*second.stage.kernel, candidate.second))
      named.push_back(candidate);
  trials.push_back(std::move(named));
  if (single.size() <= MostPairedCandidates)
    for (std::size_t one = 0; one < single.size(); ++one)
      for (std::size_t two = one + 1; two < single.size(); ++two)
        trials.push_back({single[one], single[two]});
  const Group narrow = narrowTo(group, i, a, j, b);
  std::optional<Group> better;
  for (const auto &trial : trials) {
    auto assumed =
        trial.empty() ? std::nullopt : assumeScalars(narrow, i, j, trial);
    if (!assumed)
      continue;
    const Meeting meeting = meetIn(*assumed, i, 0, j, 0);
    if (isSettled(first, second, meeting))
      return assumeScalars(group, i, j, trial);
    if (isConflict && !better && meeting.kind != Meeting::Kind::Conflict)
      better = assumeScalars(group, i, j, trial);
  }
  return better;
}

const char *verbOf(const Access &access) {
  if (access.kind == AccessKind::Atomic)
    return "updates";
  return access.kind == AccessKind::Read ? "reads" : "writes";
}

Obstacle describe(const Group &group, const Place &first, const Place &second,
                  ObstacleKind kind) {
  const Program &program = group.problem->program;
  const Access &earlier = *first.access.access;
  const Access &later = *second.access.access;
  const std::string one = launchName(program, first.stage.launch);
  const std::string two = launchName(program, second.stage.launch);
  const std::string array = arrayName(program, second.access.array);
  auto place = [&](const Place &at) {
    return placeText(program, at.stage.launch, at.access.number);
  };
  Obstacle obstacle;
  obstacle.kind = kind;
  obstacle.first = first.stage.launch;
  obstacle.second = second.stage.launch;
  obstacle.array = second.access.array;
  switch (kind) {
  case ObstacleKind::NotInjective:
    obstacle.text = "several threads of " + one + " may " +
                    (earlier.kind == AccessKind::Read ? "read " : "write ") +
                    array + " " + place(first) + ", which " + two + " " +
                    verbOf(later) + " too";
    obstacle.remedy = "guard the access so that the row length of " + array +
                      " bounds the thread's coordinate";
    break;
  case ObstacleKind::UnknownIndex: {
    const bool blameFirst =
        !std::holds_alternative<Polynomial>(first.access.index);
    const Place &blamed = blameFirst ? first : second;
    const Place &other = blameFirst ? second : first;
    obstacle.text = earlier.elementBytes != later.elementBytes
                        ? one + " and " + two + " access " + array +
                              " as elements of different sizes"
                        : (blameFirst ? one : two) + " " +
                              verbOf(*blamed.access.access) + " " + array +
                              " " +
                              placeText(program, blamed.stage.launch,
                                        blamed.access.number) +
                              ", and " + (blameFirst ? two : one) + " " +
                              verbOf(*other.access.access) + " it";
    obstacle.remedy = "index " + array +
                      " by thread coordinates, loop counters and arguments";
    break;
  }
  case ObstacleKind::AtomicConflict:
    obstacle.text = two + " " + verbOf(later) + " " + array + " " +
                    place(second) + ", which any thread of " + one + " " +
                    (earlier.kind == AccessKind::Atomic ? "updates atomically"
                                                        : verbOf(earlier));
    obstacle.remedy = "only equal atomic operations may meet; keep " + array +
                      " out of the other kernel";
    break;
  default:
    obstacle.text = two + " " + verbOf(later) + " " + array + " " +
                    place(second) + ", which another thread of " + one + " " +
                    verbOf(earlier) + " " + place(first);
    obstacle.remedy =
        kind == ObstacleKind::NeighbourRead
            ? "needs " + array + " at the reading thread's own index"
            : "write the new values to another array and swap the pointers";
    break;
  }
  obstacle.notes.push_back(
      {earlier.range, one + " " + verbOf(earlier) + " it here"});
  obstacle.notes.push_back(
      {later.range, two + " " + verbOf(later) + " it here"});
  return obstacle;
}

Obstacle needsCondition(const Group &group, const Place &first,
                        const Place &second, const Condition &condition) {
  const Program &program = group.problem->program;
  Obstacle obstacle;
  obstacle.kind = ObstacleKind::NeedsCondition;
  obstacle.first = first.stage.launch;
  obstacle.second = second.stage.launch;
  obstacle.array = second.access.array;
  obstacle.text = "fusing is right only if '" +
                  scalarName(*first.stage.kernel, condition.firstIndex) +
                  "' of " + launchName(program, first.stage.launch) +
                  " equals '" +
                  scalarName(*second.stage.kernel, condition.secondIndex) +
                  "' of " + launchName(program, second.stage.launch) +
                  " at run time, and conditions are off";
  obstacle.remedy = "allow run-time conditions, or pass the same value";
  return obstacle;
}

PairVerdict settlePair(Group &group, std::uint32_t i, std::uint32_t j) {
  PairVerdict verdict;
  for (std::uint32_t a = 0; a < group.stages[i].accesses.size(); ++a)
    for (std::uint32_t b = 0; b < group.stages[j].accesses.size(); ++b) {
      const Place first{group.stages[i], group.stages[i].accesses[a]};
      const Place second{group.stages[j], group.stages[j].accesses[b]};
      if (!writes(first.access) && !writes(second.access))
        continue;
      if (first.access.array == noneOf<ArrayId>() ||
          first.access.array != second.access.array)
        continue;
      Meeting meeting = meetIn(group, i, a, j, b);
      // Equal scalars don't help an index that is the same already.
      const bool mayHelp = meeting.kind != Meeting::Kind::Conflict ||
                           meeting.obstacle != ObstacleKind::NotInjective;
      if (mayHelp && !isSettled(first, second, meeting)) {
        auto assumed = findAssumptions(group, i, a, j, b,
                                       meeting.kind == Meeting::Kind::Conflict);
        if (assumed && !group.problem->options.conditions) {
          verdict.dependsOnOptions = true;
          verdict.obstacle =
              needsCondition(group, first, second, assumed->conditions.back());
          return verdict;
        }
        if (assumed) {
          // Ends the life of `first` and `second`.
          group = std::move(*assumed);
          meeting = meetIn(group, i, a, j, b);
        }
      }
      const Place earlier{group.stages[i], group.stages[i].accesses[a]};
      const Place later{group.stages[j], group.stages[j].accesses[b]};
      if (meeting.kind == Meeting::Kind::Conflict) {
        verdict.obstacle = describe(group, earlier, later, meeting.obstacle);
        return verdict;
      }
      if (meeting.kind != Meeting::Kind::Apart && isFlow(earlier, later))
        verdict.flows.push_back(
            {i, a, j, b, meeting.offset, meeting.isCovered});
    }
  return verdict;
}

} // namespace

bool writes(const StageAccess &access) {
  return access.access->kind != AccessKind::Read;
}

/// What holds of a quotient: d * (a / d) > a - d, so that the usual number of
/// blocks, (n + d - 1) / d of d threads, has a thread for each of n elements.
/// Together with each fact so far, since the prover takes one at a time.
static void addShapeFacts(Facts &facts, const Stage &stage) {
  const std::size_t known = facts.notNegative.size();
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const auto symbol = stage.grid[axis].asSymbol();
    if (!symbol || symbol->kind != SymbolKind::Opaque)
      continue;
    const Term &term = (*facts.terms)[*symbol];
    if (term.kind != TermKind::Divide || term.operands.size() != 2 ||
        !provesPositive(facts, term.operands[1]))
      continue;
    auto whole = multiply(stage.grid[axis], term.operands[1]);
    auto over = whole ? subtract(*whole, term.operands[0]) : std::nullopt;
    auto spare = over ? add(*over, term.operands[1]) : std::nullopt;
    auto fact = spare ? subtract(*spare, Polynomial(1)) : std::nullopt;
    if (!fact)
      continue;
    for (std::size_t i = 0; i < known; ++i)
      if (auto sum = add(facts.notNegative[i], *fact))
        facts.notNegative.push_back(std::move(*sum));
    facts.notNegative.push_back(std::move(*fact));
  }
}

bool implies(const Guard &consumer, const Guard &producer, const Stage &stage,
             const Facts &given) {
  Facts facts = given;
  for (const Constraint &constraint : consumer) {
    if (constraint.relation == Relation::NonNegative ||
        constraint.relation == Relation::Zero)
      facts.notNegative.push_back(constraint.expression);
    if (constraint.relation == Relation::Zero)
      if (auto negated = subtract(Polynomial{}, constraint.expression))
        facts.notNegative.push_back(std::move(*negated));
  }
  for (Symbol coordinate : coordinatesOf(stage, AxisSplit{}))
    if (coordinate.kind == SymbolKind::GlobalIdx)
      if (auto size = multiply(stage.grid[coordinate.index],
                               stage.block[coordinate.index]))
        if (auto last = subtract(*size, Polynomial(1)))
          if (auto below = subtract(*last, Polynomial(coordinate)))
            facts.notNegative.push_back(std::move(*below));
  addShapeFacts(facts, stage);
  auto isNonZeroInConsumer = [&](const Polynomial &expression,
                                 const std::optional<Polynomial> &negated) {
    return std::any_of(consumer.begin(), consumer.end(),
                       [&](const Constraint &constraint) {
                         return constraint.relation == Relation::NonZero &&
                                (constraint.expression == expression ||
                                 constraint.expression == negated);
                       });
  };
  return std::all_of(
      producer.begin(), producer.end(), [&](const Constraint &constraint) {
        const Polynomial &expression = constraint.expression;
        const auto negated = subtract(Polynomial{}, expression);
        switch (constraint.relation) {
        case Relation::NonNegative:
          return provesNonNegative(facts, expression);
        case Relation::Zero:
          return negated && provesNonNegative(facts, expression) &&
                 provesNonNegative(facts, *negated);
        case Relation::NonZero:
          return isNonZeroInConsumer(expression, negated) ||
                 provesPositive(facts, expression) ||
                 (negated && provesPositive(facts, *negated));
        case Relation::Unknown:
          return false;
        }
        return false;
      });
}

std::variant<std::vector<Flow>, Obstacle> settleAccesses(Group &group) {
  std::vector<Flow> flows;
  for (std::uint32_t j = 1; j < group.stages.size(); ++j)
    for (std::uint32_t i = 0; i < j; ++i) {
      // Without assumptions a pair is the same in every group.
      PairVerdict fresh;
      const PairVerdict *verdict = &fresh;
      if (group.assumed.empty()) {
        auto &pairs = memoOf(*group.problem).pairs;
        const std::pair key(group.stages[i].launch, group.stages[j].launch);
        auto known = pairs.find(key);
        if (known == pairs.end()) {
          fresh = settlePair(group, i, j);
          if (group.assumed.empty() && !fresh.dependsOnOptions)
            pairs.emplace(key, fresh);
        } else {
          verdict = &known->second;
        }
      } else {
        fresh = settlePair(group, i, j);
      }
      if (verdict->obstacle)
        return *verdict->obstacle;
      for (Flow flow : verdict->flows) {
        flow.writer = i;
        flow.reader = j;
        flows.push_back(flow);
      }
    }
  return flows;
}

} // namespace kfuse
