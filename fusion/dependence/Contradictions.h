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
/// true.
bool isContradiction(const Statements &statements, const KnownFacts &facts);

} // namespace kfuse

#endif
