//===- Assumptions.cpp - What may hold at run time ------------------------===//
#include "fusion/group/Assumptions.h"

#include "fusion/dependence/AccessDependences.h"
#include "fusion/dependence/Disjoint.h"
#include "fusion/dependence/Injective.h"
#include "fusion/dependence/Names.h"
#include "fusion/group/Conditions.h"
#include "fusion/group/Stages.h"

#include <algorithm>
#include <tuple>

namespace kfuse {
namespace {

constexpr std::int64_t MostOfBlock = 1024; ///< of a block

/// A pair of scalars, one of each stage, that might be equal at run time.
struct Candidate {
  std::uint32_t first = 0, second = 0;
};

void collectScalars(const Polynomial &polynomial, const TermTable &terms,
                    std::vector<std::uint32_t> &scalars) {
  for (Symbol symbol : symbolsDeep(polynomial, terms))
    if (symbol.kind == SymbolKind::Parameter &&
        std::find(scalars.begin(), scalars.end(), symbol.index) ==
            scalars.end())
      scalars.push_back(symbol.index);
}

/// Returns the scalars that the index and the guard of an access depend on.
std::vector<std::uint32_t> scalarsOf(const PlacedAccess &place,
                                     const Program &program) {
  std::vector<std::uint32_t> scalars;
  const Access &own =
      program.ownAccesses(program[place.stage.launch])[place.access.number];
  if (const auto *index = std::get_if<Polynomial>(&own.index))
    collectScalars(*index, program.terms, scalars);
  for (const Constraint &constraint : own.guard)
    collectScalars(constraint.expression, program.terms, scalars);
  return scalars;
}

/// Returns the pairs to try, equal names first: they are the likeliest to be
/// equal values.
std::vector<Candidate> candidates(const Group &group, const PlacedAccess &first,
                                  const PlacedAccess &second) {
  const Program &program = group.problem->program;
  std::vector<Candidate> named, others;
  for (std::uint32_t one : scalarsOf(first, program))
    for (std::uint32_t two : scalarsOf(second, program)) {
      const auto &left = program[first.stage.launch].scalars;
      const auto &right = program[second.stage.launch].scalars;
      if (one >= left.size() || two >= right.size() || left[one] == right[two])
        continue;
      // Truth values say what runs; they aren't equal more often than not.
      const auto isTruth = [](const PlacedAccess &place, std::uint32_t scalar) {
        return place.stage.kernel->scalars[scalar].canonical == "bool";
      };
      if (isTruth(first, one) || isTruth(second, two))
        continue;
      // Views of several arrays have their extents each.
      const std::string &path = first.stage.kernel->scalars[one].path;
      const bool isNamedAlike =
          scalarName(*first.stage.kernel, one) ==
              scalarName(*second.stage.kernel, two) ||
          (!path.empty() && path == second.stage.kernel->scalars[two].path);
      // Nobody passes a kernel the same number twice.
      const auto holds = [](const auto &values, const auto &value) {
        return std::find(values.begin(), values.end(), value) != values.end();
      };
      if (!isNamedAlike && (holds(right, left[one]) || holds(left, right[two])))
        continue;
      (isNamedAlike ? named : others).push_back({one, two});
    }
  named.insert(named.end(), others.begin(), others.end());
  return named;
}

/// Returns the group with the scalars of two stages assumed equal.
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
    // The later stage's value is expressed in terms of the earlier stage's.
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

/// The most pairs of scalars that are tried two at a time.
constexpr std::size_t MostPairedCandidates = 8;

/// Returns which scalars to assume equal for the accesses, one way after the
/// other.
std::vector<std::vector<Candidate>> trialsFor(const Group &group,
                                              std::uint32_t i, std::uint32_t a,
                                              std::uint32_t j,
                                              std::uint32_t b) {
  const PlacedAccess first{group.stages[i], group.stages[i].accesses[a]};
  const PlacedAccess second{group.stages[j], group.stages[j].accesses[b]};
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
  return trials;
}

/// Returns the group with one access in each of two stages and none elsewhere:
/// what is assumed in it costs little.
Group narrowTo(const Group &group, std::uint32_t i, std::uint32_t a,
               std::uint32_t j, std::uint32_t b) {
  Group narrow;
  narrow.problem = group.problem;
  narrow.assumed = group.assumed;
  narrow.notNegative = group.notNegative;
  narrow.ownTerms = group.ownTerms;
  narrow.shapedAs = group.shapedAs;
  for (const Stage &stage : group.stages)
    narrow.stages.add(withoutAccesses(stage));
  for (const auto &[stage, access] : {std::pair(i, a), std::pair(j, b)}) {
    Stage one = narrow.stages[stage];
    one.accesses = {group.stages[stage].accesses[access]};
    narrow.stages.replace(stage, std::move(one));
  }
  useOwnTerms(narrow);
  return narrow;
}

/// Returns a value of the kernel's text for this launch.
std::optional<Polynomial> boundValue(Group &group, const Launch &launch,
                                     const Polynomial &value) {
  useOwnTerms(group);
  const auto bound = substituteDeep(
      value, *group.ownTerms, [&](Symbol symbol) -> std::optional<Polynomial> {
        switch (symbol.kind) {
        case SymbolKind::Parameter:
          return launch.scalars[symbol.index];
        case SymbolKind::BlockDim:
          return launch.block.extent[symbol.index];
        case SymbolKind::GridDim:
          return launch.grid.extent[symbol.index];
        default:
          return std::nullopt;
        }
      });
  return bound ? assumedValue(group, *bound) : std::nullopt;
}

/// Adds to the group what access `a` of stage `i` lacks to tell the launch's
/// threads apart. Returns false if nothing can be added, or it can't hold.
bool assumeRoom(Group &group, std::uint32_t i, std::uint32_t a) {
  if (group.isMoved(i))
    return false;
  const Program &program = group.problem->program;
  const LaunchId launch = group.stages[i].launch;
  const Stage &own = *stageOf(*group.problem, launch, SymbolSpace::Kernel);
  const StageAccess &access = own.accesses[group.stages[i].accesses[a].number];
  const auto *index = std::get_if<Polynomial>(&access.index);
  if (!index)
    return false;
  KnownFacts facts;
  facts.terms = &program.terms;
  facts.values = &program.values;
  bool isMore = false;
  for (const Polynomial &room :
       missingRoom(*index, {own, access.guard}, facts)) {
    const auto bound = boundValue(group, program[launch], room);
    if (!bound)
      return false;
    // It is there, or stays missing.
    if (bound->asConstant())
      continue;
    Condition condition;
    condition.kind = ConditionKind::LongRows;
    condition.first = condition.second = launch;
    std::tie(condition.polynomial, condition.other) = sidesOf(room);
    group.conditions.push_back(std::move(condition));
    group.notNegative.push_back(*bound);
    isMore = true;
  }
  return isMore;
}

/// Returns a value of the host's in the scalars of the launch's kernel; nullopt
/// if they don't tell it.
std::optional<Polynomial> inScalars(const Polynomial &value,
                                    const Launch &launch) {
  bool isTold = true;
  auto told =
      substitute(value, [&](Symbol symbol) -> std::optional<Polynomial> {
        // A scalar may be the symbol and some more: `n + 1`.
        for (std::uint32_t i = 0; i < launch.scalars.size(); ++i) {
          const auto more = subtract(launch.scalars[i], Polynomial(symbol));
          if (more && more->asConstant())
            return subtract(Polynomial(Symbol{SymbolKind::Parameter, i}),
                            *more);
        }
        isTold = false;
        return std::nullopt;
      });
  return isTold ? told : std::nullopt;
}

/// Adds that a value, which scalars of one of the launches tell, isn't
/// negative. Returns false if none tells it.
bool assumeRoom(Group &group, const Polynomial &room,
                const std::vector<LaunchId> &launches) {
  const Program &program = group.problem->program;
  for (const LaunchId launch : launches) {
    const auto told = inScalars(room, program[launch]);
    const auto bound = told ? boundValue(group, program[launch], *told) : told;
    if (!bound)
      continue;
    Condition condition;
    condition.kind = ConditionKind::LongRows;
    condition.first = condition.second = launch;
    std::tie(condition.polynomial, condition.other) = sidesOf(*told);
    group.conditions.push_back(std::move(condition));
    group.notNegative.push_back(*bound);
    return true;
  }
  return false;
}

/// The places of two accesses in a group.
struct AccessPair {
  std::uint32_t i, a, j, b;
};

/// Returns how access `b` of stage `j` depends on access `a` of stage `i`.
AccessDependence dependenceIn(const Group &group, std::uint32_t i,
                              std::uint32_t a, std::uint32_t j,
                              std::uint32_t b) {
  return dependenceBetween({group.stages[i], group.stages[i].accesses[a]},
                           {group.stages[j], group.stages[j].accesses[b]},
                           factsOf(group));
}

/// Returns the group with the scalars of two stages assumed equal, and with the
/// rows long enough that both accesses index, if that resolves them. `narrow`
/// has them alone.
std::optional<Group> assumeScalarsAndRoom(const Group &group,
                                          const Group &narrow,
                                          const AccessPair &pair,
                                          const std::vector<Candidate> &equal) {
  const auto assumed = [&](const Group &from, std::uint32_t a,
                           std::uint32_t b) -> std::optional<Group> {
    auto trial = assumeScalars(from, pair.i, pair.j, equal);
    if (!trial || !assumeRoom(*trial, pair.i, a))
      return std::nullopt;
    if (dependenceIn(*trial, pair.i, a, pair.j, b).kind ==
            AccessDependence::Kind::Conflict &&
        !assumeRoom(*trial, pair.j, b))
      return std::nullopt;
    const PlacedAccess first{trial->stages[pair.i],
                             trial->stages[pair.i].accesses[a]},
        second{trial->stages[pair.j], trial->stages[pair.j].accesses[b]};
    return isResolved(first, second, dependenceIn(*trial, pair.i, a, pair.j, b))
               ? trial
               : std::nullopt;
  };
  return equal.empty() || !assumed(narrow, 0, 0)
             ? std::nullopt
             : assumed(group, pair.a, pair.b);
}

} // namespace

std::optional<Group> findAssumptions(const Group &group, std::uint32_t i,
                                     std::uint32_t a, std::uint32_t j,
                                     std::uint32_t b, bool isConflict,
                                     std::optional<Obstacle> &never) {
  const PlacedAccess first{group.stages[i], group.stages[i].accesses[a]};
  const PlacedAccess second{group.stages[j], group.stages[j].accesses[b]};
  const Group narrow = narrowTo(group, i, a, j, b);
  std::optional<Group> better;
  for (const auto &trial : trialsFor(group, i, a, j, b)) {
    auto assumed =
        trial.empty() ? std::nullopt : assumeScalars(narrow, i, j, trial);
    if (!assumed)
      continue;
    const AccessDependence dependence = dependenceIn(*assumed, i, 0, j, 0);
    const bool isEnough = isResolved(first, second, dependence);
    if (!isEnough && (!isConflict || better ||
                      dependence.kind == AccessDependence::Kind::Conflict))
      continue;
    auto whole = assumeScalars(group, i, j, trial);
    if (!whole)
      continue;
    // Tests these alone: what is found of a pair must not depend on the group.
    const auto known = static_cast<std::ptrdiff_t>(group.conditions.size());
    if (auto why =
            whyNever(*group.problem,
                     std::vector<Condition>(whole->conditions.begin() + known,
                                            whole->conditions.end()))) {
      if (!never)
        never = std::move(why);
      continue;
    }
    if (isEnough)
      return whole;
    better = std::move(whole);
  }
  return better;
}

std::optional<Group> findEqualRows(const Group &group, std::uint32_t i,
                                   std::uint32_t a, std::uint32_t j,
                                   std::uint32_t b) {
  const Group narrow = narrowTo(group, i, a, j, b);
  for (const auto &trial : trialsFor(group, i, a, j, b))
    if (auto whole = assumeScalarsAndRoom(group, narrow, {i, a, j, b}, trial);
        whole && !whyNever(*group.problem, whole->conditions))
      return whole;
  return std::nullopt;
}

std::optional<Group> findUsualShape(const Group &group) {
  const Program &program = group.problem->program;
  const Stage &leader = group.stages[group.leader];
  if (!group.problem->options.mayNeed(ConditionKind::UsualExtent) ||
      program.language != Language::Cuda)
    return std::nullopt;
  std::optional<Group> trial;
  for (std::uint32_t i = 0; i < 6; ++i) {
    const bool isBlock = i < 3;
    const Polynomial extent = (isBlock ? leader.block : leader.grid)[i % 3];
    const auto symbol = extent.asSymbol();
    const bool isValue = symbol && symbol->kind == SymbolKind::HostValue;
    const std::vector<std::int64_t> usual =
        isValue ? program.values[symbol->index].usual
                : std::vector<std::int64_t>();
    const bool isUsed =
        usual.size() == 1 && usual.front() >= 1 &&
        usual.front() <= (isBlock ? MostOfBlock : std::int64_t{1});
    if (extent.asConstant() || (!isBlock && !isUsed))
      continue;
    if (!trial)
      trial = group;
    if (!isUsed || !assumeEqual(*trial, extent, Polynomial(usual.front())))
      return std::nullopt;
    Condition condition;
    condition.kind = ConditionKind::UsualExtent;
    condition.first = condition.second = leader.launch;
    condition.firstIndex = i;
    condition.secondIndex = static_cast<std::uint32_t>(usual.front());
    trial->conditions.push_back(std::move(condition));
  }
  return trial;
}

std::optional<Group> findCoveringGrid(const Group &group, std::uint32_t i,
                                      std::uint32_t a, std::uint32_t j,
                                      std::uint32_t b) {
  const Program &program = group.problem->program;
  const Launch &launch = program[group.stages[j].launch];
  const AccessDependence known = dependenceIn(group, i, a, j, b);
  if (group.isMoved(j) || known.kind != AccessDependence::Kind::Neighbour ||
      !group.problem->options.mayNeed(ConditionKind::AtLeast))
    return std::nullopt;
  const Stage &own =
      *stageOf(*group.problem, group.stages[j].launch, SymbolSpace::Kernel);
  const StageAccess &read = own.accesses[group.stages[j].accesses[b].number];
  KnownFacts facts;
  facts.terms = &program.terms;
  facts.values = &program.values;
  Group trial = group;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    if (known.window.most()[axis] <= 0)
      continue;
    const Symbol coordinate{SymbolKind::GlobalIdx, axis};
    // A guard that keeps the reads inside bounds what is written, too.
    const Range range =
        rangeOf(coordinate, withoutAccesses(own), read.guard, program.terms);
    const auto threads =
        multiply(Polynomial(Symbol{SymbolKind::GridDim, axis}),
                 Polynomial(Symbol{SymbolKind::BlockDim, axis}));
    const auto bound = std::find_if(
        range.high.begin(), range.high.end(), [](const Polynomial &high) {
          return high.mentions(SymbolKind::Parameter);
        });
    const auto elements =
        bound == range.high.end() ? std::nullopt : add(*bound, Polynomial(1));
    const auto room =
        elements && threads ? subtract(*threads, *elements) : std::nullopt;
    const auto value = room ? boundValue(trial, launch, *room) : std::nullopt;
    if (!value)
      return std::nullopt;
    Condition condition;
    condition.kind = ConditionKind::AtLeast;
    condition.first = condition.second = group.stages[j].launch;
    condition.polynomial = *threads;
    condition.other = *elements;
    trial.conditions.push_back(std::move(condition));
    trial.notNegative.push_back(*value);
  }
  return dependenceIn(trial, i, a, j, b).isCovered ? std::optional(trial)
                                                   : std::nullopt;
}

