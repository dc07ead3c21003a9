//===- Fissions.h - Launches that had better be several -------------------===//
//
// A kernel with two outputs stays apart from a later one that may not be fused
// with what writes the first, though it could be fused with what writes the
// second. As two launches each is free to go where it gains.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_REWRITES_FISSIONS_H
#define KFUSE_FUSION_REWRITES_FISSIONS_H

#include "fusion/plan/Problem.h"
#include "graphs/program/FissionCandidate.h"

#include <vector>

namespace kfuse {

/// One for each launch that `plan` leaves apart from others with whose arrays
/// only some of its kernel's parts have to do. Pieces touch no common array of
/// which one of them writes anything. In the order of the program.
std::vector<Fission> fissions(const Problem &problem, const FusionPlan &plan,
                              const std::vector<FissionCandidate> &known);

/// Returns why the pieces can't be launches of their own; empty if they can.
std::string whyWhole(const Problem &problem,
                     const std::vector<FissionCandidate> &known,
                     const Fission &fission);

/// Joins the pieces of each that `plan` has in one kernel, or in none with
/// another launch that touches an array of theirs; those of one piece go.
/// `program` is the one with the fissions written out. Whether any was changed:
/// then the plan is of another program.
bool joinIdle(std::vector<Fission> &fissions, const Program &program,
              const FusionPlan &plan);

/// The groups of `plan`, which is of `program` with the fissions `before`, in
/// the one with `after`, of which each piece holds pieces of those: one whose
/// pieces were in several kernels is alone.
Groups regrouped(const std::vector<Fission> &before,
                 const std::vector<Fission> &after, const Program &program,
                 const FusionPlan &plan);

} // namespace kfuse

#endif
