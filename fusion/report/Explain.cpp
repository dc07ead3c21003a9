//===- Explain.cpp - Why launches were fused, or were not -----------------===//

#include "fusion/report/Explain.h"

#include "fusion/PlanGroup.h"
#include "fusion/dependence/Names.h"
#include "fusion/group/GroupChecks.h"
#include "fusion/report/MeasuredText.h"
#include "fusion/report/Units.h"
#include "fusion/rewrites/Exchanges.h"
#include "fusion/rewrites/Renamings.h"
#include "graphs/FusedOrder.h"
#include "graphs/program/Aliases.h"
#include "graphs/program/Effects.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace kfuse {
namespace {

constexpr const char *CorrectProjection =
    "measured times can correct the projection (--profile)";

double secondsApart(const FusedKernel &kernel) {
  double seconds = 0;
  for (const Projection &member : kernel.members)
    seconds += member.seconds;
  return seconds;
}

std::vector<std::string> namesOf(const Program &program,
                                 const std::vector<LaunchId> &launches) {
  std::vector<std::string> names;
  names.reserve(launches.size());
  for (LaunchId launch : launches)
    names.push_back(launchName(program, launch));
  return names;
}

Remark remarkOf(const Program &program, const FusedKernel &kernel) {
  Remark remark;
  remark.fused = true;
  remark.name = "Fused";
  remark.launches = kernel.launches;
  remark.range = program[kernel.launches.front()].range;
  std::vector<std::string> stored, dropped, tiles, memory, computed;
  for (const Placement &placement : kernel.placements) {
    if (placement.computed)
      computed.push_back(arrayName(program, placement.array));
    else if (placement.isTile)
      tiles.push_back(arrayName(program, placement.array) +
                      (placement.kind == PlacementKind::RegisterOnly
                           ? " (never stored)"
                           : ""));
    else if (placement.kind == PlacementKind::Register)
      stored.push_back(arrayName(program, placement.array));
    else if (placement.kind == PlacementKind::ThroughGlobal)
      memory.push_back(arrayName(program, placement.array));
    else if (placement.kind == PlacementKind::RegisterOnly)
      dropped.push_back(arrayName(program, placement.array));
  }
  std::vector<std::string> facts;
  if (kernel.schedule == Schedule::Concatenate)
    facts.emplace_back("independent, side by side");
  if (!dropped.empty())
    facts.push_back(listText(dropped) + " in registers, never stored");
  if (!computed.empty())
    facts.push_back(listText(computed) + " computed where " +
                    (computed.size() == 1 ? "it is" : "they are") + " read");
  if (!stored.empty())
    facts.push_back(listText(stored) + " in registers and stored");
  if (!tiles.empty())
    facts.push_back(listText(tiles) + " in tiles of shared memory");
  if (!memory.empty())
    facts.push_back(listText(memory) + " through memory");
  if (kernel.elementsPerThread != 1)
    facts.push_back(std::to_string(kernel.elementsPerThread) +
                    " elements a thread");
  if (!kernel.conditions.empty())
    facts.push_back(kernel.conditions.size() == 1
                        ? std::string("under a run-time test")
                        : "under " + std::to_string(kernel.conditions.size()) +
                              " run-time tests");
  if (!kernel.promises.empty())
    facts.emplace_back("as --assume promises");
  facts.push_back(
      (kernel.projection.measured
           ? timeAndOrigin(kernel.projection)
           : "projected " + microseconds(kernel.projection.seconds)) +
      " against " + sumAndOrigin(kernel.members));
  std::string text = "fused " + listText(namesOf(program, kernel.launches)) +
                     " into '" + kernel.name + "': ";
  for (std::size_t i = 0; i < facts.size(); ++i)
    text += (i == 0 ? "" : "; ") + facts[i];
  remark.text = std::move(text);
  for (std::size_t i = 1; i < kernel.launches.size(); ++i)
    remark.notes.push_back(
        {program[kernel.launches[i]].range,
         launchName(program, kernel.launches[i]) + " was launched here"});
  for (const LaunchId launch : kernel.launches)
    if (const std::string &whole = program.kernelOf(launch).part.of;
        !whole.empty())
      remark.notes.push_back(
          {program[launch].range,
           launchName(program, launch) + " is a part of '" + whole + "'"});
  return remark;
}

/// Returns a remark on a copy that became a swap, or on what keeps it from
/// becoming one; nullopt for other steps.
std::optional<Remark> copyRemark(const Problem &problem, const FusionPlan &plan,
                                 StepId id) {
  const Program &program = problem.program;
  const HostStep &step = program[id];
  Remark remark;
  if (step.kind == StepKind::Launch)
    remark.launches = {step.launch};
  remark.range = step.range;
  if (std::find(plan.swaps.begin(), plan.swaps.end(), id) != plan.swaps.end()) {
    remark.fused = true;
    remark.name = "Swapped";
    remark.text = exchangeText(program, id) + " of the pointers on the host";
    return remark;
  }
  const CopyVerdict verdict = copyVerdict(program, id);
  if (!verdict.isCopy || !verdict.exchanges.empty())
    return std::nullopt;
  remark.kind = ObstacleKind::CopyNotSwappable;
  remark.name = obstacleName(remark.kind);
  remark.text = copyName(program, id) + " stays: " + verdict.why;
  remark.cause = std::to_string(indexOf(id));
  remark.remedy = verdict.remedy;
  return remark;
}

Remark missed(const Program &program, LaunchId first, LaunchId second,
              const Obstacle &obstacle) {
  Remark remark;
  remark.kind = obstacle.kind;
  remark.name = obstacleName(obstacle.kind);
  remark.launches = {first, second};
  remark.range = program[first].range;
  remark.text = obstacle.text;
  remark.remedy = obstacle.remedy;
  remark.notes = obstacle.notes;
  remark.isOfOthers = std::min(obstacle.first, obstacle.second) != first ||
                      std::max(obstacle.first, obstacle.second) != second;
  remark.cause = obstacle.cause.empty() ? obstacle.text : obstacle.cause;
  return remark;
}

/// Returns why a legal kernel is worth nothing by itself; nullopt if it is
/// worth it.
std::optional<Obstacle> worthless(const Program &program,
                                  const FusedKernel &kernel) {
  const std::string names = listText(namesOf(program, kernel.launches));
  const double apart = secondsApart(kernel);
  Obstacle obstacle;
  obstacle.kind = ObstacleKind::NoGain;
  if (spillsMore(kernel)) {
    obstacle.text = names + " as one kernel would store " +
                    std::to_string(kernel.projection.spilledBytes) +
                    " bytes a thread for want of registers";
    return obstacle;
  }
  if (kernel.projection.seconds < apart)
    return std::nullopt;
  obstacle.text = names + " as one kernel would take " +
                  timeAndOrigin(kernel.projection) + ", and " +
                  sumAndOrigin(kernel.members) + " apart";
  obstacle.remedy = CorrectProjection;
  return obstacle;
}

/// Returns why the plan leaves two legal neighbours apart. `kernel` is the two
/// as one; the groups are those that the plan has them in.
Obstacle noGain(const Problem &problem, const FusedKernel &kernel,
                const FusionPlan &plan, std::size_t firstGroup,
                std::size_t secondGroup) {
  const Program &program = problem.program;
  if (auto obstacle = worthless(program, kernel))
    return *std::move(obstacle);
  // The pair alone would gain; what the plan did instead must be better.
  std::vector<LaunchId> both = plan.kernels[firstGroup].launches;
  both.insert(both.end(), plan.kernels[secondGroup].launches.begin(),
              plan.kernels[secondGroup].launches.end());
  auto merged = planGroup(problem, both);
  if (auto *other = std::get_if<Obstacle>(&merged)) {
    // If there is no text for all of them, there may be none for two.
    if (other->kind != ObstacleKind::LaunchNotEditable)
      other->text = "by themselves they could be one kernel, but not with "
                    "those that each is fused with: " +
                    other->text;
    return std::move(*other);
  }
  if (auto obstacle = worthless(program, std::get<FusedKernel>(merged)))
    return *std::move(obstacle);
  Obstacle obstacle;
  obstacle.kind = ObstacleKind::NoGain;
  Groups groups;
  for (std::size_t i = 0; i < plan.kernels.size(); ++i)
    if (i != firstGroup && i != secondGroup)
      groups.push_back(plan.kernels[i].launches);
  groups.push_back(std::get<FusedKernel>(merged).launches);
  std::sort(groups.begin(), groups.end());
  if (!fusedOrder(problem.order, groups)) {
    obstacle.kind = ObstacleKind::CyclicGroups;
    obstacle.text = "with both in one kernel the groups would wait for each "
                    "other in a circle";
    obstacle.remedy = "split one of the groups in a saved plan";
    return obstacle;
  }
  obstacle.text = "one kernel would take " +
                  timeAndOrigin(std::get<FusedKernel>(merged).projection) +
                  ", the plan's two take " +
                  sumAndOrigin({plan.kernels[firstGroup].projection,
                                plan.kernels[secondGroup].projection});
  obstacle.remedy = CorrectProjection;
  return obstacle;
}

/// The most pairs of launches to report on: nobody could read more.
constexpr std::size_t MostPairs = 32768;

/// Returns the largest distance of two launches to report on.
std::size_t reachOf(const Program &program) {
  const std::size_t count = program.launches.size();
  return count * count / 2 <= MostPairs
             ? count
             : std::max<std::size_t>(1, MostPairs / count);
}

/// Returns the remark that nothing is said of launches more than `reach` apart.
Remark farPairs(const Program &program, std::size_t reach) {
  const auto count = static_cast<std::uint32_t>(program.launches.size());
  Obstacle obstacle;
  obstacle.kind = ObstacleKind::TooManyLaunches;
  obstacle.text = "the program has " + std::to_string(count) +
                  " launches; of those that are more than " +
                  std::to_string(reach) + " apart nothing is said";
  obstacle.remedy = "look at a part of the program";
  Remark remark = missed(program, LaunchId{0}, LaunchId{0}, obstacle);
  remark.launches = {LaunchId{0}};
  return remark;
}

/// Adds remarks on why calls of functions with launches, beside other launches,
/// stayed calls.
void explainCalls(const Program &program, std::vector<Remark> &remarks) {
  std::set<RegionId> seen;
  for (std::uint32_t i = 0; i < program.launches.size(); ++i) {
    const LaunchId launch{i};
    const RegionId region = rootOf(program, program[launch].region);
    const std::string &why = program[region].notSpecialised;
    if (why.empty() || !seen.insert(region).second)
      continue;
    Obstacle obstacle;
    obstacle.kind = ObstacleKind::DifferentRegion;
    obstacle.text = "calls of '" + program[region].function +
                    "' beside other launches stay calls: " + why;
    obstacle.remedy = "write the function as a straight line of statements";
    Remark remark = missed(program, launch, launch, obstacle);
    remark.launches = {launch};
    remarks.push_back(std::move(remark));
  }
}

/// Returns the first step between two launches that calls what isn't known;
/// nullptr if there is none.
const HostStep *unknownCallBetween(const Program &program, LaunchId first,
                                   LaunchId second) {
  const std::uint32_t end = indexOf(program[second].step);
  for (std::uint32_t i = indexOf(program[first].step) + 1; i < end; ++i)
    if (const HostStep &step = program.steps[i];
        step.kind == StepKind::Opaque && step.touchesEverything &&
        step.text.find('(') != std::string::npos)
      return &step;
  return nullptr;
}

/// Returns what keeps two launches from sharing an array, if both get one by
/// the same expression.
std::optional<Obstacle> changingPointer(const Program &program, LaunchId first,
                                        LaunchId second) {
  // One text means one expression within a function only.
  if (rootOf(program, program[first].region) !=
          rootOf(program, program[second].region) ||
      isReplaced(program, first) || isReplaced(program, second))
    return std::nullopt;
  const auto isPassed = [&](LaunchId id, const std::string &text,
                            ArrayId array) {
    const Launch &launch = program[id];
    for (std::size_t p = 0; p < launch.pointers.size(); ++p) {
      const PointerParameter &own = program[launch.kernel].pointers[p];
      if (!own.global && own.parameter < launch.arguments.size() &&
          launch.arguments[own.parameter].expression.text == text &&
          alias(program, launch.pointers[p].array, array) == Alias::May)
        return true;
    }
    return false;
  };
  const Launch &launch = program[second];
  for (std::size_t p = 0; p < launch.pointers.size(); ++p) {
    const PointerParameter &own = program[launch.kernel].pointers[p];
    if (own.global || own.parameter >= launch.arguments.size())
      continue;
    const std::string &text = launch.arguments[own.parameter].expression.text;
    if (text.empty() || !isPassed(first, text, launch.pointers[p].array))
      continue;
    Obstacle obstacle =
        obstacleBetween(ObstacleKind::PointerMayChange, first, second,
                        launchName(program, first) + " and " +
                            launchName(program, second) + " both get '" + text +
                            "', which may be another pointer the second time",
                        "keep it in a local variable before both launches");
    if (const HostStep *call = unknownCallBetween(program, first, second)) {
      obstacle.notes.push_back({call->range, "this may change it"});
      obstacle.remedy += "; --clock and --ignore-timing promise that a call "
                         "only looks at a clock";
    }
    obstacle.notes.push_back({launch.range, "it is evaluated again here"});
    return obstacle;
  }
  return std::nullopt;
}

/// Returns the plan for the group, or what is in its way. An ambiguous sum is
/// reported if nothing else is, with what an answer to it would gain.
std::variant<FusedKernel, Obstacle>
verdictOn(const Problem &problem, const Problem &relaxed,
          const std::vector<LaunchId> &group) {
  auto verdict = planGroup(problem, group);
  auto *obstacle = std::get_if<Obstacle>(&verdict);
  if (obstacle && obstacle->kind == ObstacleKind::CrossThreadAntiDependence &&
      obstacle->array != noneOf<ArrayId>())
    if (const std::string why =
            renamingObstacle(problem, obstacle->second, obstacle->array);
        !why.empty())
      obstacle->notes.push_back(
          {problem.program[obstacle->second].range,
           "kfuse doesn't write it to another array: " + why});
  if (!obstacle || obstacle->kind != ObstacleKind::AmbiguousContraction)
    return verdict;
  auto settled = planGroup(relaxed, group);
  if (std::holds_alternative<Obstacle>(settled))
    return settled;
  const auto &kernel = std::get<FusedKernel>(settled);
  if (auto other = worthless(problem.program, kernel))
    return *std::move(other);
  obstacle->remedy += ": one kernel would take " +
                      timeAndOrigin(kernel.projection) + ", and " +
                      sumAndOrigin(kernel.members) + " apart";
  return verdict;
}

} // namespace

