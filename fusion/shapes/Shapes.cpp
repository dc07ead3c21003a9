//===- Shapes.cpp - Members in the shape of one of them -------------------===//

#include "fusion/shapes/Shapes.h"

#include "fusion/dependence/Names.h"
#include "fusion/group/Conditions.h"
#include "fusion/shapes/Delinearise.h"
#include "fusion/shapes/ShapeMapping.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace kfuse {

struct FitMemo {
  /// The first launch in the shape of the second, by what the group knows to be
  /// positive.
  std::map<std::tuple<LaunchId, LaunchId, std::set<Symbol>>,
           std::optional<MappedShape>>
      known;
};

namespace {

using Extents3 = std::array<Polynomial, 3>;

Obstacle refuse(const Group &group, std::uint32_t one, std::uint32_t two,
                ObstacleKind kind, const std::string &what,
                std::string remedy) {
  const Program &program = group.problem->program;
  Obstacle obstacle;
  obstacle.kind = kind;
  obstacle.first = group.stages[std::min(one, two)].launch;
  obstacle.second = group.stages[std::max(one, two)].launch;
  obstacle.text = launchName(program, obstacle.first) + " and " +
                  launchName(program, obstacle.second) + what;
  obstacle.remedy = std::move(remedy);
  return obstacle;
}

bool haveSameShape(const Stage &one, const Stage &two) {
  return one.grid == two.grid && one.block == two.block &&
         one.strideAxis == two.strideAxis;
}

bool areKnownToDiffer(const Extents3 &one, const Extents3 &two) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto difference = subtract(one[axis], two[axis]);
    if (!difference)
      return true;
    if (const auto constant = difference->asConstant();
        constant && *constant != 0)
      return true;
  }
  return false;
}

Condition equalShapes(const Group &group, ConditionKind kind, std::uint32_t one,
                      std::uint32_t two) {
  Condition condition;
  condition.kind = kind;
  condition.first = group.stages[std::min(one, two)].launch;
  condition.second = group.stages[std::max(one, two)].launch;
  return condition;
}

/// Assumes that the two shapes are equal, and has whatever isn't known to be
/// equal tested at run time.
std::optional<Obstacle> assumeShape(Group &group, std::uint32_t leader,
                                    std::uint32_t member) {
  for (bool isGrid : {true, false}) {
    const ConditionKind kind =
        isGrid ? ConditionKind::EqualGrid : ConditionKind::EqualBlock;
    const std::string what = isGrid ? "grids" : "blocks";
    bool isKnown = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto extent = [&](std::uint32_t stage) {
        return isGrid ? group.stages[stage].grid[axis]
                      : group.stages[stage].block[axis];
      };
      if (extent(leader) == extent(member))
        continue;
      if (!group.problem->options.mayNeed(kind))
        return refuse(group, leader, member, ObstacleKind::RequiresRuntimeCheck,
                      " have " + what +
                          " that can only be compared at run time, and "
                          "conditions are off",
                      "allow run-time conditions, or launch both with one "
                      "variable");
      isKnown = false;
      if (!assumeEqual(group, extent(member), extent(leader)))
        return refuse(group, leader, member, ObstacleKind::DifferentShape,
                      " have " + what +
                          " that are seldom equal, or can't be compared",
                      "launch both with one variable");
    }
    if (isKnown)
      continue;
    group.conditions.push_back(equalShapes(group, kind, leader, member));
  }
  return std::nullopt;
}

/// Returns why the shapes are different, if that doesn't show in their values.
std::optional<Obstacle> whyDifferent(const Group &group, std::uint32_t leader,
                                     std::uint32_t member) {
  std::vector<Condition> conditions = group.conditions;
  for (const ConditionKind kind :
       {ConditionKind::EqualGrid, ConditionKind::EqualBlock})
    conditions.push_back(equalShapes(group, kind, leader, member));
  return whyNever(*group.problem, conditions);
}

/// Returns the member as rows of the leader's shape, or thread by thread.
/// Without assumptions the result is the same in every group that knows the
/// same facts.
std::optional<MappedShape> fit(const Group &group, const Stage &member,
                               const Stage &leader) {
  const auto find = [&] {
    auto rows = delinearise(group, member, leader);
    if (rows && (rows->conditions.empty() ||
                 (group.problem->options.mayNeed(ConditionKind::AtLeast) &&
                  !whyNever(*group.problem, rows->conditions))))
      return rows;
    auto threads = mapOnto(group, member, leader);
    return threads ? threads : rows;
  };
  if (!group.assumed.empty())
    return find();
  auto &known = madeOn(group.problem->memos.fits).known;
  const std::tuple key(member.launch, leader.launch, factsOf(group).positive);
  if (const auto found = known.find(key); found != known.end())
    return found->second;
  return known[key] = find();
}

