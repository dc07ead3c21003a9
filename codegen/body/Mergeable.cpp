//===- Mergeable.cpp - Groups that may become one body --------------------===//
#include "codegen/body/Mergeable.h"

#include "codegen/stage/ForwardRounding.h"

#include <algorithm>

namespace kfuse {

bool isMergeable(const KernelDraft &draft) {
  const FusedKernel &group = draft.group;
  const bool isFlat = group.schedule == Schedule::Register ||
                      group.schedule == Schedule::Concatenate;
  if (!isFlat || !group.apart.empty())
    return false;
  // The compiler would see through the pointer what passes through memory.
  for (const Placement &placement : group.placements)
    if (placement.kind == PlacementKind::Memory)
      return false;
  for (const Forward &forward : draft.forwards)
    if (forward.isTile || forward.isPartial || forward.computed ||
        !forward.element.trivial || forward.element.hasConstructor)
      return false;
  for (std::size_t m = 0; m < draft.members(); ++m) {
    const Kernel &kernel = draft.kernelOf(m);
    const bool isPlain =
        kernel.guarded && kernel.multiplyAdds && kernel.barriers == 0 &&
        !usesShared(kernel) && kernel.text.namespaces.empty() &&
        draft.launchOf(m).arguments.size() == kernel.parameters.size() &&
        std::none_of(kernel.parameters.begin(), kernel.parameters.end(),
                     [](const Parameter &each) { return each.name.empty(); });
    if (!isPlain || draft.fitOf(m) != ShapeFit{} ||
        (draft.movesBlocks() &&
         (kernel.gridStride || has(kernel, KernelFeature::CoordinatesInMacro) ||
          has(kernel, KernelFeature::CoordinatesInCallee))))
      return false;
  }
  return true;
}

bool hasFactors(const KernelDraft &draft) {
  for (const Forward &forward : draft.forwards)
    for (std::size_t m = 0; m < draft.members(); ++m)
      if (forward.roles[m].produces && forward.element.hasFloatingPoint &&
          mayBeFactor(draft.program, draft.group, forward, m))
        return true;
  return false;
}

} // namespace kfuse
