//===- Crossover.h - The best choice of known groups ----------------------===//
#ifndef KFUSE_GA_GENETIC_CROSSOVER_H
#define KFUSE_GA_GENETIC_CROSSOVER_H

#include "ga/groups/GroupPool.h"

namespace kfuse {

/// Crosses the child with the whole pool. The child, a copy of its parent, gets
/// the best choice of the pool's groups, and of ones much like these, in place
/// of its groups within the window. Returns the items of what was replaced;
/// none if nothing better was found.
ItemSet recombine(Grouping &child, const GroupPool &pool, const ItemSet &window,
                  Costs &costs);

} // namespace kfuse

#endif
