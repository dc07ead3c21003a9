//===- Division.h - Polynomials divided by a product ----------------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_DIVISION_H
#define KFUSE_FUSION_DEPENDENCE_DIVISION_H

#include "graphs/program/Polynomial.h"

#include <optional>

namespace kfuse {

/// dividend == quotient * divisor + rest, a constant rest being at least 0 and
/// below the divisor. The divisor is one product of positive coefficient.
struct Division {
  Polynomial quotient, rest;
};
std::optional<Division> divide(const Polynomial &dividend,
                               const Polynomial &divisor);
/// Does the same for a divisor that may be a sum, `(nx + 2) * (ny + 2)` by
/// `nx + 2`. Nothing is known of the rest, unless the divisor is a product.
std::optional<Division> divideBySum(const Polynomial &dividend,
                                    const Polynomial &divisor);
/// Returns `monomial` without `factors`; nullopt if it lacks one of them.
std::optional<Monomial> without(Monomial monomial, const Monomial &factors);

} // namespace kfuse

#endif
