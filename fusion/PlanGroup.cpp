//===- PlanGroup.cpp - A group as one kernel ------------------------------===//
//
// The checks in order, from what is cheap and tells the user most to the pairs
// of accesses; then the placements, the elements a thread and the projection.
//
//===----------------------------------------------------------------------===//

#include "fusion/PlanGroup.h"

#include "fusion/cost/Project.h"
#include "fusion/dependence/Names.h"
#include "fusion/forwarding/Forwarding.h"
#include "fusion/forwarding/IntToFloat.h"
#include "fusion/forwarding/Recomputation.h"
#include "fusion/forwarding/Tiles.h"
#include "fusion/group/Conditions.h"
#include "fusion/group/GroupChecks.h"
#include "fusion/group/Liveness.h"
#include "fusion/group/Stages.h"
#include "fusion/legality/Aliasing.h"
#include "fusion/legality/Legality.h"
#include "fusion/plan/TileStorage.h"
#include "fusion/shapes/BlockPartition.h"
#include "fusion/shapes/Shapes.h"
#include "graphs/program/Aliases.h"

#include <algorithm>

namespace kfuse {
namespace {

constexpr std::size_t NameLimit = 64;

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
    name = "kfuse_" + part(group.front()).substr(0, NameLimit / 3) + "_to_" +
           part(group.back()).substr(0, NameLimit / 3) + "_" +
           std::to_string(group.size());
  return name;
}

/// Checks whether a thread may work on several logical blocks: the stage gets
/// them as a blockIdx and a gridDim of its own, while threadIdx and blockDim
/// stay. If the elements shared something that isn't loaded through a
/// parameter, the compiler could contract otherwise than for one. A thread that
/// loops over memory has enough loads in flight; several elements would only
/// leave fewer threads. Measured on an H200, row and column sums: 4 times
/// slower.
bool canRepeat(const Program &program, LaunchId member, const ShapeFit &fit) {
  const Kernel &kernel = program.kernelOf(member);
  return !fit.share && kernel.barriers == 0 && !kernel.integersToFloating &&
         floatingGlobals(kernel).empty() && kernel.loops.empty() &&
         kernel.staticSharedBytes == 0 && !kernel.usesDynamicShared &&
         (!kernel.gridStride || fit.isIteration) &&
         !has(kernel, KernelFeature::WarpOperation) &&
         !has(kernel, KernelFeature::CoordinatesInCallee) &&
         !has(kernel, KernelFeature::SharedAddress) &&
         !has(kernel, KernelFeature::GridShape) &&
         program.language == Language::Cuda;
}

/// Returns the axis on which a thread takes several elements: the one on which
/// memory is contiguous, or, for a tile, the last one. There the block is the
/// thinnest and its halo weighs most.
std::uint32_t elementsAxisOf(const FusedKernel &kernel) {
  std::uint32_t axis = 0;
  for (std::uint32_t other = 1; other < 3; ++other)
    for (const Halo &halo : kernel.halos)
      if (kernel.block[other] > 1 || halo.low[other] + halo.high[other] != 0)
        axis = other;
  return axis;
}

/// Returns how many threads the device can have at once. If there are fewer,
/// each would work longer while multiprocessors idle. Measured on an H200,
/// groups of 131,072 threads take 1.6 times as long as 32,768 with four
/// elements each.
double threadsAtOnce(const Device &device, const Projection &projection) {
  return projection.occupancy * device.threadsPerMultiprocessor *
         device.multiprocessors;
}

/// Returns the bytes of the smallest element that the kernel loads or stores.
std::uint32_t smallestElement(const Program &program,
                              const FusedKernel &kernel) {
  std::uint32_t smallest = 16;
  for (const LaunchId id : kernel.launches)
    for (const Access &access : program.kernelOf(id).accesses) {
      const ArrayId array = program[id].pointers[access.pointer].array;
      const bool isKept =
          std::any_of(kernel.placements.begin(), kernel.placements.end(),
                      [array](const Placement &placement) {
                        return placement.array == array &&
                               placement.kind != PlacementKind::RegisterOnly;
                      });
      if (isKept && access.elementBytes != 0)
        smallest = std::min(smallest, access.elementBytes);
    }
  return smallest;
}

/// Checks whether a thread should take so many elements for their size alone:
/// the memory gives 16 bytes as fast as one. Measured on an H100, a map of
/// bytes: one a thread 789 GB/s, four 2,062, sixteen neighbours 2,926.
bool areTooSmall(const Program &program, const FusedKernel &kernel,
                 std::uint32_t elements) {
  const std::uint32_t bytes = smallestElement(program, kernel);
  return (kernel.schedule == Schedule::Register ||
          kernel.schedule == Schedule::Concatenate) &&
         bytes <= 2 && elements * bytes <= 16;
}

/// Chooses the count of elements a thread with the shortest projected time; the
/// smaller one of equals.
void chooseElements(const Problem &problem, FusedKernel &kernel,
                    const Group &group) {
  kernel.projection = project(problem, kernel);
  if (kernel.schedule == Schedule::Compute)
    return;
  const Program &program = problem.program;
  for (std::size_t i = 0; i < kernel.launches.size(); ++i)
    if (!canRepeat(program, kernel.launches[i], kernel.fits[i]))
      return;
  const std::uint32_t values = forwardedRegisters(program, kernel.placements);
  const std::uint32_t axis = elementsAxisOf(kernel);
  const auto blocks =
      program[kernel.launches[kernel.leader]].grid.extent[axis].asConstant();
  for (std::uint32_t elements : {2U, 4U, 8U, 16U}) {
    const bool isForSize = areTooSmall(program, kernel, elements);
    if (elements > 8 && !isForSize)
      break;
    FusedKernel trial = kernel;
    trial.elementsPerThread = elements;
    trial.elementsAxis = axis;
    placeSlots(program, trial);
    if ((elements > problem.options.maxElementsPerThread &&
         !(isForSize && problem.options.maxElementsPerThread >= 4)) ||
        (blocks && *blocks < elements) ||
        checkLimits(group, values * elements, tileBytes(program, trial)))
      break;
    trial.projection = project(problem, trial);
    if (trial.projection.threads / elements <
        threadsAtOnce(problem.device, trial.projection))
      break;
    if ((trial.projection.seconds < kernel.projection.seconds || isForSize) &&
        !spillsMore(trial))
      kernel = std::move(trial);
  }
}

/// Returns the obstacle that a member has another shape: a block would have to
/// know which of its cells the member has.
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

/// Places the blocks' tiles, if threads take what others made.
std::optional<Obstacle> settleTiles(const Group &group,
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
    if (const ShapeFit &fit = group.fits[member];
        fit.isBounded() || fit.isRenumbered())
      return differentShape(group, member);
  tiled.schedule = Schedule::Tile;
  for (std::uint32_t axis = 0; axis < 3; ++axis)
    tiled.block[axis] = static_cast<std::uint32_t>(
        group.stages.front().block[axis].asConstant().value_or(1));
  placeSlots(group.problem->program, tiled);
  kernel = std::move(tiled);
  return std::nullopt;
}

/// Checks whether every access of the group to what may be `array` is a plain
/// store to it that can be left out of the text.
bool onlyStores(const Program &program, const FusedKernel &kernel,
                ArrayId array, std::vector<std::uint32_t> &writers) {
  for (std::uint32_t i = 0; i < kernel.launches.size(); ++i)
    for (const Access &access : program[kernel.launches[i]].accesses) {
      const ArrayId accessed =
          program[kernel.launches[i]].pointers[access.pointer].array;
      if (accessed != array) {
        if (alias(program, accessed, array) != Alias::Never)
          return false;
        continue;
      }
      if (access.kind != AccessKind::Write ||
          access.form != AccessForm::Store || !access.editable ||
          access.offset != 0 || access.width != access.elementBytes)
        return false;
      if (writers.empty() || writers.back() != i)
        writers.push_back(i);
    }
  return !writers.empty();
}

/// Drops the stores to arrays that the group writes and nobody ever reads.
void dropUnseenStores(const Problem &problem, FusedKernel &kernel) {
  for (Placement &placement : kernel.placements) {
    std::vector<std::uint32_t> writers;
    if (placement.kind != PlacementKind::Global ||
        !onlyStores(problem.program, kernel, placement.array, writers))
      continue;
    // Code that only computes the value goes with it.
    if (problem.options.exactRounding &&
        std::any_of(writers.begin(), writers.end(), [&](std::uint32_t writer) {
          return problem.program.kernelOf(kernel.launches[writer])
              .sharedProducts;
        }))
      continue;
    const Placement before = placement;
    placement.kind = PlacementKind::RegisterOnly;
    placement.producers = std::move(writers);
    if (!isDeadBeyond(problem, kernel, placement))
      placement = before;
  }
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

/// Settles how values pass, as follows from the shapes in which the members
/// run.
std::variant<FusedKernel, Obstacle> settleValues(Group &group,
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
  kernel.schedule = isHorizontal        ? Schedule::Concatenate
                    : group.hasShares() ? Schedule::Block
                                        : Schedule::Register;
  kernel.placements = std::get<std::vector<Placement>>(std::move(placements));
  if (auto obstacle =
          settleTiles(group, std::get<std::vector<Flow>>(flows), kernel))
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

std::optional<Obstacle> settleConditions(const Problem &problem, Group &group,
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
  for (Condition &condition : withoutCertain(problem, group.conditions))
    (problem.options.promised.count(condition.kind) != 0 ? kernel.promises
                                                         : kernel.conditions)
        .push_back(std::move(condition));
  return std::nullopt;
}

/// Checks that each OpenCL work-item does what the members' did, and no more.
std::optional<Obstacle> checkOpenCl(const Group &group,
                                    const FusedKernel &kernel) {
  if (group.problem->program.language != Language::OpenCL)
    return std::nullopt;
  for (std::uint32_t member = 0; member < kernel.fits.size(); ++member)
    if (kernel.fits[member] != ShapeFit{}) {
      Obstacle obstacle = differentShape(group, member);
      obstacle.text = launchName(group.problem->program, obstacle.first) +
                      " and " +
                      launchName(group.problem->program, obstacle.second) +
                      " have different ranges";
      obstacle.remedy = "launch both with one range";
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
settleShaped(const Problem &problem, Group &group, bool isHorizontal) {
  auto kernel = settleValues(group, isHorizontal);
  if (std::holds_alternative<FusedKernel>(kernel))
    if (auto obstacle = checkOpenCl(group, std::get<FusedKernel>(kernel)))
      return *std::move(obstacle);
  if (std::holds_alternative<FusedKernel>(kernel))
    if (auto obstacle = isolateIntToFloat(group, std::get<FusedKernel>(kernel)))
      return *std::move(obstacle);
  if (std::holds_alternative<FusedKernel>(kernel))
    if (auto obstacle =
            settleConditions(problem, group, std::get<FusedKernel>(kernel)))
      return *std::move(obstacle);
  return kernel;
}

/// Settles the group with members as functions that others call, adding one as
/// long as a member is in the way.
std::optional<FusedKernel>
settleFunctions(const Problem &problem, const Group &given, Obstacle obstacle) {
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
    auto settled = settleValues(run, /*isHorizontal=*/false);
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
        settleConditions(problem, group, kernel))
      return std::nullopt;
    return kernel;
  }
}

/// Settles the group in one shape, or else with some members distributed among
/// blocks, or computed where they are read.
std::variant<FusedKernel, Obstacle>
settleGroup(const Problem &problem, const Group &given,
            const std::vector<LaunchId> &members) {
  Group group = given;
  auto obstacle = alignShapes(group);
  bool isHorizontal = false;
  const auto notKin = checkKinship(problem, members, isHorizontal);
  if (notKin)
    return obstacle ? *obstacle : *notKin;
  if (!obstacle) {
    auto kernel = settleShaped(problem, group, isHorizontal);
    if (std::holds_alternative<FusedKernel>(kernel) || isHorizontal)
      return kernel;
    obstacle = std::get<Obstacle>(std::move(kernel));
  }
  std::optional<Obstacle> never;
  if (auto shared = withShares(given)) {
    auto kernel = settleShaped(problem, *shared, isHorizontal);
    if (std::holds_alternative<FusedKernel>(kernel))
      return kernel;
    if (std::get<Obstacle>(kernel).kind == ObstacleKind::NeverHolds)
      never = std::get<Obstacle>(std::move(kernel));
  }
  if (auto kernel = settleFunctions(problem, given, *obstacle))
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
  auto settled = settleGroup(problem, group, members);
  if (auto *obstacle = std::get_if<Obstacle>(&settled))
    return *obstacle;
  FusedKernel kernel = std::get<FusedKernel>(std::move(settled));
  kernel.name = fusedName(problem.program, members);
  for (Placement &placement : kernel.placements)
    if (isDeadBeyond(problem, kernel, placement))
      placement.kind = PlacementKind::RegisterOnly;
  dropUnseenStores(problem, kernel);
  for (LaunchId member : members)
    kernel.members.push_back(singleOf(problem, member));
  chooseElements(problem, kernel, group);
  return kernel;
}

} // namespace kfuse