std::vector<Remark> explain(const Problem &problem, const FusionPlan &plan) {
  const Program &program = problem.program;
  std::vector<Remark> remarks;
  std::vector<std::size_t> groupOf(program.launches.size(),
                                   plan.kernels.size());
  for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
    for (LaunchId launch : plan.kernels[i].launches)
      groupOf[indexOf(launch)] = i;
    if (plan.kernels[i].launches.size() > 1 && !plan.kernels[i].isInCall)
      remarks.push_back(remarkOf(program, plan.kernels[i]));
  }
  for (std::uint32_t i = 0; i < program.steps.size(); ++i)
    if (auto remark = copyRemark(problem, plan, static_cast<StepId>(i)))
      remarks.push_back(std::move(*remark));
  // Copies of a launch, as of the passes of a loop, may have the same to say.
  using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  const auto placeOf = [](const SourceRange &range) {
    return Place(range.file, range.line, range.column);
  };
  std::set<std::tuple<Place, Place, std::string>> said;
  const auto add = [&](Remark remark) {
    const SourceRange &second = program[remark.launches.back()].range;
    if (said.emplace(placeOf(remark.range), placeOf(second), remark.text)
            .second)
      remarks.push_back(std::move(remark));
  };
  Problem relaxed = problem;
  relaxed.options.exactRounding = false;
  relaxed.memos = {};
  const std::size_t reach = reachOf(program);
  for (std::uint32_t i = 0; i < program.launches.size(); ++i)
    for (std::uint32_t j = i + 1; j < program.launches.size() && j - i <= reach;
         ++j) {
      const LaunchId first{i}, second{j};
      if (groupOf[i] == groupOf[j] || groupOf[i] >= plan.kernels.size() ||
          groupOf[j] >= plan.kernels.size())
        continue;
      if (!problem.deps.shares[i][j]) {
        if (const auto obstacle = changingPointer(program, first, second))
          add(missed(program, first, second, *obstacle));
        continue;
      }
      auto verdict = verdictOn(problem, relaxed, {first, second});
      if (auto *obstacle = std::get_if<Obstacle>(&verdict);
          obstacle && obstacle->kind == ObstacleKind::NotConvex)
        verdict = verdictOn(problem, relaxed, closure(problem, first, second));
      if (auto *obstacle = std::get_if<Obstacle>(&verdict)) {
        add(missed(program, first, second, *obstacle));
        continue;
      }
      add(missed(program, first, second,
                 noGain(problem, std::get<FusedKernel>(verdict), plan,
                        groupOf[i], groupOf[j])));
    }
  if (reach < program.launches.size())
    remarks.push_back(farPairs(program, reach));
  explainCalls(program, remarks);
  return remarks;
}

} // namespace kfuse
