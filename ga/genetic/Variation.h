//===- Variation.h - Crossover and mutation -------------------------------===//
#ifndef KFUSE_GA_GENETIC_VARIATION_H
#define KFUSE_GA_GENETIC_VARIATION_H

#include "ga/groups/GroupPool.h"
#include "ga/problem/Random.h"

namespace kfuse {

/// About so many items that are close to each other: kin of kin of one.
ItemSet randomWindow(const Relations &relations, std::size_t size,
                     Random &random);

/// Takes apart the groups that lie within the items; returns what was in them.
ItemSet dissolve(Grouping &grouping, Costs &costs, const ItemSet &items);

/// Crossover with everybody: the child, a copy of its mother, gets the best
/// choice of groups of the pool, and of such that are much like these, in place
/// of its groups that lie within the window. Returns the items of what was
/// replaced; none where nothing better was found.
ItemSet recombine(Grouping &child, const GroupPool &pool, const ItemSet &window,
                  Costs &costs);

} // namespace kfuse

#endif
