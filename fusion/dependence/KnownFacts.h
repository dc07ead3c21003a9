//===- KnownFacts.h - What is known about the values of symbols -----------===//
//
// A one-sided prover: from the ranges of coordinates and the positive host
// values it shows that a polynomial is never negative, or says nothing.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_KNOWNFACTS_H
#define KFUSE_FUSION_DEPENDENCE_KNOWNFACTS_H

#include "graphs/program/Program.h"

#include <memory>
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

class Prover;

/// Proofs from the same facts, which must not change: each takes less time for
/// what those before it found.
class Proofs {
public:
  explicit Proofs(const KnownFacts &facts);
  Proofs(const Proofs &) = delete;
  Proofs &operator=(const Proofs &) = delete;
  ~Proofs();

  bool nonNegative(const Polynomial &polynomial) const;
  bool positive(const Polynomial &polynomial) const;

private:
  std::unique_ptr<Prover> Own;
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
