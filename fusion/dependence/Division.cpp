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

namespace {

using PolynomialTerm = std::pair<Monomial, std::int64_t>;

/// Returns the term of the largest monomial: of the highest degree, and in the
/// order of its symbols.
PolynomialTerm leadOf(const Polynomial &polynomial) {
  PolynomialTerm lead{{}, 0};
  for (const auto &[monomial, coefficient] : polynomial.terms())
    if (lead.second == 0 || monomial.size() > lead.first.size() ||
        (monomial.size() == lead.first.size() && lead.first < monomial))
      lead = {monomial, coefficient};
  return lead;
}

} // namespace

std::optional<Division> divideBySum(const Polynomial &dividend,
                                    const Polynomial &divisor) {
  if (divisor.terms().size() < 2)
    return divide(dividend, divisor);
  const auto [factors, factor] = leadOf(divisor);
  Division division;
  Polynomial left = dividend;
  // Each step takes away the largest term of what is left.
  while (!left.isZero()) {
    const auto [monomial, coefficient] = leadOf(left);
    const std::optional<Monomial> ratio = without(monomial, factors);
    const bool isTaken = ratio && coefficient % factor == 0;
    const Polynomial part(isTaken ? *ratio : monomial,
                          isTaken ? coefficient / factor : coefficient);
    Polynomial &sum = isTaken ? division.quotient : division.rest;
    auto more = add(sum, part);
    auto taken = isTaken ? multiply(part, divisor) : std::optional(part);
    auto fewer = taken ? subtract(left, *taken) : std::nullopt;
    if (!more || !fewer)
      return std::nullopt;
    sum = std::move(*more);
    left = std::move(*fewer);
  }
  return division;
}

} // namespace kfuse
