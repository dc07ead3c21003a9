//===- Generate.h - The fused program as text -----------------------------===//
//
//   Program, FusionPlan ──generate()──▶ the input with fused kernels
//
// The members' statements become one body, which stands after the last of them
// (MergedBody.h). If that can't be, each member's body becomes a `__device__`
// function, a *stage*, after its kernel or the `#include` that brings it. The
// fused `__global__` function stands behind its last member or, if they are in
// several namespaces, before the host function that launched them. The launches
// become one, and kernels that nothing launches any more are removed.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CODEGEN_GENERATE_H
#define KFUSE_CODEGEN_GENERATE_H

#include "fusion/plan/Measurements.h"
#include "fusion/plan/Plan.h"
#include "graphs/program/Program.h"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kfuse {

struct GenerateResult {
  /// Notes on groups, given as indices into FusionPlan::kernels.
  using Notes = std::vector<std::pair<std::size_t, ObstacleNote>>;

  std::string text;
  /// Groups that can't be written safely, as indices into FusionPlan::kernels,
  /// with the reason; their launches are left as they were.
  std::vector<std::pair<std::size_t, std::string>> refused;
  /// Notes on the host's checks: each follows a fused launch now, or stays
  /// before it for the reason given.
  Notes notes;
  /// The fused kernels' names, by index into FusionPlan::kernels. Kernels with
  /// the same text are one.
  std::map<std::size_t, std::string> names;
  /// Groups whose launches stay in calls (KeptCalls.h), as such indices.
  std::set<std::size_t> inCalls;
  /// Swaps of the plan in whose place nothing can be written; they are left as
  /// they were.
  std::vector<StepId> rejectedSwaps;
  /// Launches because of whose sums fused kernels isolate values. If their
  /// kernels said how these sums are contracted, no value would have to be.
  std::set<LaunchId> isolating;
};

struct GenerateOptions {
  bool keepsKernels = false; ///< those, too, that nothing launches any more
  ContractedKernels contracted;
};

/// Returns the input with the plan's fused kernels and a rewritten host. Every
/// byte that the plan doesn't concern is as it was. A plan of single kernels,
/// without swaps, leaves the input unchanged.
GenerateResult generate(const Program &program, const ExecutionGraph &order,
                        const FusionPlan &plan,
                        const GenerateOptions &options = {});

} // namespace kfuse

#endif
