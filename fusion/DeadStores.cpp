//===- DeadStores.cpp - Stores that nobody reads --------------------------===//

#include "fusion/DeadStores.h"

#include "fusion/group/Liveness.h"
#include "graphs/program/Aliases.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace kfuse {
namespace {

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

} // namespace

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

} // namespace kfuse
