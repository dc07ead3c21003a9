//===- Mergeable.cpp - Groups that may become one body --------------------===//
#include "codegen/body/Mergeable.h"

#include "codegen/stage/ForwardRounding.h"

#include <algorithm>

namespace kfuse {

bool isMergeable(const FusedKernelBuilder &builder) {
  const FusedKernel &group = builder.group;
  const bool isFlat = group.schedule == Schedule::Register ||
                      group.schedule == Schedule::Concatenate;
  if (!isFlat || !group.isolated.empty())
    return false;
  // The compiler would see through the pointer what passes through memory.
  for (const Placement &placement : group.placements)
    if (placement.kind == PlacementKind::ThroughGlobal)
      return false;
  for (const ForwardedArray &forward : builder.forwards)
    if (forward.isTile || forward.computed ||
        (forward.isPartial && !forward.firstLoad) || !forward.element.trivial ||
        forward.element.hasConstructor)
      return false;
  for (std::size_t m = 0; m < builder.members(); ++m) {
    const Kernel &kernel = builder.kernelOf(m);
    const bool isPlain =
        kernel.guarded && kernel.multiplyAdds && kernel.barriers == 0 &&
        !usesShared(kernel) &&
        builder.launchOf(m).arguments.size() == kernel.parameters.size() &&
        std::none_of(kernel.parameters.begin(), kernel.parameters.end(),
                     [](const Parameter &each) { return each.name.empty(); });
    if (!isPlain || builder.fitOf(m) != ConfigMapping{} ||
        (builder.movesBlocks() &&
         (kernel.gridStride || has(kernel, KernelFeature::CoordinatesInMacro) ||
          has(kernel, KernelFeature::CoordinatesInCallee))))
      return false;
  }
  return true;
}

bool hasFactors(const FusedKernelBuilder &builder,
                const std::set<std::size_t> &defined) {
  for (std::size_t f = 0; f < builder.forwards.size(); ++f) {
    const ForwardedArray &forward = builder.forwards[f];
    for (std::size_t m = 0; m < builder.members(); ++m)
      if (defined.count(f) == 0 && forward.roles[m].produces &&
          forward.element.hasFloatingPoint &&
          mayBeFactor(builder.program, builder.group, forward, m))
        return true;
  }
  return false;
}

} // namespace kfuse
