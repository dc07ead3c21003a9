//===- Legality.cpp - Pairs of accesses of two stages ---------------------===//
#include "fusion/legality/Legality.h"

#include "fusion/dependence/AccessDependences.h"
#include "fusion/dependence/DependenceDistance.h"
#include "fusion/dependence/Names.h"
#include "fusion/group/Assumptions.h"
#include "fusion/shapes/BlockPartition.h"
#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <set>
#include <unordered_map>

namespace kfuse {

/// The result of checkAccesses() for two launches.
struct PairVerdict {
  std::vector<Flow> flows;
  std::optional<Obstacle> obstacle;
  /// Arrays whose elements threads of a block have in common.
  std::set<ArrayId> sharedInBlock;
  /// The obstacle comes from what the user allows.
  bool dependsOnOptions = false;
};

struct PairMemo {
  /// KnownFacts::positive of a group: what its launches, which are valid, tell
  /// of each other.
  using Positive = std::set<Symbol>;
  /// Two launches, each with the one whose shape it is in.
  using Pair = std::array<LaunchId, 4>;
  struct PairHash {
    std::size_t operator()(const Pair &pair) const {
      std::size_t hash = 0;
      for (const LaunchId launch : pair)
        hash = (hash ^ indexOf(launch)) * 0x9e3779b97f4a7c15U;
      return hash ^ (hash >> 32U);
    }
  };
  std::map<Positive, std::unordered_map<Pair, PairVerdict, PairHash>> known;
};

namespace {

const char *verbOf(const Access &access) {
  if (access.kind == AccessKind::Atomic)
    return "updates";
  return access.kind == AccessKind::Read ? "reads" : "writes";
}

/// Checks whether the index has a term of one of the kinds.
bool hasTerm(const Polynomial &index, const TermTable &terms,
             std::initializer_list<TermKind> kinds) {
  const std::vector<Symbol> symbols = index.symbols();
  return std::any_of(symbols.begin(), symbols.end(), [&](Symbol symbol) {
    return symbol.kind == SymbolKind::Opaque &&
           std::find(kinds.begin(), kinds.end(), terms[symbol].kind) !=
               kinds.end();
  });
}

/// Returns what would let a value pass to another thread in a tile.
std::string remedyForTile(const Group &group, const PlacedAccess &first,
                          const PlacedAccess &second,
                          const std::string &array) {
  const TermTable &terms = termsOf(group);
  const auto *write = std::get_if<Polynomial>(&first.access.index);
  const auto *read = std::get_if<Polynomial>(&second.access.index);
  const auto &block = second.stage.block;
  if (write && read && hasTerm(*read, terms, {TermKind::Remainder}))
    return "read " + array +
           " at a constant distance, and the border under a condition";
  if (write && read && !first.stage.strideAxis && !second.stage.strideAxis &&
      std::any_of(
          block.begin(), block.end(),
          [](const Polynomial &extent) { return !extent.asConstant(); }) &&
      distanceBetween(*write, *read, first.stage, terms))
    return "launch with a block of constant size, so that a tile can hold what "
           "its threads write";
  if (write && read &&
      hasTerm(*read, terms,
              {TermKind::Minimum, TermKind::Maximum, TermKind::Select}))
    return "keep the place near the thread's own and inside " + array +
           " for all sizes, as min(max(i - 1, 0), n - 1) is";
  return "needs " + array + " at the reading thread's own index";
}

Obstacle describe(const Group &group, const PlacedAccess &first,
                  const PlacedAccess &second, ObstacleKind kind) {
  const Program &program = group.problem->program;
  const Access &earlier = *first.access.access;
  const Access &later = *second.access.access;
  const std::string one = launchName(program, first.stage.launch);
  const std::string two = launchName(program, second.stage.launch);
  const std::string array = arrayName(program, second.access.array);
  auto place = [&](const PlacedAccess &at) {
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
  case ObstacleKind::NonPolynomialIndex: {
    const bool blameFirst =
        !std::holds_alternative<Polynomial>(first.access.index);
    const PlacedAccess &blamed = blameFirst ? first : second;
    const PlacedAccess &other = blameFirst ? second : first;
    obstacle.text = std::holds_alternative<Polynomial>(blamed.access.index)
                        ? one + " and " + two + " access " + array +
                              " as elements of different types"
                        : (blameFirst ? one : two) + " " +
                              verbOf(*blamed.access.access) + " " + array +
                              " " +
                              placeText(program, blamed.stage.launch,
                                        blamed.access.number) +
                              ", and " + (blameFirst ? two : one) + " " +
                              verbOf(*other.access.access) + " it";
    obstacle.remedy =
        std::holds_alternative<Polynomial>(blamed.access.index)
            ? "write and read " + array + " as one type"
            : "index " + array +
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
        kind == ObstacleKind::CrossThreadFlow
            ? remedyForTile(group, first, second, array)
            : "write the new values to another array and swap the pointers";
    break;
  }
  obstacle.notes.push_back(
      {earlier.range, one + " " + verbOf(earlier) + " it here"});
  obstacle.notes.push_back(
      {later.range, two + " " + verbOf(later) + " it here"});
  return obstacle;
}

Obstacle needsCondition(const Group &group, const PlacedAccess &first,
                        const PlacedAccess &second,
                        const Condition &condition) {
  const Program &program = group.problem->program;
  Obstacle obstacle;
  obstacle.kind = ObstacleKind::RequiresRuntimeCheck;
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

/// Checks whether it may help that all threads of a block wait for each other
/// between the stages, each of which runs its own threads in its own blocks.
bool mayWait(const Group &group, std::uint32_t i, std::uint32_t j,
             const AccessDependence &dependence) {
  return dependence.kind == AccessDependence::Kind::Conflict &&
         dependence.obstacle != ObstacleKind::NonPolynomialIndex &&
         dependence.obstacle != ObstacleKind::AtomicConflict &&
         group.problem->program.language == Language::Cuda &&
         !group.stages[i].strideAxis && !group.stages[j].strideAxis &&
         group.fits[i] == ConfigMapping{} && group.fits[j] == ConfigMapping{} &&
         group.stages[i].grid == group.stages[j].grid &&
         group.stages[i].block == group.stages[j].block;
}

/// Assumes the usual shape if a tile of its size lets a value pass.
void assumeShapeForTiles(Group &group, std::uint32_t i, std::uint32_t j) {
  auto assumed = findUsualShape(group);
  if (!assumed)
    return;
  AccessDependences before(group.stages[i], group.stages[j], factsOf(group));
  AccessDependences after(assumed->stages[i], assumed->stages[j],
                          factsOf(*assumed));
  for (std::uint32_t a = 0; a < group.stages[i].accesses.size(); ++a)
    for (std::uint32_t b = 0; b < group.stages[j].accesses.size(); ++b) {
      const ArrayId array = group.stages[i].accesses[a].array;
      if (array == noneOf<ArrayId>() ||
          array != group.stages[j].accesses[b].array ||
          after.between(a, b).kind != AccessDependence::Kind::Neighbour ||
          before.between(a, b).kind != AccessDependence::Kind::Conflict)
        continue;
      group = std::move(*assumed);
      return;
    }
}

PairVerdict checkPair(Group &group, std::uint32_t i, std::uint32_t j) {
  PairVerdict verdict;
  assumeShapeForTiles(group, i, j);
  std::optional<AccessDependences> dependences;
  const auto look = [&] {
    dependences.emplace(group.stages[i], group.stages[j], factsOf(group));
  };
  look();
  for (std::uint32_t a = 0; a < group.stages[i].accesses.size(); ++a)
    for (std::uint32_t b = 0; b < group.stages[j].accesses.size(); ++b) {
      const PlacedAccess first{group.stages[i], group.stages[i].accesses[a]};
      const PlacedAccess second{group.stages[j], group.stages[j].accesses[b]};
      if (!writes(first.access) && !writes(second.access))
        continue;
      if (first.access.array == noneOf<ArrayId>() ||
          first.access.array != second.access.array)
        continue;
      AccessDependence dependence = dependences->between(a, b);
      // Equal scalars don't help an index that is the same already.
      const bool mayHelp =
          dependence.kind != AccessDependence::Kind::Conflict ||
          dependence.obstacle != ObstacleKind::NotInjective;
      std::optional<Obstacle> never;
      if (mayHelp && !isResolved(first, second, dependence)) {
        auto assumed = findAssumptions(
            group, i, a, j, b,
            dependence.kind == AccessDependence::Kind::Conflict, never);
        if (assumed &&
            !group.problem->options.mayNeed(ConditionKind::EqualScalar)) {
          verdict.dependsOnOptions = true;
          verdict.obstacle =
              needsCondition(group, first, second, assumed->conditions.back());
          return verdict;
        }
        if (assumed) {
          // Ends the life of `first` and `second`.
          group = std::move(*assumed);
          look();
          dependence = dependences->between(a, b);
        }
      }
      const bool mayShareRows =
          dependence.kind == AccessDependence::Kind::Conflict &&
          (dependence.obstacle == ObstacleKind::NotInjective ||
           group.stages[i].accesses[a].index ==
               group.stages[j].accesses[b].index);
      if (mayShareRows &&
          group.problem->options.mayNeed(ConditionKind::LongRows))
        if (auto assumed = findLongRows(group, i, a, j, b)) {
          group = std::move(*assumed);
          look();
          dependence = dependences->between(a, b);
        }
      if (dependence.kind == AccessDependence::Kind::Conflict &&
          group.problem->options.mayNeed(ConditionKind::LongRows) &&
          group.problem->options.mayNeed(ConditionKind::EqualScalar))
        if (auto assumed = findEqualRows(group, i, a, j, b)) {
          group = std::move(*assumed);
          look();
          dependence = dependences->between(a, b);
        }
      const PlacedAccess earlier{group.stages[i], group.stages[i].accesses[a]};
      const PlacedAccess later{group.stages[j], group.stages[j].accesses[b]};
      if (mayWait(group, i, j, dependence) &&
          areOfOneBlock(earlier, later, factsOf(group))) {
        verdict.sharedInBlock.insert(later.access.array);
        if (isFlow(earlier, later))
          verdict.flows.push_back({i, a, j, b, {}, false, /*isInBlock=*/true});
        continue;
      }
      if (dependence.kind == AccessDependence::Kind::Conflict) {
        if (group.problem->options.mayNeed(ConditionKind::LongRows))
          if (auto assumed = findOtherRows(group, i, a, j, b)) {
            group = std::move(*assumed);
            look();
            dependence = dependences->between(a, b);
            if (dependence.kind != AccessDependence::Kind::Disjoint &&
                writes(group.stages[i].accesses[a]) &&
                !writes(group.stages[j].accesses[b]))
              verdict.flows.push_back(
                  {i, a, j, b, dependence.window, dependence.isCovered});
            continue;
          }
        verdict.obstacle =
            never ? *std::move(never)
                  : describe(group, earlier, later, dependence.obstacle);
        return verdict;
      }
      const bool isFlowing = isFlow(earlier, later);
      if (isFlowing && dependence.kind == AccessDependence::Kind::Neighbour &&
          !dependence.isCovered)
        if (auto assumed = findCoveringGrid(group, i, a, j, b)) {
          // Ends the life of `earlier` and `later`.
          group = std::move(*assumed);
          look();
          dependence = dependences->between(a, b);
        }
      if (dependence.kind != AccessDependence::Kind::Disjoint && isFlowing)
        verdict.flows.push_back(
            {i, a, j, b, dependence.window, dependence.isCovered});
    }
  return verdict;
}

/// Checks the accesses of two stages against each other when one of the stages
/// is distributed among the blocks.
PairVerdict checkDistributed(const Group &group, std::uint32_t i,
                             std::uint32_t j) {
  PairVerdict verdict;
  const KnownFacts facts = factsOf(group);
  for (std::uint32_t a = 0; a < group.stages[i].accesses.size(); ++a)
    for (std::uint32_t b = 0; b < group.stages[j].accesses.size(); ++b) {
      const PlacedAccess first{group.stages[i], group.stages[i].accesses[a]};
      const PlacedAccess second{group.stages[j], group.stages[j].accesses[b]};
      if (first.access.array == noneOf<ArrayId>() ||
          first.access.array != second.access.array)
        continue;
      const bool isFirst = group.fits[i].chunk.has_value();
      const AccessDependence dependence =
          meetInBlock(first, second, isFirst, group.chunk, facts);
      if (dependence.kind == AccessDependence::Kind::Conflict) {
        verdict.obstacle = describe(group, first, second, dependence.obstacle);
        return verdict;
      }
      if (dependence.kind == AccessDependence::Kind::SameBlock &&
          isFlow(first, second))
        verdict.flows.push_back({i, a, j, b, {}, false});
    }
  return verdict;
}

} // namespace

std::optional<Obstacle> checkIterations(const Group &group) {
  const Program &program = group.problem->program;
  const KnownFacts facts = factsOf(group);
  const auto refuse = [&](const Stage &stage, const StageAccess &access) {
    const LaunchId leader = group.stages[group.leader].launch;
    Obstacle obstacle;
    obstacle.kind = ObstacleKind::DifferentShape;
    obstacle.first = std::min(stage.launch, leader);
    obstacle.second = std::max(stage.launch, leader);
    obstacle.array = access.array;
    obstacle.text = launchName(program, stage.launch) + " " +
                    verbOf(*access.access) + " " +
                    arrayName(program, access.array) +
                    " in the order of its grid-stride loop, which it wouldn't "
                    "keep in the shape of " +
                    launchName(program, leader);
    obstacle.remedy = "launch both with one shape";
    obstacle.notes.push_back({access.access->range, "it does so here"});
    return obstacle;
  };
  for (std::size_t number = 0; number < group.stages.size(); ++number) {
    if (!group.isReordered[number])
      continue;
    const Stage &stage = group.stages[number];
    for (const StageAccess &one : stage.accesses)
      for (const StageAccess &two : stage.accesses) {
        if (one.access->kind == AccessKind::Atomic)
          return refuse(stage, one);
        if (!writes(one) || one.array != two.array)
          continue;
        const AccessDependence dependence =
            dependenceBetween({stage, one}, {stage, two}, facts);
        if (dependence.kind != AccessDependence::Kind::Disjoint &&
            dependence.kind != AccessDependence::Kind::SameThread)
          return refuse(stage, one);
      }
  }
  return std::nullopt;
}

std::variant<std::vector<Flow>, Obstacle> checkAccesses(Group &group) {
  std::vector<Flow> flows;
  auto &pairs =
      madeOn(group.problem->memos.pairs).known[factsOf(group).positive];
  for (std::uint32_t j = 1; j < group.stages.size(); ++j)
    for (std::uint32_t i = 0; i < j; ++i) {
      // Without assumptions a pair is the same in every group that knows the
      // same.
      PairVerdict fresh;
      const PairVerdict *verdict = &fresh;
      if (group.fits[i].chunk.has_value() != group.fits[j].chunk.has_value()) {
        fresh = checkDistributed(group, i, j);
      } else if (isAsGiven(group)) {
        const std::array key{group.stages[i].launch, group.shapedAs[i],
                             group.stages[j].launch, group.shapedAs[j]};
        auto known = pairs.find(key);
        if (known == pairs.end()) {
          fresh = checkPair(group, i, j);
          if (isAsGiven(group) && !fresh.dependsOnOptions)
            pairs.emplace(key, fresh);
        } else {
          verdict = &known->second;
        }
      } else {
        fresh = checkPair(group, i, j);
      }
      if (verdict->obstacle)
        return *verdict->obstacle;
      if (!verdict->sharedInBlock.empty())
        group.waits.insert(j);
      group.sharedInBlock.insert(verdict->sharedInBlock.begin(),
                                 verdict->sharedInBlock.end());
      for (Flow flow : verdict->flows) {
        flow.writer = i;
        flow.reader = j;
        flows.push_back(flow);
      }
    }
  return flows;
}

} // namespace kfuse
