//===- ga/Variation.h - Crossover and mutation ----------------------------===//
#ifndef KFUSE_GA_VARIATION_H
#define KFUSE_GA_VARIATION_H

#include "ga/Grouping.h"
#include "ga/Random.h"

namespace kfuse {

/// About so many items that are close to each other: kin of kin of one.
ItemSet randomWindow(const Relations &relations, std::size_t size,
                     Random &random);

/// Takes apart the groups that lie within the items; returns what was in them.
ItemSet dissolve(Grouping &grouping, Costs &costs, const ItemSet &items);

/// Within the window the child, a copy of its mother, gets groups of both: in
/// turn from each parent the one with the best relative saving whose items are
/// free. What is left stays alone. Returns the items that were free.
ItemSet crossOver(Grouping &child, const Grouping &mother,
                  const Grouping &father, const ItemSet &window, Costs &costs,
                  Random &random);

} // namespace kfuse

#endif
