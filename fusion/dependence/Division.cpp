//===- Division.cpp - Polynomials divided by a product --------------------===//

#include "fusion/dependence/Division.h"

#include <algorithm>

namespace kfuse {

std::optional<Monomial> without(Monomial monomial, const Monomial &factors) {
  for (Symbol factor : factors) {
    const auto found = std::find(monomial.begin(), monomial.end(), factor);
    if (found == monomial.end())
      return std::nullopt;
    monomial.erase(found);
  }
  return monomial;
}

std::optional<Division> divide(const Polynomial &dividend,
                               const Polynomial &divisor) {
  if (divisor.terms().size() != 1 || divisor.terms().begin()->second <= 0)
    return std::nullopt;
  const auto &[factors, factor] = *divisor.terms().begin();
  Division division;
  for (const auto &[monomial, coefficient] : dividend.terms()) {
    const std::optional<Monomial> left = without(monomial, factors);
    std::int64_t times = 0, taken = 0;
    if (left && (monomial.empty() || coefficient % factor == 0))
      times = coefficient / factor - (coefficient % factor < 0 ? 1 : 0);
    if (__builtin_mul_overflow(times, factor, &taken))
      return std::nullopt;
    auto quotient =
        add(division.quotient, Polynomial(left.value_or(Monomial{}), times));
    auto rest = add(division.rest, Polynomial(monomial, coefficient - taken));
    if (!quotient || !rest)
      return std::nullopt;
    division = {std::move(*quotient), std::move(*rest)};
  }
  return division;
}

} // namespace kfuse
