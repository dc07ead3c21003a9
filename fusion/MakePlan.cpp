//===- MakePlan.cpp - A partition as a plan -------------------------------===//

#include "fusion/MakePlan.h"

#include "fusion/PlanGroup.h"
#include "fusion/cost/Project.h"
#include "fusion/dependence/Names.h"
#include "fusion/group/Conditions.h"
#include "fusion/group/Liveness.h"
#include "graphs/FusedOrder.h"

#include <algorithm>
#include <set>

namespace kfuse {
namespace {

/// Returns a name that neither a kernel of the program nor an earlier group
/// has.
std::string uniqueName(const std::string &wanted,
                       std::set<std::string> &taken) {
  std::string name = wanted;
  for (int number = 2; !taken.insert(name).second; ++number)
    name = wanted + "_" + std::to_string(number);
  return name;
}

/// Checks that the partition lists each launch exactly once.
std::optional<Obstacle> checkCover(const Program &program,
                                   const Groups &groups) {
  std::vector<unsigned> uses(program.launches.size(), 0);
  for (const auto &group : groups)
    for (LaunchId launch : group)
      if (indexOf(launch) < uses.size())
        ++uses[indexOf(launch)];
  for (std::uint32_t i = 0; i < uses.size(); ++i)
    if (uses[i] != 1) {
      Obstacle obstacle;
      obstacle.kind = ObstacleKind::CyclicGroups;
      obstacle.first = obstacle.second = LaunchId{i};
      obstacle.text =
          launchName(program, LaunchId{i}) +
          (uses[i] == 0 ? " is in no group" : " is in more than one group");
      obstacle.remedy = "list each launch once";
      return obstacle;
    }
  return std::nullopt;
}

Obstacle circular(const Program &program, const Groups &groups) {
  Obstacle obstacle;
  obstacle.kind = ObstacleKind::CyclicGroups;
  obstacle.text = "the groups would wait for each other in a circle";
  obstacle.remedy = "split one of the groups";
  bool isFirst = true;
  for (const auto &group : groups) {
    if (group.size() < 2)
      continue;
    if (isFirst) {
      obstacle.first = group.front();
      obstacle.second = group.back();
    }
    isFirst = false;
    std::vector<std::string> names;
    names.reserve(group.size());
    for (LaunchId launch : group)
      names.push_back(launchName(program, launch));
    obstacle.notes.push_back(
        {program[group.front()].range, "one group is " + listText(names)});
  }
  return obstacle;
}

/// Returns the steps that become swaps: copies always, launches if no kernel of
/// the plan runs them.
std::vector<StepId> swapsOf(const Program &program,
                            const std::vector<FusedKernel> &kernels) {
  std::vector<StepId> swaps;
  for (std::uint32_t i = 0; i < program.steps.size(); ++i)
    if (!program.steps[i].exchanges.empty() &&
        program.steps[i].kind == StepKind::CopyOnDevice)
      swaps.push_back(static_cast<StepId>(i));
  for (const FusedKernel &kernel : kernels)
    if (kernel.schedule == Schedule::Swap)
      swaps.push_back(program[kernel.launches.front()].step);
  std::sort(swaps.begin(), swaps.end());
  return swaps;
}

} // namespace

std::variant<FusionPlan, Obstacle> makePlan(const Problem &problem,
                                            const Groups &groups) {
  const Program &program = problem.program;
  if (auto obstacle = checkCover(program, groups))
    return *obstacle;
  FusionPlan plan;
  plan.device = problem.device.name;
  for (const auto &group : groups) {
    if (group.empty())
      continue;
    auto planned = planGroup(problem, group);
    if (auto *obstacle = std::get_if<Obstacle>(&planned))
      return std::move(*obstacle);
    auto &kernel = std::get<FusedKernel>(planned);
    kernel.conditions = withoutCertain(problem, kernel.conditions);
    plan.kernels.push_back(std::move(kernel));
  }
  if (const Groups members = groupsOf(plan);
      !fusedOrder(problem.order, members))
    return circular(program, members);

  std::set<std::string> taken;
  for (const Kernel &kernel : program.kernels)
    taken.insert(kernel.name);
  for (FusedKernel &kernel : plan.kernels) {
    if (kernel.schedule == Schedule::Single ||
        kernel.schedule == Schedule::Swap)
      continue;
    kernel.name = uniqueName(kernel.name, taken);
    bool isChanged = false;
    for (Placement &placement : kernel.placements)
      if (placement.isForwarded()) {
        const PlacementKind kind =
            isDead(problem, kernel, placement, plan.kernels)
                ? PlacementKind::RegisterOnly
                : PlacementKind::Register;
        isChanged |= kind != placement.kind;
        placement.kind = kind;
      }
    if (isChanged)
      kernel.projection = project(problem, kernel);
  }
  plan.dead = deadArrays(plan.kernels);
  plan.removed = removableArrays(program, plan.kernels, plan.dead);
  plan.swaps = swapsOf(program, plan.kernels);
  return plan;
}

} // namespace kfuse
