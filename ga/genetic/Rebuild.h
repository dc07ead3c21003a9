//===- Rebuild.h - A partition of another problem -------------------------===//
#ifndef KFUSE_GA_GENETIC_REBUILD_H
#define KFUSE_GA_GENETIC_REBUILD_H

#include "ga/groups/Grouping.h"

namespace kfuse {

/// Rebuilds the groups of a partition as far as they are legal. The items of an
/// illegal group are joined in order with those that they may share a group
/// with.
Grouping rebuild(const Partition &wanted, Costs &costs);

} // namespace kfuse

#endif
