//===- Contradictions.h - What can't be true together ---------------------===//
//
// Decides conjunctions of statements about host values: sums and products,
// quotients, remainders, minima, choices. One-sided: what isn't found to be a
// contradiction may be one.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_CONTRADICTIONS_H
#define KFUSE_FUSION_DEPENDENCE_CONTRADICTIONS_H

#include "fusion/dependence/KnownFacts.h"
#include "fusion/dependence/Statements.h"

namespace kfuse {

/// Checks whether no values of the symbols make the statements and the facts
/// true. Gives up when `effort`, the attempts that are left, comes to 0.
bool isContradiction(const Statements &statements, const KnownFacts &facts,
                     unsigned *effort = nullptr);

} // namespace kfuse

#endif
