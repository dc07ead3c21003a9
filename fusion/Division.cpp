//===- fusion/Division.cpp - Polynomials divided by a product -------------===//

#include "fusion/Division.h"

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

std::optional<Polynomial> product(std::int64_t coefficient,
                                  const Monomial &monomial) {
  std::optional<Polynomial> result = Polynomial(coefficient);
  for (Symbol symbol : monomial)
    result = result ? multiply(*result, Polynomial(symbol)) : std::nullopt;
  return result;
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
    const auto whole = product(times, left.value_or(Monomial{}));
    const auto part = product(coefficient - taken, monomial);
    auto quotient = whole ? add(division.quotient, *whole) : std::nullopt;
    auto rest = part ? add(division.rest, *part) : std::nullopt;
    if (!quotient || !rest)
      return std::nullopt;
    division = {std::move(*quotient), std::move(*rest)};
  }
  return division;
}

} // namespace kfuse
