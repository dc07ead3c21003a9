//===- DeadStores.h - Stores that nobody reads ----------------------------===//
#ifndef KFUSE_FUSION_DEADSTORES_H
#define KFUSE_FUSION_DEADSTORES_H

#include "fusion/plan/Plan.h"
#include "fusion/plan/Problem.h"

namespace kfuse {

/// Drops the stores to arrays that the group writes and nobody ever reads.
void dropUnseenStores(const Problem &problem, FusedKernel &kernel);

/// Drops the stores of a member whose value passes in a register, if a later
/// member always stores to the same element and nothing reads it in memory
/// before (Placement::overwritten).
void dropOverwrittenStores(const Problem &problem, FusedKernel &kernel);

} // namespace kfuse

#endif
