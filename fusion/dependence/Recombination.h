//===- Recombination.h - Quotients put together again ---------------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_RECOMBINATION_H
#define KFUSE_FUSION_DEPENDENCE_RECOMBINATION_H

#include "graphs/program/Kernel.h"
#include "graphs/program/Polynomial.h"
#include "graphs/program/Terms.h"

#include <optional>

namespace kfuse {

/// A quotient with nested quotients multiplied out: (a/b)/c is a/(b*c).
struct Quotient {
  Polynomial dividend, divisor;
  bool operator==(const Quotient &) const = default;
};

std::optional<Quotient> flatten(Polynomial dividend, Polynomial divisor,
                                const TermTable &terms);

/// Rewrites `c*d*(x/d) + c*(x%d)` as `c*x`.
Polynomial recombine(Polynomial polynomial, const TermTable &terms);

} // namespace kfuse

#endif
