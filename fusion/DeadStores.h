//===- DeadStores.h - Stores that nobody reads ----------------------------===//
#ifndef KFUSE_FUSION_DEADSTORES_H
#define KFUSE_FUSION_DEADSTORES_H

#include "fusion/plan/Plan.h"
#include "fusion/plan/Problem.h"

namespace kfuse {

/// Drops the stores to arrays that the group writes and nobody ever reads.
void dropUnseenStores(const Problem &problem, FusedKernel &kernel);

} // namespace kfuse

#endif
