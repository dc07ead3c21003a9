//===- KernelInsertion.cpp - Where a fused kernel is defined --------------===//
#include "codegen/KernelInsertion.h"

#include "text/Layout.h"

#include <algorithm>
#include <string>
#include <vector>

namespace kfuse {

bool serves(const Sources &sources, const KernelInsertion &known,
            const KernelInsertion &place) {
  return known.first() <= place.first() &&
         isCompiledWith(sources.input(), known.first(), place.first()) &&
         namespacesAt(sources.input(), known.first()) ==
             namespacesAt(sources.input(), place.first());
}

Result<KernelInsertion> placeFor(const Sources &sources, const Program &program,
                                 const FusedKernel &kernel) {
  const Launch &launch = program[kernel.launches.front()];
  const SourceRange &function =
      program.regions[indexOf(launch.region)].functionRange;
  if (!sources.input().holds(function) || function.begin >= function.end)
    return Refusal{"the function that launches the group isn't in the input"};
  KernelInsertion place;
  place.definition = placeBefore(sources.input(), function.begin);
  for (const std::uint32_t own :
       {place.definition, placeAtTop(sources.input(), place.definition)})
    if (!isCompiledWith(sources.input(), own, launch.range.begin))
      return Refusal{"the function that launches the group begins in a part "
                     "that isn't compiled"};
  std::uint32_t stages = 0;
  // OpenCL's are in a string, and only the host's function stands here.
  if (program.kernelString)
    return place;
  for (const LaunchId member : kernel.launches)
    stages = std::max(
        stages,
        insertionPoint(sources, program.kernelOf(member).text).value_or(0));
  if (stages <= place.definition)
    return place;
  const auto here = namespacesAt(sources.input(), place.definition);
  if (!here || here != namespacesAt(sources.input(), stages))
    return Refusal{"a member is defined after its launch in another "
                   "namespace"};
  place.declaration = place.definition;
  place.definition = stages;
  return place;
}

std::optional<KernelInsertion> placeBehindMembers(const Sources &sources,
                                                  const Program &program,
                                                  const FusedKernel &kernel) {
  const auto usual = placeFor(sources, program, kernel);
  if (refusalOf(usual))
    return std::nullopt;
  if (program.kernelString)
    return std::get<KernelInsertion>(usual);
  KernelInsertion place = std::get<KernelInsertion>(usual);
  std::vector<std::uint32_t> ends;
  for (const LaunchId member : kernel.launches)
    ends.push_back(
        insertionPoint(sources, program.kernelOf(member).text).value_or(0));
  place.definition = *std::max_element(ends.begin(), ends.end());
  const auto here = namespacesAt(sources.input(), place.definition);
  const bool isOneScope =
      here &&
      here == namespacesAt(sources.input(),
                           std::get<KernelInsertion>(usual).first()) &&
      std::all_of(ends.begin(), ends.end(), [&](std::uint32_t end) {
        return namespacesAt(sources.input(), end) == here;
      });
  const std::uint32_t launch = program[kernel.launches.front()].range.begin;
  return isOneScope && isCompiledWith(sources.input(), place.definition, launch)
             ? std::optional(place)
             : std::nullopt;
}

} // namespace kfuse
