//===- KeptCalls.h - Calls of functions that fuse by themselves -----------===//
//
// A function's statements stand for a call of it, so that its launches can fuse
// with others. If each group of them is one that the function has too, the call
// does the same, and nothing has to be written twice.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CODEGEN_KEPTCALLS_H
#define KFUSE_CODEGEN_KEPTCALLS_H

#include "fusion/plan/Plan.h"
#include "graphs/program/Program.h"

#include <cstddef>
#include <map>
#include <set>
#include <string>

namespace kfuse {

/// Groups that can't be written, as indices into FusionPlan::kernels, with why.
using RefusedGroups = std::map<std::size_t, std::string>;

/// Calls that can stay, with all calls in their statements.
struct KeptCalls {
  std::set<std::size_t> replacements; ///< indices into Program::replaced
  /// The function's group by each one in their statements, as indices into
  /// FusionPlan::kernels.
  std::map<std::size_t, std::size_t> groups;
};

/// Returns the calls that can stay, except those at the indices `excluded`.
/// Groups at the indices `refused` aren't fused.
KeptCalls keptCalls(const Program &program, const FusionPlan &plan,
                    const RefusedGroups &refused,
                    const std::set<std::size_t> &excluded);

} // namespace kfuse

#endif
