//===- Conditions.h - Run-time tests that are worth writing ---------------===//
//
// The tests that the host would need are decided beforehand, as far as
// possible. They are decided from the values, from what was tested on the way
// to the launches, and from what the input gives its variables. A group whose
// tests can't hold together is none; what always holds needs no test.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_GROUP_CONDITIONS_H
#define KFUSE_FUSION_GROUP_CONDITIONS_H

#include "fusion/plan/Plan.h"
#include "fusion/plan/Problem.h"

#include <optional>
#include <utility>
#include <vector>

namespace kfuse {

/// Returns why the conditions, of launches in one region, never hold together.
std::optional<Obstacle> whyNever(const Problem &problem,
                                 const std::vector<Condition> &conditions);

/// Returns the conditions that don't always hold.
std::vector<Condition> withoutCertain(const Problem &problem,
                                      const std::vector<Condition> &conditions);

/// Returns the numbers of the kernels whose conditions exclude those of another
/// kernel in their region that gains more, and why.
std::vector<std::pair<std::size_t, Obstacle>>
excludedKernels(const Problem &problem,
                const std::vector<FusedKernel> &kernels);

} // namespace kfuse

#endif
