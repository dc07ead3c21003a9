//===- Windows.h - Parts of an individual, and dissolving -----------------===//
#ifndef KFUSE_GA_GENETIC_WINDOWS_H
#define KFUSE_GA_GENETIC_WINDOWS_H

#include "ga/groups/GroupPool.h"
#include "ga/problem/Random.h"

namespace kfuse {

/// Returns about `size` items that are close to each other: kin of kin of one.
ItemSet randomWindow(const Relations &relations, std::size_t size,
                     Random &random);

/// Takes apart the groups that lie within the items; returns what was in them.
ItemSet dissolve(Grouping &grouping, Costs &costs, const ItemSet &items);

} // namespace kfuse

#endif
