//===- Fissions.h - Launches that had better be several -------------------===//
//
// A kernel writes two outputs, and a later kernel may be fused with what writes
// the second but not with what writes the first. As one launch, the kernel
// stays apart from the later one. As two launches each is free to go where it
// gains.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_REWRITES_FISSIONS_H
#define KFUSE_FUSION_REWRITES_FISSIONS_H

#include "fusion/plan/Problem.h"
#include "graphs/program/FissionCandidate.h"

#include <vector>

namespace kfuse {

/// Returns a fission for each launch that `plan` leaves apart from others, if
/// only some of its kernel's parts share arrays with them. No piece writes an
/// array that another piece touches. In the order of the program.
std::vector<Fission> fissions(const Problem &problem, const FusionPlan &plan,
                              const std::vector<FissionCandidate> &known);

/// Returns why the pieces can't be launches of their own; empty if they can.
std::string whyWhole(const Problem &problem,
                     const std::vector<FissionCandidate> &known,
                     const Fission &fission);

/// Joins the pieces of each fission that `plan` has in one kernel, and those
/// whose kernels have no other launch that touches an array of theirs. Fissions
/// of one piece are dropped. `program` is the one with the fissions written
/// out. Returns whether any was changed, in which case `plan` is of another
/// program.
bool joinIdle(std::vector<Fission> &fissions, const Program &program,
              const FusionPlan &plan);

/// Returns the groups of `plan`, which is of `program` with the fissions
/// `before`, in the program with the fissions `after`. Each of the latter's
/// pieces holds whole pieces of `before`; a piece whose own were in several
/// kernels is in a group by itself.
Groups regrouped(const std::vector<Fission> &before,
                 const std::vector<Fission> &after, const Program &program,
                 const FusionPlan &plan);

} // namespace kfuse

#endif
