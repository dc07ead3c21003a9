//===- Conditions.h - Run-time tests that are worth writing ---------------===//
//
// What the host would have to test is decided beforehand, as far as it can be:
// from the values, from what was tested on the way to the launches, and from
// what the input gives its variables. A group whose tests can't hold together
// is none; what always holds needs no test.
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

/// Why the conditions, of launches in one region, never hold together.
std::optional<Obstacle> whyNever(const Problem &problem,
                                 const std::vector<Condition> &conditions);

/// The conditions that don't always hold.
std::vector<Condition> withoutCertain(const Problem &problem,
                                      const std::vector<Condition> &conditions);

/// Of two kernels in one region whose conditions exclude each other one is
/// enough: the numbers of those that gain less, and why.
std::vector<std::pair<std::size_t, Obstacle>>
excludedKernels(const Problem &problem,
                const std::vector<FusedKernel> &kernels);

} // namespace kfuse

#endif
