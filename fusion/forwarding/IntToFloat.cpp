//===- IntToFloat.cpp - Numbers that several members make -----------------===//

#include "fusion/forwarding/IntToFloat.h"

#include "fusion/dependence/Names.h"
#include "fusion/group/KernelChecks.h"

#include <algorithm>
#include <set>

namespace kfuse {
namespace {

std::set<ArrayId> globalsOf(const Kernel &kernel) {
  std::set<ArrayId> globals;
  for (const PointerParameter &pointer : kernel.pointers)
    if (pointer.global)
      globals.insert(*pointer.global);
  return globals;
}

/// Checks whether one of the kernels has a sum that the compiler may contract
/// otherwise if it computes a product once for both.
bool mayMeet(const Kernel &one, const Kernel &other) {
  return mayContract(one) || mayContract(other);
}

/// Checks whether `member` can be isolated from `first`. A stage of it can be
/// given coordinates of its own, and it makes numbers of nothing else that
/// `first` could make some of too.
bool canBeApart(const Group &group, const FusedKernel &kernel,
                std::uint32_t first, std::uint32_t member) {
  const Kernel &own = *group.stages[member].kernel;
  const Kernel &other = *group.stages[first].kernel;
  const bool isPlain = (kernel.schedule == Schedule::Register ||
                        kernel.schedule == Schedule::Concatenate ||
                        kernel.schedule == Schedule::Recompute) &&
                       kernel.fits[member] == ConfigMapping{} &&
                       kernel.elementsPerThread == 1 && !own.gridStride &&
                       !has(own, KernelFeature::CoordinatesInCallee);
  const std::set<ArrayId> globals = globalsOf(other);
  return isPlain && group.problem->program.language == Language::Cuda &&
         !(has(own, KernelFeature::GridShape) &&
           has(other, KernelFeature::GridShape)) &&
         std::none_of(own.pointers.begin(), own.pointers.end(),
                      [&](const PointerParameter &pointer) {
                        return pointer.global &&
                               globals.count(*pointer.global) != 0;
                      });
}

} // namespace

std::optional<Obstacle> isolateIntToFloat(const Group &group,
                                          FusedKernel &kernel) {
  if (!group.problem->options.exactRounding)
    return std::nullopt;
  std::vector<std::uint32_t> makers;
  for (std::uint32_t m = 0; m < group.stages.size(); ++m)
    if (group.stages[m].kernel->integersToFloating)
      makers.push_back(m);
  for (std::size_t i = 1; i < makers.size(); ++i) {
    const std::uint32_t member = makers[i];
    const std::vector<std::uint32_t> before(
        makers.begin(), makers.begin() + static_cast<std::ptrdiff_t>(i));
    const auto meets = [&](std::uint32_t first) {
      return mayMeet(*group.stages[first].kernel, *group.stages[member].kernel);
    };
    const auto known =
        std::find_if(before.begin(), before.end(), [&](std::uint32_t first) {
          return meets(first) && !canBeApart(group, kernel, first, member);
        });
    if (known == before.end()) {
      if (std::any_of(before.begin(), before.end(), meets))
        kernel.isolated.push_back(member);
      continue;
    }
    const Program &program = group.problem->program;
    Obstacle obstacle;
    obstacle.kind = ObstacleKind::AmbiguousContraction;
    obstacle.first = group.stages[*known].launch;
    obstacle.second = group.stages[member].launch;
    obstacle.text = launchName(program, obstacle.first) + " and " +
                    launchName(program, obstacle.second) +
                    " both convert integers to floating point, and the "
                    "compiler may contract what they share otherwise";
    obstacle.remedy = "keep the conversion in one of the kernels";
    return obstacle;
  }
  return std::nullopt;
}

} // namespace kfuse
