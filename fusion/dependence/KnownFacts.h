//===- KnownFacts.h - What is known about the values of symbols -----------===//
//
// A one-sided prover: from the ranges of coordinates and the positive host
// values it shows that a polynomial is never negative, or says nothing.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_KNOWNFACTS_H
#define KFUSE_FUSION_DEPENDENCE_KNOWNFACTS_H

#include "graphs/program/Program.h"

#include <set>
#include <vector>

namespace kfuse {

/// The facts that a proof may use. The tables outlive them.
struct KnownFacts {
  const TermTable *terms = nullptr;
  const std::vector<HostValue> *values = nullptr;
  std::set<Symbol> positive;           ///< at least 1, beyond their kind
  std::vector<Polynomial> notNegative; ///< assumed >= 0
};

bool isNonNegative(const KnownFacts &facts, Symbol symbol);
bool isPositive(const KnownFacts &facts, Symbol symbol);

/// Returns true only if `polynomial` is at least 0 for every value of its
/// symbols.
bool provesNonNegative(const KnownFacts &facts, const Polynomial &polynomial);
/// Returns true only if it is at least 1.
bool provesPositive(const KnownFacts &facts, const Polynomial &polynomial);

} // namespace kfuse

#endif
