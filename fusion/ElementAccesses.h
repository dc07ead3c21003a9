//===- ElementAccesses.h - Accesses to what passes in a register ----------===//
//
// A thread that keeps a value in a register needn't store it each time that it
// changes, nor test whether it has one: `x = A[i]` first and `A[i] = x` last
// may do.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_ELEMENTACCESSES_H
#define KFUSE_FUSION_ELEMENTACCESSES_H

#include "fusion/plan/Plan.h"
#include "fusion/plan/Problem.h"

namespace kfuse {

/// Finds three things for each array that passes in registers:
/// - stores that a later member's always replace before anything reads them
///   (Placement::overwritten);
/// - whether one store would do for those that remain
///   (Placement::canStoreLast);
/// - a load that could come before all else (Placement::firstLoad).
void settleElementAccesses(const Problem &problem, FusedKernel &kernel);

} // namespace kfuse

#endif
