//===- KernelChecks.h - What kernels must be to become stages -------------===//
#ifndef KFUSE_FUSION_GROUP_KERNELCHECKS_H
#define KFUSE_FUSION_GROUP_KERNELCHECKS_H

#include "fusion/plan/Obstacle.h"
#include "fusion/plan/Problem.h"

#include <optional>
#include <vector>

namespace kfuse {

/// Checks that the kernels can be stages: visible, analysed, of copyable text,
/// without features that fusing would change.
std::optional<Obstacle> checkKernels(const Problem &problem,
                                     const std::vector<LaunchId> &group);

/// Returns the `__device__` and `__constant__` variables from which the kernel
/// loads floating-point values.
std::vector<ArrayId> floatingGlobals(const Kernel &kernel);

/// Checks whether the compiler may contract sums of the kernel: some aren't
/// written with explicit operations, and have a product to take.
bool mayContract(const Kernel &kernel);

} // namespace kfuse

#endif
