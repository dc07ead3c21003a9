//===- Renamings.h - Updates that had better leave their array ------------===//
//
// A stencil's kernel reads an array at neighbours, a later one updates it: no
// fused kernel may do both, since a thread's neighbours may be late. Unless the
// update goes to another array.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_REWRITES_RENAMINGS_H
#define KFUSE_FUSION_REWRITES_RENAMINGS_H

#include "fusion/plan/Problem.h"
#include "graphs/program/Renaming.h"

#include <string>
#include <vector>

namespace kfuse {

/// Returns a renaming for each launch whose writes of a whole array keep it
/// from being fused with an earlier launch. The function must have an array
/// that could take them. That the pointers can be swapped is for
/// fusion/rewrites/Exchanges.h to prove.
std::vector<Renaming> renamings(const Problem &problem);

/// Says why the writes of `launch` to `array` can't go to another array; empty
/// if nothing is known to be in the way.
std::string renamingObstacle(const Problem &problem, LaunchId launch,
                             ArrayId array);

} // namespace kfuse

#endif