std::optional<Group> findLongRows(const Group &group, std::uint32_t i,
                                  std::uint32_t a, std::uint32_t j,
                                  std::uint32_t b) {
  Group trial = group;
  for (const auto &[stage, access] : {std::pair(i, a), {j, b}})
    if (assumeRoom(trial, stage, access) &&
        dependenceIn(trial, i, a, j, b).kind !=
            AccessDependence::Kind::Conflict)
      return trial;
  return std::nullopt;
}

std::optional<Group> findOtherRows(const Group &group, std::uint32_t i,
                                   std::uint32_t a, std::uint32_t j,
                                   std::uint32_t b) {
  constexpr std::size_t MostWays = 4;
  const Stage &first = group.stages[i], &second = group.stages[j];
  for (const auto *access : {&first.accesses[a], &second.accesses[b]})
    if (!std::holds_alternative<Polynomial>(access->index))
      return std::nullopt;
  const KnownFacts facts = factsOf(group);
  std::vector<Rooms> ways = waysToBeDisjoint(first.accesses[a], first,
                                             second.accesses[b], second, facts);
  ways.resize(std::min(ways.size(), MostWays));
  for (Rooms &way : waysToStayInRows(first.accesses[a], first,
                                     second.accesses[b], second, facts))
    ways.push_back(std::move(way));
  for (const Rooms &way : ways) {
    Group trial = group;
    if (std::all_of(way.begin(), way.end(),
                    [&](const Polynomial &room) {
                      return assumeRoom(trial, room,
                                        {first.launch, second.launch});
                    }) &&
        dependenceIn(trial, i, a, j, b).kind !=
            AccessDependence::Kind::Conflict &&
        !whyNever(*group.problem, trial.conditions))
      return trial;
  }
  return std::nullopt;
}

} // namespace kfuse
