//===- TermMeanings.h - What operators say of their operands --------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_TERMMEANINGS_H
#define KFUSE_FUSION_DEPENDENCE_TERMMEANINGS_H

#include "fusion/dependence/KnownFacts.h"
#include "fusion/dependence/Statements.h"

#include <vector>

namespace kfuse {

/// Rewrites `statement` by one step towards statements without comparisons and
/// logical operators; returns it unchanged if there is no step.
Statements meaningOf(const Constraint &statement, const TermTable &terms);

/// Returns the terms in the polynomials and in their operands, up to a limit.
std::vector<Symbol> termsIn(const std::vector<Polynomial> &polynomials,
                            const TermTable &terms);

/// Adds to `sums`, which are at least 0, what their terms and products are.
void addMeanings(std::vector<Polynomial> &sums, const KnownFacts &facts);

/// Returns what `term` may be, case by case; empty if there is one case only.
std::vector<Guard> casesOf(Symbol term, const KnownFacts &facts);

} // namespace kfuse

#endif
