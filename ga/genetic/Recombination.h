//===- Recombination.h - The best choice of known groups ------------------===//
#ifndef KFUSE_GA_GENETIC_RECOMBINATION_H
#define KFUSE_GA_GENETIC_RECOMBINATION_H

#include "ga/groups/GroupPool.h"

namespace kfuse {

/// Crossover with everybody: the child, a copy of its parent, gets the best
/// choice of groups of the pool, and of such that are much like these, in place
/// of its groups that lie within the window. Returns the items of what was
/// replaced; none where nothing better was found.
ItemSet recombine(Grouping &child, const GroupPool &pool, const ItemSet &window,
                  Costs &costs);

} // namespace kfuse

#endif
