//===- Solve.cpp - One program, searched, planned and written -------------===//

#include "driver/pipeline/Solve.h"

#include "driver/pipeline/ReadFile.h"
#include "frontend/Extract.h"
#include "fusion/MakePlan.h"
#include "fusion/group/Conditions.h"
#include "fusion/report/PlanJson.h"
#include "fusion/rewrites/Exchanges.h"
#include "ga/Search.h"
#include "ga/problem/AbstractCost.h"
#include "ga/problem/Adapter.h"

namespace kfuse {
namespace {

/// If there are more launches, a search for a variant of the program starts
/// from what was found, with a part of the budget: otherwise it would take as
/// long.
constexpr std::size_t ManyLaunches = 48;
constexpr std::uint64_t VariantShare = 10;
/// How often the search goes on without groups that can't be written.
constexpr unsigned MostRounds = 4;

/// Returns the text of a diagnostic for the obstacle: an error at its first
/// launch, and its remedy as a note.
std::string describe(const Program &program, const Obstacle &obstacle) {
  const Launch &first = program[obstacle.first];
  const std::string place = program.files[first.range.file].path + ":" +
                            std::to_string(first.range.line) + ":" +
                            std::to_string(first.range.column);
  std::string text = place + ": error: " + obstacleName(obstacle.kind) + ": " +
                     obstacle.text + "\n";
  if (!obstacle.remedy.empty())
    text += place + ": note: " + obstacle.remedy + "\n";
  return text;
}

/// Returns the groups to fuse: those of a saved plan, or the best that are
/// found. Returns nullopt with a message in `error` on failure.
std::optional<Groups> chooseGroups(const Options &options,
                                   Compilation &compilation,
                                   std::string &error) {
  if (!options.planToLoad.empty()) {
    auto plan = readFile(
        "plan", options.planToLoad,
        [&](std::string_view text) {
          return loadPlan(compilation.program, text);
        },
        error);
    if (!plan)
      return std::nullopt;
    compilation.problem->options.plannedElements = std::move(plan->elements);
    return std::move(plan->groups);
  }
  compilation.search =
      search(partitionProblem(*compilation.problem), options.search);
  if (!compilation.search.error.empty()) {
    error += errorLine(compilation.search.error);
    return std::nullopt;
  }
  return toGroups(*compilation.problem, compilation.search.partition);
}

/// Returns the plan's groups, with those at the indices in `refused` split into
/// single launches.
Groups
splitRefused(const FusionPlan &plan,
             const std::vector<std::pair<std::size_t, std::string>> &refused) {
  Groups groups;
  for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
    const bool isRefused =
        std::any_of(refused.begin(), refused.end(),
                    [&](const auto &entry) { return entry.first == i; });
    if (!isRefused)
      groups.push_back(plan.kernels[i].launches);
    else
      for (LaunchId launch : plan.kernels[i].launches)
        groups.push_back({launch});
  }
  std::sort(groups.begin(), groups.end());
  return groups;
}

Remark refusal(const Program &program, const FusedKernel &kernel,
               ObstacleKind kind, const std::string &reason) {
  Remark remark;
  remark.kind = kind;
  remark.launches = kernel.launches;
  remark.range = program[kernel.launches.front()].range;
  remark.name = obstacleName(remark.kind);
  remark.text = reason;
  return remark;
}

} // namespace

std::unique_ptr<Compilation> analyse(std::unique_ptr<SourceUnit> unit,
                                     const Device &device,
                                     Measurements evidence,
                                     const Options &options) {
  auto result = std::make_unique<Compilation>();
  Compilation &c = *result;
  c.writing.keepsKernels = options.keepKernels;
  c.unit = std::move(unit);
  c.program = withExchanges(extract(*c.unit));
  c.deps = dependencies(c.program);
  c.order = executionOrder(c.program, c.deps, options.fusion.ignoreTiming);
  c.problem = std::make_unique<Problem>(Problem{
      c.program, c.deps, c.order, device, options.fusion, std::move(evidence)});
  return result;
}

