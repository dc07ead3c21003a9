//===- PlanText.cpp - Plans for people ------------------------------------===//

#include "fusion/report/PlanText.h"

#include "fusion/dependence/Names.h"
#include "fusion/group/Liveness.h"
#include "fusion/plan/Problem.h"
#include "fusion/report/MeasuredText.h"
#include "fusion/report/Units.h"

#include <algorithm>

namespace kfuse {
namespace {

/// Returns a text that says which launch's shape the kernel has, and how the
/// others run in it.
std::string shapeText(const Program &program, const FusedKernel &kernel) {
  std::string text;
  for (std::size_t member = 0; member < kernel.fits.size(); ++member) {
    const ConfigMapping &fit = kernel.fits[member];
    if (fit == ConfigMapping{} || isComputed(kernel, member))
      continue;
    text += "  " + launchName(program, kernel.launches[member]) +
            " in the shape of " +
            launchName(program, kernel.launches[kernel.leader]);
    if (fit.hasRows())
      text += ", in rows of its accesses";
    if (fit.chunk)
      text += ", distributed over its blocks";
    if (fit.isIteration)
      text += ", a thread for each iteration of its loop";
    if (fit.isBounded())
      text += std::string(", for its own ") +
              (fit.hasBlocks ? "blocks" : "threads") + " alone";
    text += "\n";
  }
  return text;
}

std::string placementText(const Program &program, const FusedKernel &kernel,
                          const Placement &placement) {
  auto names = [&](const std::vector<std::uint32_t> &members) {
    std::vector<std::string> list;
    for (std::uint32_t member : members)
      list.push_back(launchName(program, kernel.launches[member]));
    return listText(list);
  };
  const std::string array = arrayName(program, placement.array);
  if (placement.kind == PlacementKind::Global)
    return array + " in global memory";
  if (placement.kind == PlacementKind::ThroughGlobal)
    return array + " through memory from " + names(placement.producers) +
           " to " + names(placement.consumers);
  if (placement.computed)
    return array + " computed by " + names(placement.producers) + " where " +
           names(placement.consumers) +
           (placement.consumers.size() == 1 ? " reads it" : " read it");
  const std::string fate = placement.kind == PlacementKind::RegisterOnly
                               ? ", never stored"
                               : ", stored too";
  if (placement.consumers.empty())
    return array + " of " + names(placement.producers) + fate;
  return array +
         (placement.isTile
              ? " in a tile (slot " + std::to_string(placement.slot) + ") from "
              : " in a register from ") +
         names(placement.producers) + " to " + names(placement.consumers) +
         fate;
}

} // namespace

std::string print(const Program &program, const FusionPlan &plan) {
  std::string text = "plan for " + plan.device + "\n";
  for (const FusedKernel &kernel : plan.kernels) {
    std::vector<std::string> members;
    for (LaunchId launch : kernel.launches) {
      const std::uint32_t line = program[launch].range.line;
      members.push_back(program.kernelOf(launch).name +
                        (line == 0 ? "" : ":" + std::to_string(line)));
    }
    text += "\n" + kernel.name + ": ";
    for (std::size_t i = 0; i < members.size(); ++i)
      text += (i == 0 ? "" : " + ") + members[i];
    text += "\n  schedule " + std::string(scheduleName(kernel.schedule));
    if (kernel.elementsPerThread != 1)
      text += ", " + std::to_string(kernel.elementsPerThread) +
              " elements a thread";
    text += "\n";
    if (kernel.schedule == Schedule::Swap)
      continue;
    text += shapeText(program, kernel);
    for (const Placement &placement : kernel.placements)
      text += "  " + placementText(program, kernel, placement) + "\n";
    for (const Condition &condition : kernel.conditions)
      text += "  if " + conditionText(program, condition) + "\n";
    for (const Condition &promise : kernel.promises)
      text += "  promised: " + conditionText(program, promise) + "\n";
    const Projection &projection = kernel.projection;
    text += "  projected " + microseconds(projection.seconds) + " (" +
            projection.bound +
            (projection.measured
                 ? "; " + measuredText(*projection.measured,
                                       projection.seconds -
                                           projection.measured->median)
                 : "") +
            "), reads " + megabytes(projection.distinctRead()) + ", writes " +
            megabytes(projection.bytesWritten) + ", " +
            std::to_string(projection.registers) + " registers";
    if (kernel.schedule != Schedule::Single)
      text += "; apart " + sumAndOrigin(kernel.members);
    text += "\n";
  }
  auto names = [&](const std::vector<ArrayId> &arrays) {
    std::vector<std::string> list;
    for (ArrayId array : arrays)
      list.push_back(arrayName(program, array));
    return listText(list);
  };
  for (StepId step : plan.swaps)
    text += "\nswapped: " + exchangeText(program, step) + "\n";
  std::vector<ArrayId> never, notAlways;
  for (ArrayId array : plan.dead)
    (isStored(program, plan.kernels, array) ? notAlways : never)
        .push_back(array);
  if (!plan.dead.empty())
    text += "\n";
  if (!never.empty())
    text += "never stored: " + names(never) + "\n";
  if (!notAlways.empty())
    text += "not always stored: " + names(notAlways) + "\n";
  if (!plan.removed.empty())
    text += "removed with their allocations: " + names(plan.removed) + "\n";
  return text;
}

} // namespace kfuse
