//===- Rebuild.h - A partition of another problem -------------------------===//
#ifndef KFUSE_GA_GENETIC_REBUILD_H
#define KFUSE_GA_GENETIC_REBUILD_H

#include "ga/groups/Grouping.h"

namespace kfuse {

/// The groups of a partition as far as they are legal; of others, what of their
/// items goes together, in order.
Grouping rebuild(const Partition &wanted, Costs &costs);

} // namespace kfuse

#endif