std::unique_ptr<Compilation> analyseAs(const Compilation &from,
                                       std::unique_ptr<SourceUnit> unit,
                                       const Options &options) {
  Measurements evidence = from.problem->evidence;
  evidence.groups.clear();
  return analyse(std::move(unit), from.problem->device, std::move(evidence),
                 options);
}

bool finish(Compilation &c, Groups groups, std::string &error) {
  // The writer may find that a group can't be put into the user's text; what
  // is stored where depends on all groups, so the plan is made again.
  c.writer = {};
  c.writing.contracted = c.problem->evidence.contracted;
  while (true) {
    auto made = makePlan(*c.problem, groups);
    if (const auto *obstacle = std::get_if<Obstacle>(&made)) {
      error += describe(c.program, *obstacle);
      return false;
    }
    c.plan = std::get<FusionPlan>(std::move(made));
    if (const auto excluded = excludedKernels(*c.problem, c.plan.kernels);
        !excluded.empty()) {
      std::vector<std::pair<std::size_t, std::string>> apart;
      for (const auto &[index, obstacle] : excluded) {
        const FusedKernel &kernel = c.plan.kernels[index];
        c.writer.refusals.push_back(
            refusal(c.program, kernel, obstacle.kind,
                    "another fused kernel that gains more excludes this one: " +
                        obstacle.text));
        apart.emplace_back(index, obstacle.text);
      }
      groups = splitRefused(c.plan, apart);
      continue;
    }
    GenerateResult generated = generate(c.program, c.order, c.plan, c.writing);
    for (StepId step : generated.rejectedSwaps)
      c.program.steps[indexOf(step)].exchanges.clear();
    if (generated.refused.empty() && generated.rejectedSwaps.empty()) {
      c.text = std::move(generated.text);
      c.writer.notes = std::move(generated.notes);
      c.isolating.clear();
      for (const LaunchId launch : generated.isolating)
        c.isolating.insert(originalName(c.program.kernelOf(launch)));
      for (const auto &[index, name] : generated.names)
        c.plan.kernels[index].name = name;
      for (const std::size_t index : generated.inCalls)
        c.plan.kernels[index].isInCall = true;
      return true;
    }
    for (const auto &[index, reason] : generated.refused) {
      const FusedKernel &kernel = c.plan.kernels[index];
      c.writer.refusals.push_back(
          refusal(c.program, kernel, ObstacleKind::LaunchNotEditable, reason));
      Obstacle obstacle;
      obstacle.kind = ObstacleKind::LaunchNotEditable;
      obstacle.first = kernel.launches.front();
      obstacle.second = kernel.launches.back();
      obstacle.text = reason;
      c.problem->unwritable[kernel.launches] = std::move(obstacle);
    }
    groups = splitRefused(c.plan, generated.refused);
  }
}

bool solve(Compilation &c, Options options, std::string &error) {
  for (unsigned round = 0;; ++round) {
    const std::size_t known = c.problem->unwritable.size();
    std::optional<Groups> groups = chooseGroups(options, c, error);
    if (!groups || !finish(c, std::move(*groups), error))
      return false;
    const bool isLast = round == MostRounds || !options.planToLoad.empty() ||
                        c.program.launches.size() > ManyLaunches ||
                        c.problem->unwritable.size() == known;
    if (isLast)
      return true;
    options.search.start = toPartition(*c.problem, groupsOf(c.plan));
  }
}

bool solve(Compilation &c, Options options, const Groups &start,
           std::string &error) {
  if (c.program.launches.size() > ManyLaunches) {
    options.search.start = toPartition(*c.problem, start);
    options.search.lookUpsPerItem /= VariantShare;
  }
  return solve(c, options, error);
}

} // namespace kfuse