std::optional<Obstacle> fitMember(Group &group, std::uint32_t leader,
                                  std::uint32_t number) {
  const Stage &shape = group.stages[leader];
  const Stage &member = group.stages[number];
  if (haveSameShape(member, shape))
    return std::nullopt;
  const bool areLoops = member.strideAxis && shape.strideAxis;
  if (areLoops && member.strideAxis != shape.strideAxis)
    return refuse(group, leader, number, ObstacleKind::DifferentShape,
                  " run grid-stride loops over different axes",
                  "let both run over one axis");
  const std::optional<MappedShape> fitted =
      shape.strideAxis ? std::nullopt : fit(group, member, shape);
  const FusionOptions &options = group.problem->options;
  const bool isFitted =
      fitted &&
      std::all_of(fitted->conditions.begin(), fitted->conditions.end(),
                  [&options](const Condition &condition) {
                    return options.mayNeed(condition.kind);
                  });
  const bool mayBeEqual = member.strideAxis == shape.strideAxis &&
                          !areKnownToDiffer(member.grid, shape.grid) &&
                          !areKnownToDiffer(member.block, shape.block);
  // Nobody launches as many axes as the leader has for one row of them.
  const bool isSettled =
      isFitted && (fitted->isFree() || fitted->fit.hasRows());
  const auto different = mayBeEqual && !isSettled
                             ? whyDifferent(group, leader, number)
                             : std::nullopt;
  if (mayBeEqual && !isSettled && !different)
    return assumeShape(group, leader, number);
  if (!isFitted) {
    if (different)
      return different;
    if (fitted)
      return refuse(group, leader, number, ObstacleKind::RequiresRuntimeCheck,
                    " have shapes that can only be compared at run time, and "
                    "conditions are off",
                    "allow run-time conditions, or launch both with one shape");
    const bool isBlock = areKnownToDiffer(member.block, shape.block);
    return refuse(group, leader, number, ObstacleKind::DifferentShape,
                  std::string(" have different ") +
                      (isBlock ? "blocks" : "grids") +
                      ", and depend on them by more than their threads' global "
                      "indices",
                  "launch both with one shape");
  }
  group.stages.replace(number, fitted->stage);
  group.fits[number] = fitted->fit;
  group.shapedAs[number] = shape.launch;
  group.isReordered[number] = fitted->fit.isIteration;
  group.conditions.insert(group.conditions.end(), fitted->conditions.begin(),
                          fitted->conditions.end());
  return std::nullopt;
}

/// Checks whether all stages are grid-stride loops of one axis with the same
/// other axes. These do the same in any shape.
bool areLoopsOfOneAxis(const Stages &stages) {
  return std::all_of(stages.begin(), stages.end(), [&](const Stage &stage) {
    if (!stage.strideAxis || stage.strideAxis != stages.front().strideAxis ||
        !allowsBlock(*stage.kernel, stages.back().block))
      return false;
    for (std::uint32_t axis = 0; axis < 3; ++axis)
      if (axis != *stage.strideAxis &&
          (stage.grid[axis] != stages.front().grid[axis] ||
           stage.block[axis] != stages.front().block[axis]))
        return false;
    return true;
  });
}

std::optional<Obstacle> fitAll(Group &group, std::uint32_t leader) {
  for (std::uint32_t member = 0; member < group.stages.size(); ++member)
    if (auto obstacle = fitMember(group, leader, member))
      return obstacle;
  return std::nullopt;
}

std::size_t burdenOf(const Group &group) {
  return group.conditions.size() +
         static_cast<std::size_t>(std::count_if(
             group.fits.begin(), group.fits.end(),
             [](const ConfigMapping &fit) { return fit.isBounded(); }));
}

} // namespace

std::optional<Obstacle> alignShapes(Group &group) {
  const auto count = static_cast<std::uint32_t>(group.stages.size());
  group.fits.assign(count, {});
  group.shapedAs.clear();
  for (const Stage &stage : group.stages)
    group.shapedAs.push_back(stage.launch);
  group.isReordered.assign(count, false);
  group.leader = count - 1;
  if (areLoopsOfOneAxis(group.stages)) {
    for (std::uint32_t member = 0; member < count; ++member) {
      Stage stage = group.stages[member];
      group.isReordered[member] = !haveSameShape(stage, group.stages.back());
      if (group.isReordered[member])
        group.shapedAs[member] = group.stages.back().launch;
      stage.grid = group.stages.back().grid;
      stage.block = group.stages.back().block;
      group.stages.replace(member, std::move(stage));
    }
    return std::nullopt;
  }
  const bool mayLoop =
      std::all_of(group.stages.begin(), group.stages.end(),
                  [](const Stage &stage) { return stage.strideAxis; });
  std::optional<Group> best;
  std::optional<Obstacle> first;
  for (std::uint32_t leader = 0; leader < count; ++leader) {
    const bool isTried =
        std::any_of(group.stages.begin(), group.stages.begin() + leader,
                    [&](const Stage &stage) {
                      return haveSameShape(stage, group.stages[leader]);
                    });
    // Rows are those of the leader's accesses, not of its shape.
    const Stage &shape = group.stages[leader];
    const bool mayHaveRows = !isOneWide(shape, 1) || !isOneWide(shape, 2);
    if ((isTried && !mayHaveRows) || (shape.strideAxis && !mayLoop))
      continue;
    Group trial = group;
    auto obstacle = fitAll(trial, leader);
    if (!obstacle)
      obstacle = whyNever(*trial.problem, trial.conditions);
    if (obstacle) {
      // A test that never holds says more than what is different.
      if (!first || (obstacle->kind == ObstacleKind::NeverHolds &&
                     first->kind != ObstacleKind::NeverHolds))
        first = std::move(obstacle);
      continue;
    }
    if (best && burdenOf(*best) <= burdenOf(trial))
      continue;
    // Any member of the leader's shape will do, unless rows are told in the
    // leader's symbols; the last stands where the launch does.
    trial.leader = leader;
    const bool hasRows =
        std::any_of(trial.fits.begin(), trial.fits.end(),
                    [](const ConfigMapping &fit) { return fit.hasRows(); });
    for (std::uint32_t member = leader; member < count && !hasRows; ++member)
      if (!trial.isMoved(member))
        trial.leader = member;
    best = std::move(trial);
    // Shapes that are assumed to be equal will be: other leaders needn't be
    // tried, which takes time.
    if (burdenOf(*best) == 0 || !best->assumed.empty())
      break;
  }
  if (!best)
    return first;
  group = std::move(*best);
  return std::nullopt;
}

} // namespace kfuse
