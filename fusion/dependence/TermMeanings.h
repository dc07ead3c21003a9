//===- TermMeanings.h - What operators say of their operands --------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_TERMMEANINGS_H
#define KFUSE_FUSION_DEPENDENCE_TERMMEANINGS_H

#include "fusion/dependence/KnownFacts.h"
#include "fusion/dependence/Statements.h"

#include <vector>

namespace kfuse {

/// The statement without comparisons and operators of logic, as far as one step
/// leads; itself where none does.
Statements meaningOf(const Constraint &statement, const TermTable &terms);

/// The terms in the polynomials and in their operands, as far as a limit goes.
std::vector<Symbol> termsIn(const std::vector<Polynomial> &polynomials,
                            const TermTable &terms);

/// Adds to sums that are at least 0 what their terms and products are.
void addMeanings(std::vector<Polynomial> &sums, const KnownFacts &facts);

/// What a term may be, case by case; empty where there is one case only.
std::vector<Guard> casesOf(Symbol term, const KnownFacts &facts);

} // namespace kfuse

#endif
