//===- Inequalities.cpp - Sums that can't all be at least 0 ---------------===//
//
// Fourier's and Motzkin's elimination: two sums, in one of which a product has
// a positive coefficient and in the other a negative one, bound a sum without
// it. As all are integers, each sum is divided by what its coefficients have in
// common, and its constant rounded.
//
//===----------------------------------------------------------------------===//

#include "fusion/dependence/Inequalities.h"

#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace kfuse {
namespace {

/// More sums than this are too many to go on.
constexpr std::size_t MostSums = 160;

/// Sums that are at least 0: the least constant of each varying part.
using Sums = std::map<Polynomial, std::int64_t>;

std::int64_t floorOf(std::int64_t dividend, std::int64_t divisor) {
  const std::int64_t quotient = dividend / divisor;
  return quotient - (dividend % divisor < 0 ? 1 : 0);
}

/// Adds `sum`. Returns false if it is below 0 whatever its products are.
bool addSum(Sums &sums, const Polynomial &sum) {
  std::int64_t common = 0, constant = 0;
  for (const auto &[monomial, coefficient] : sum.terms()) {
    if (coefficient == INT64_MIN)
      return true;
    if (monomial.empty())
      constant = coefficient;
    else
      common = std::gcd(common, coefficient);
  }
  if (common == 0)
    return constant >= 0;
  const auto varying = subtract(sum, Polynomial(constant));
  const auto part =
      varying ? divideExactly(*varying, Polynomial(common)) : std::nullopt;
  if (!part)
    return true;
  const auto [place, isNew] =
      sums.try_emplace(*part, floorOf(constant, common));
  if (!isNew)
    place->second = std::min(place->second, floorOf(constant, common));
  return true;
}

std::int64_t coefficientOf(const Polynomial &sum, const Monomial &product) {
  const auto found = sum.terms().find(product);
  return found == sum.terms().end() ? 0 : found->second;
}

/// Returns the product whose elimination makes the fewest sums.
std::optional<Monomial> nextProduct(const Sums &sums) {
  std::map<Monomial, std::pair<std::size_t, std::size_t>> counts;
  for (const auto &[sum, constant] : sums)
    for (const auto &[monomial, coefficient] : sum.terms())
      ++(coefficient > 0 ? counts[monomial].first : counts[monomial].second);
  std::optional<Monomial> best;
  std::size_t fewest = MostSums;
  for (const auto &[monomial, count] : counts)
    if (count.first * count.second < fewest) {
      fewest = count.first * count.second;
      best = monomial;
    }
  return best;
}

/// Combines the two sums into one without the product.
std::optional<Polynomial> combined(const Polynomial &one,
                                   const Polynomial &other,
                                   const Monomial &product) {
  const std::int64_t a = coefficientOf(one, product);
  const std::int64_t b = -coefficientOf(other, product);
  const std::int64_t common = std::gcd(a, b);
  const auto left = multiply(one, Polynomial(b / common));
  const auto right = multiply(other, Polynomial(a / common));
  return left && right ? add(*left, *right) : std::nullopt;
}

} // namespace

bool haveNoSolution(const std::vector<Polynomial> &notNegative) {
  Sums sums;
  for (const Polynomial &sum : notNegative)
    if (!addSum(sums, sum))
      return true;
  while (const auto product = nextProduct(sums)) {
    std::vector<Polynomial> above, below;
    Sums rest;
    for (const auto &[varying, constant] : sums) {
      const std::int64_t coefficient = coefficientOf(varying, *product);
      if (coefficient == 0)
        rest.emplace(varying, constant);
      else if (const auto sum = add(varying, Polynomial(constant)))
        (coefficient > 0 ? above : below).push_back(*sum);
    }
    for (const Polynomial &one : above)
      for (const Polynomial &other : below)
        // Sums that overflow are left out, which only leaves more solutions.
        if (const auto sum = combined(one, other, *product);
            sum && !addSum(rest, *sum))
          return true;
    if (rest.size() > MostSums)
      return false;
    sums = std::move(rest);
  }
  return false;
}

} // namespace kfuse
