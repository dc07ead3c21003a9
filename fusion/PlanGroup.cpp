//===- PlanGroup.cpp - A group as one kernel ------------------------------===//
//
// The checks in order, from what is cheap and tells the user most to the pairs
// of accesses; then the placements, the elements a thread and the projection.
//
//===----------------------------------------------------------------------===//

#include "fusion/PlanGroup.h"

#include "fusion/DeadStores.h"
#include "fusion/ElementAccesses.h"
#include "fusion/ElementsPerThread.h"
#include "fusion/cost/Project.h"
#include "fusion/dependence/Names.h"
#include "fusion/forwarding/Forwarding.h"
#include "fusion/forwarding/IntToFloat.h"
#include "fusion/forwarding/Recomputation.h"
#include "fusion/forwarding/Tiles.h"
#include "fusion/group/Conditions.h"
#include "fusion/group/GroupChecks.h"
#include "fusion/group/KernelChecks.h"
#include "fusion/group/Liveness.h"
#include "fusion/group/Stages.h"
#include "fusion/legality/Aliasing.h"
#include "fusion/legality/Legality.h"
#include "fusion/plan/TileStorage.h"
#include "fusion/shapes/BlockPartition.h"
#include "fusion/shapes/Shapes.h"

#include <algorithm>

namespace kfuse {
namespace {

constexpr std::size_t NameLimit = 40;

bool isIdentifierCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_';
}

std::string fusedName(const Program &program,
                      const std::vector<LaunchId> &group) {
  auto part = [&](LaunchId member) {
    std::string name = program.kernelOf(member).name;
    std::replace_if(
        name.begin(), name.end(),
        [](char c) { return !isIdentifierCharacter(c); }, '_');
    return name;
  };
  std::string name = "kfuse";
  for (LaunchId member : group)
    name += "_" + part(member);
  if (name.size() > NameLimit)
    name = "kfuse_" + part(group.front()).substr(0, NameLimit / 2 - 4) +
           "_to_" + part(group.back()).substr(0, NameLimit / 2 - 4) + "_" +
           std::to_string(group.size());
  return name;
}

/// Returns the obstacle that a member has another shape, for which a block
/// would have to know which of its cells the member has.
Obstacle differentShape(const Group &group, std::uint32_t member) {
  const Program &program = group.problem->program;
  Obstacle obstacle;
  obstacle.kind = ObstacleKind::DifferentShape;
  obstacle.first = group.stages[member].launch;
  obstacle.second = group.stages[group.leader].launch;
  obstacle.text = launchName(program, obstacle.first) + " and " +
                  launchName(program, obstacle.second) +
                  " have different shapes, and would pass values in tiles";
  obstacle.remedy = "launch both with one shape";
  return obstacle;
}

/// Places the blocks' tiles in `kernel`, if threads take values that other
/// threads made.
std::optional<Obstacle> planTiles(const Group &group,
                                  const std::vector<Flow> &flows,
                                  FusedKernel &kernel) {
  FusedKernel tiled = kernel;
  tiled.halos = halosOf(group, flows);
  if (auto obstacle = placeTiles(group, tiled))
    return obstacle;
  if (std::none_of(tiled.placements.begin(), tiled.placements.end(),
                   [](const Placement &placement) { return placement.isTile; }))
    return std::nullopt;
  for (std::uint32_t member = 0; member < group.stages.size(); ++member)
    if (const ConfigMapping &fit = group.fits[member];
        fit.isBounded() || fit.isRenumbered())
      return differentShape(group, member);
  if (!group.waits.empty()) {
    Obstacle obstacle = differentShape(group, *group.waits.begin());
    obstacle.kind = ObstacleKind::CrossThreadFlow;
    obstacle.text = launchName(group.problem->program, obstacle.first) +
                    " accesses what other threads of the block accessed, while "
                    "other values pass in tiles";
    obstacle.remedy = "smaller groups; the search finds them";
    return obstacle;
  }
  tiled.schedule = Schedule::Tile;
  for (std::uint32_t axis = 0; axis < 3; ++axis)
    tiled.block[axis] = static_cast<std::uint32_t>(
        group.stages.front().block[axis].asConstant().value_or(1));
  placeSlots(group.problem->program, tiled);
  kernel = std::move(tiled);
  return std::nullopt;
}

FusedKernel single(const Problem &problem, LaunchId launch) {
  FusedKernel kernel;
  kernel.launches = {launch};
  kernel.name = problem.program.kernelOf(launch).name;
  kernel.projection = singleOf(problem, launch);
  kernel.members = {kernel.projection};
  if (!problem.program[problem.program[launch].step].exchanges.empty()) {
    kernel.schedule = Schedule::Swap;
    kernel.projection = {};
  }
  std::vector<ArrayId> seen;
  for (const PointerValue &pointer : problem.program[launch].pointers)
    if (pointer.array != noneOf<ArrayId>() &&
        std::find(seen.begin(), seen.end(), pointer.array) == seen.end()) {
      seen.push_back(pointer.array);
      kernel.placements.push_back(
          {pointer.array, PlacementKind::Global, {}, {}});
    }
  return kernel;
}

/// Decides how values pass between the members, given the shapes in which these
/// run.
std::variant<FusedKernel, Obstacle> placeValues(Group &group,
                                                bool isHorizontal) {
  if (auto obstacle = checkIterations(group))
    return *obstacle;
  auto flows = checkAccesses(group);
  if (auto *obstacle = std::get_if<Obstacle>(&flows))
    return *obstacle;
  auto placements = placeArrays(group, std::get<std::vector<Flow>>(flows));
  if (auto *obstacle = std::get_if<Obstacle>(&placements))
    return *obstacle;

  FusedKernel kernel;
  for (const Stage &stage : group.stages)
    kernel.launches.push_back(stage.launch);
  kernel.leader = group.leader;
  kernel.fits = group.fits;
  kernel.schedule = isHorizontal ? Schedule::Concatenate
                    : group.hasChunks() || !group.waits.empty()
                        ? Schedule::BlockLocal
                        : Schedule::Register;
  kernel.waits.assign(group.waits.begin(), group.waits.end());
  kernel.sharedInBlock.assign(group.sharedInBlock.begin(),
                              group.sharedInBlock.end());
  kernel.placements = std::get<std::vector<Placement>>(std::move(placements));
  if (auto obstacle =
          planTiles(group, std::get<std::vector<Flow>>(flows), kernel))
    return *obstacle;
  return kernel;
}

/// Returns the obstacle that the launch's indices need a run-time test.
Obstacle needsRoom(const Program &program, LaunchId launch) {
  Obstacle obstacle;
  obstacle.kind = ObstacleKind::RequiresRuntimeCheck;
  obstacle.first = obstacle.second = launch;
  obstacle.text = "fusing is right only if the indices of " +
                  launchName(program, launch) +
                  " fit into their types at run time, and conditions are off";
  obstacle.remedy =
      "allow run-time conditions, or promise it by --assume=no-wrap";
  return obstacle;
}

std::optional<Obstacle> addConditions(const Problem &problem, Group &group,
                                      FusedKernel &kernel) {
  const auto count = group.stages.size();
  std::vector<ArrayId> forwarded;
  for (const Placement &placement : kernel.placements)
    if (placement.isForwarded())
      forwarded.push_back(placement.array);
  std::vector<bool> recomputed(count, false);
  for (std::size_t i = 0; i < kernel.halos.size(); ++i)
    recomputed[i] = !kernel.halos[i].isEmpty();
  for (std::size_t i = 0; i < count; ++i)
    recomputed[i] =
        recomputed[i] || group.isReordered[i] || isComputed(kernel, i);
  if (auto obstacle = addAliasConditions(group, forwarded, recomputed))
    return obstacle;
  if (auto obstacle = checkLimits(
          group, forwardedRegisters(problem.program, kernel.placements),
          tileBytes(problem.program, kernel)))
    return obstacle;
  for (const Stage &stage : group.stages)
    for (const Room &room : problem.program[stage.launch].rooms) {
      if (!problem.options.mayNeed(ConditionKind::NoWrap))
        return needsRoom(problem.program, stage.launch);
      Condition condition;
      condition.kind = ConditionKind::NoWrap;
      condition.first = condition.second = stage.launch;
      condition.polynomial = room.more;
      condition.other = room.less;
      group.conditions.push_back(std::move(condition));
    }
  if (auto obstacle = whyNever(problem, group.conditions))
    return obstacle;
  for (Condition &condition : group.conditions)
    (problem.options.promised.count(condition.kind) != 0 ? kernel.promises
                                                         : kernel.conditions)
        .push_back(std::move(condition));
  return std::nullopt;
}

/// Checks that each OpenCL work-item does what the members' work-items did, and
/// no more.
std::optional<Obstacle> checkOpenCl(const Group &group,
                                    const FusedKernel &kernel) {
  if (group.problem->program.language != Language::OpenCL)
    return std::nullopt;
  for (std::uint32_t member = 0; member < kernel.fits.size(); ++member)
    if (kernel.fits[member] != ConfigMapping{} || group.isReordered[member]) {
      Obstacle obstacle = differentShape(group, member);
      obstacle.text = launchName(group.problem->program, obstacle.first) +
                      " and " +
                      launchName(group.problem->program, obstacle.second) +
                      " have different ranges";
      obstacle.remedy = "launch both with one range";
      return obstacle;
    }
  const Program &program = group.problem->program;
  const auto isChosen = [&](std::uint32_t member) {
    const auto &enqueue = program[group.stages[member].launch].enqueue;
    return enqueue && enqueue->choosesBlocks;
  };
  for (std::uint32_t member = 0; member < group.stages.size(); ++member)
    if (isChosen(member) != isChosen(group.leader)) {
      Obstacle obstacle = differentShape(group, member);
      obstacle.text = "the runtime chooses the work-groups of either " +
                      launchName(program, obstacle.first) + " or " +
                      launchName(program, obstacle.second);
      obstacle.remedy = "launch both with one local size";
      return obstacle;
    }
  if (kernel.schedule != Schedule::Tile)
    return std::nullopt;
  Obstacle obstacle = differentShape(group, 0);
  obstacle.kind = ObstacleKind::CrossThreadFlow;
  obstacle.second = group.stages.back().launch;
  obstacle.text =
      launchName(group.problem->program, obstacle.second) +
      " reads what other work-items write, and OpenCL's work-groups "
      "aren't given tiles";
  obstacle.remedy = "nothing yet";
  return obstacle;
}

std::variant<FusedKernel, Obstacle>
planShaped(const Problem &problem, Group &group, bool isHorizontal) {
  auto kernel = placeValues(group, isHorizontal);
  if (std::holds_alternative<FusedKernel>(kernel))
    if (auto obstacle = checkOpenCl(group, std::get<FusedKernel>(kernel)))
      return *std::move(obstacle);
  if (std::holds_alternative<FusedKernel>(kernel))
    if (auto obstacle = isolateIntToFloat(group, std::get<FusedKernel>(kernel)))
      return *std::move(obstacle);
  if (std::holds_alternative<FusedKernel>(kernel))
    if (auto obstacle =
            addConditions(problem, group, std::get<FusedKernel>(kernel)))
      return *std::move(obstacle);
  return kernel;
}

/// Plans the group with some members as functions that others call. Adds one
/// such member after another as long as one keeps the group from being fused;
/// nullopt if that doesn't help.
std::optional<FusedKernel> planRecomputation(const Problem &problem,
                                             const Group &given,
                                             Obstacle obstacle) {
  ElementFunctions functions(given.stages.size());
  const auto numberOf = [&](LaunchId launch) {
    std::uint32_t number = 0;
    while (number < given.stages.size() &&
           given.stages[number].launch != launch)
      ++number;
    return number;
  };
  while (true) {
    std::optional<std::uint32_t> next = numberOf(obstacle.first);
    for (; next; next = writerForFunctions(given, functions)) {
      if (*next + 1 >= functions.size() || functions[*next])
        return std::nullopt;
      functions[*next] = knownFunction(problem, given.stages[*next].launch);
      if (!functions[*next])
        return std::nullopt;
    }
    Group run = withoutFunctions(given, functions);
    if (auto shapes = alignShapes(run)) {
      obstacle = *std::move(shapes);
      continue;
    }
    auto settled = placeValues(run, /*isHorizontal=*/false);
    if (auto *refused = std::get_if<Obstacle>(&settled)) {
      obstacle = std::move(*refused);
      continue;
    }
    auto &ran = std::get<FusedKernel>(settled);
    if (ran.schedule != Schedule::Register || !areCalledAlone(given, functions))
      return std::nullopt;
    Group group = withFunctions(run, given, functions);
    FusedKernel kernel = withFunctions(std::move(ran), group, functions);
    const bool isDead =
        std::all_of(kernel.placements.begin(), kernel.placements.end(),
                    [&](const Placement &placement) {
                      return !placement.computed ||
                             isDeadBeyond(problem, kernel, placement);
                    });
    if (!isDead || isolateIntToFloat(group, kernel) ||
        addConditions(problem, group, kernel))
      return std::nullopt;
    return kernel;
  }
}

/// Plans the group in one shape, or else with some members distributed among
/// blocks, or computed where they are read.
std::variant<FusedKernel, Obstacle>
planMembers(const Problem &problem, const Group &given,
            const std::vector<LaunchId> &members) {
  Group group = given;
  auto obstacle = alignShapes(group);
  bool isHorizontal = false;
  const auto notKin = checkKinship(problem, members, isHorizontal);
  if (notKin)
    return obstacle ? *obstacle : *notKin;
  if (!obstacle) {
    auto kernel = planShaped(problem, group, isHorizontal);
    if (std::holds_alternative<FusedKernel>(kernel) || isHorizontal)
      return kernel;
    obstacle = std::get<Obstacle>(std::move(kernel));
  }
  std::optional<Obstacle> never;
  if (auto shared = withChunks(given)) {
    auto kernel = planShaped(problem, *shared, isHorizontal);
    if (std::holds_alternative<FusedKernel>(kernel))
      return kernel;
    if (std::get<Obstacle>(kernel).kind == ObstacleKind::NeverHolds)
      never = std::get<Obstacle>(std::move(kernel));
  }
  if (auto kernel = planRecomputation(problem, given, *obstacle))
    return *std::move(kernel);
  // A test alone that never holds says more than what else is in the way.
  if (never)
    return *std::move(never);
  return *std::move(obstacle);
}

} // namespace

std::variant<FusedKernel, Obstacle>
planGroup(const Problem &problem, const std::vector<LaunchId> &given) {
  std::vector<LaunchId> members = given;
  auto position = [&](LaunchId member) {
    return problem.order.nodeOfLaunch[indexOf(member)];
  };
  std::sort(members.begin(), members.end(),
            [&](LaunchId a, LaunchId b) { return position(a) < position(b); });
  members.erase(std::unique(members.begin(), members.end()), members.end());
  if (members.empty()) {
    Obstacle obstacle;
    obstacle.kind = ObstacleKind::NoSharedArrays;
    obstacle.text = "a group without launches is no kernel";
    return obstacle;
  }
  if (members.size() == 1)
    return single(problem, members.front());

  if (auto obstacle = checkSize(problem, members))
    return *obstacle;
  if (auto obstacle = checkKernels(problem, members))
    return *obstacle;
  if (auto obstacle = checkLaunches(problem, members))
    return *obstacle;
  Group group;
  group.problem = &problem;
  for (LaunchId member : members)
    group.stages.add(stageOf(problem, member, SymbolSpace::Launch));
  auto settled = planMembers(problem, group, members);
  if (auto *obstacle = std::get_if<Obstacle>(&settled))
    return *obstacle;
  if (const auto known = problem.unwritable.find(members);
      known != problem.unwritable.end())
    return known->second;
  FusedKernel kernel = std::get<FusedKernel>(std::move(settled));
  kernel.name = fusedName(problem.program, members);
  for (Placement &placement : kernel.placements)
    if (isDeadBeyond(problem, kernel, placement))
      placement.kind = PlacementKind::RegisterOnly;
  dropUnseenStores(problem, kernel);
  settleElementAccesses(problem, kernel);
  for (LaunchId member : members)
    kernel.members.push_back(singleOf(problem, member));
  chooseElements(problem, kernel, group);
  return kernel;
}

} // namespace kfuse
