//===- Polynomial.cpp - Integer polynomials over kernel symbols -----------===//

#include "graphs/program/Polynomial.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <set>

namespace kfuse {

Polynomial::Polynomial(std::int64_t constant) {
  if (constant != 0)
    Terms.emplace(Monomial{}, constant);
}

Polynomial::Polynomial(Symbol symbol) { Terms.emplace(Monomial{symbol}, 1); }

Polynomial::Polynomial(Monomial monomial, std::int64_t coefficient) {
  if (coefficient != 0)
    Terms.emplace(std::move(monomial), coefficient);
}

std::optional<std::int64_t> Polynomial::asConstant() const {
  if (Terms.empty())
    return 0;
  if (Terms.size() == 1 && Terms.begin()->first.empty())
    return Terms.begin()->second;
  return std::nullopt;
}

std::optional<Symbol> Polynomial::asSymbol() const {
  if (Terms.size() == 1 && Terms.begin()->second == 1 &&
      Terms.begin()->first.size() == 1)
    return Terms.begin()->first.front();
  return std::nullopt;
}

bool Polynomial::mentions(Symbol symbol) const {
  return std::any_of(Terms.begin(), Terms.end(), [&](const auto &term) {
    return std::binary_search(term.first.begin(), term.first.end(), symbol);
  });
}

bool Polynomial::mentions(SymbolKind kind) const {
  return std::any_of(Terms.begin(), Terms.end(), [&](const auto &term) {
    return std::any_of(term.first.begin(), term.first.end(),
                       [&](Symbol symbol) { return symbol.kind == kind; });
  });
}

std::vector<Symbol> Polynomial::symbols() const {
  std::set<Symbol> found;
  for (const auto &[monomial, coefficient] : Terms)
    found.insert(monomial.begin(), monomial.end());
  return {found.begin(), found.end()};
}

std::optional<Polynomial::LinearSplit>
Polynomial::splitLinear(Symbol symbol) const {
  LinearSplit split;
  for (const auto &[monomial, coefficient] : Terms) {
    auto [first, last] =
        std::equal_range(monomial.begin(), monomial.end(), symbol);
    if (first == last) {
      split.rest.Terms.emplace(monomial, coefficient);
      continue;
    }
    if (last - first > 1)
      return std::nullopt;
    Monomial others(monomial.begin(), first);
    others.insert(others.end(), last, monomial.end());
    split.coefficient.Terms.emplace(std::move(others), coefficient);
  }
  return split;
}

std::strong_ordering Polynomial::operator<=>(const Polynomial &other) const {
  return std::lexicographical_compare_three_way(
      Terms.begin(), Terms.end(), other.Terms.begin(), other.Terms.end(),
      [](const auto &lhs, const auto &rhs) {
        const std::strong_ordering order =
            std::lexicographical_compare_three_way(
                lhs.first.begin(), lhs.first.end(), rhs.first.begin(),
                rhs.first.end());
        return order != 0 ? order : lhs.second <=> rhs.second;
      });
}

/// Returns lhs + factor*rhs. The terms of both are sorted, and so are those of
/// the sum.
std::optional<Polynomial>
addMultiple(const Polynomial &lhs, const Polynomial &rhs, std::int64_t factor) {
  Polynomial sum;
  sum.Terms.reserve(lhs.Terms.size() + rhs.Terms.size());
  auto left = lhs.Terms.begin();
  for (const auto &[monomial, coefficient] : rhs.Terms) {
    for (; left != lhs.Terms.end() && left->first < monomial; ++left)
      sum.Terms.emplace_hint(sum.Terms.end(), *left);
    std::int64_t value = 0;
    if (__builtin_mul_overflow(coefficient, factor, &value))
      return std::nullopt;
    if (left != lhs.Terms.end() && left->first == monomial) {
      if (__builtin_add_overflow(left->second, value, &value))
        return std::nullopt;
      ++left;
    }
    if (value != 0)
      sum.Terms.emplace_hint(sum.Terms.end(), monomial, value);
  }
  for (; left != lhs.Terms.end(); ++left)
    sum.Terms.emplace_hint(sum.Terms.end(), *left);
  if (sum.Terms.size() > Polynomial::MostTerms)
    return std::nullopt;
  return sum;
}

std::optional<Polynomial> add(const Polynomial &lhs, const Polynomial &rhs) {
  return addMultiple(lhs, rhs, 1);
}

std::optional<Polynomial> subtract(const Polynomial &lhs,
                                   const Polynomial &rhs) {
  return addMultiple(lhs, rhs, -1);
}

std::optional<Polynomial> negated(const Polynomial &value) {
  return subtract(Polynomial{}, value);
}

std::pair<Polynomial, Polynomial> sidesOf(const Polynomial &difference) {
  std::pair<Polynomial, Polynomial> sides;
  for (const auto &[monomial, coefficient] : difference.terms()) {
    Polynomial &side = coefficient > 0 ? sides.first : sides.second;
    if (auto sum = add(side, Polynomial(monomial, std::abs(coefficient))))
      side = std::move(*sum);
  }
  return sides;
}

std::optional<Polynomial> multiply(const Polynomial &lhs,
                                   const Polynomial &rhs) {
  Polynomial product;
  for (const auto &[leftMonomial, leftCoefficient] : lhs.Terms)
    for (const auto &[rightMonomial, rightCoefficient] : rhs.Terms) {
      if (leftMonomial.size() + rightMonomial.size() > Polynomial::MostFactors)
        return std::nullopt;
      Monomial monomial;
      std::merge(leftMonomial.begin(), leftMonomial.end(),
                 rightMonomial.begin(), rightMonomial.end(),
                 std::back_inserter(monomial));
      std::int64_t coefficient = 0;
      const auto slot = product.Terms.try_emplace(std::move(monomial), 0).first;
      if (__builtin_mul_overflow(leftCoefficient, rightCoefficient,
                                 &coefficient) ||
          __builtin_add_overflow(slot->second, coefficient, &slot->second))
        return std::nullopt;
      if (slot->second == 0)
        product.Terms.erase(slot);
      if (product.Terms.size() > Polynomial::MostTerms)
        return std::nullopt;
    }
  return product;
}

std::optional<QuotientAndRemainder> longDivision(const Polynomial &dividend,
                                                 const Polynomial &divisor) {
  // In this order of terms the last of a product is the product of the last.
  const auto leading = [](const Polynomial &polynomial) {
    return *std::max_element(polynomial.terms().begin(),
                             polynomial.terms().end(),
                             [](const auto &one, const auto &two) {
                               return std::pair(one.first.size(), one.first) <
                                      std::pair(two.first.size(), two.first);
                             });
  };
  if (divisor.isZero())
    return std::nullopt;
  const auto [by, byCoefficient] = leading(divisor);
  QuotientAndRemainder result;
  Polynomial rest = dividend;
  while (!rest.isZero()) {
    const auto [monomial, coefficient] = leading(rest);
    if (byCoefficient == -1 &&
        coefficient == std::numeric_limits<std::int64_t>::min())
      return std::nullopt;
    const std::int64_t count = coefficient / byCoefficient;
    const bool holds =
        count != 0 &&
        std::includes(monomial.begin(), monomial.end(), by.begin(), by.end());
    Monomial others;
    if (holds)
      std::set_difference(monomial.begin(), monomial.end(), by.begin(),
                          by.end(), std::back_inserter(others));
    const Polynomial part(holds ? others : monomial,
                          holds ? count : coefficient);
    const auto product = holds ? multiply(part, divisor) : part;
    Polynomial &to = holds ? result.quotient : result.remainder;
    auto sum = add(to, part);
    auto less = product ? subtract(rest, *product) : std::nullopt;
    if (!sum || !less)
      return std::nullopt;
    to = std::move(*sum);
    rest = std::move(*less);
  }
  return result;
}

std::optional<Polynomial> divideExactly(const Polynomial &dividend,
                                        const Polynomial &divisor) {
  auto divided = longDivision(dividend, divisor);
  return divided && divided->remainder.isZero()
             ? std::optional(std::move(divided->quotient))
             : std::nullopt;
}

std::optional<Polynomial>
substitute(const Polynomial &polynomial,
           const std::function<std::optional<Polynomial>(Symbol)> &value) {
  Polynomial result;
  for (const auto &[monomial, coefficient] : polynomial.terms()) {
    std::optional<Polynomial> term(coefficient);
    Monomial others;
    for (Symbol symbol : monomial)
      if (const auto replaced = value(symbol)) {
        term = multiply(*term, *replaced);
        if (!term)
          return std::nullopt;
      } else {
        others.push_back(symbol);
      }
    term = multiply(*term, Polynomial(others, 1));
    std::optional<Polynomial> sum = term ? add(result, *term) : std::nullopt;
    if (!sum)
      return std::nullopt;
    result = std::move(*sum);
  }
  return result;
}

std::optional<std::int64_t>
evaluate(const Polynomial &polynomial,
         const std::function<std::optional<std::int64_t>(Symbol)> &value) {
  std::int64_t sum = 0;
  for (const auto &[monomial, coefficient] : polynomial.terms()) {
    std::int64_t term = coefficient;
    for (Symbol symbol : monomial) {
      std::optional<std::int64_t> factor = value(symbol);
      if (!factor || __builtin_mul_overflow(term, *factor, &term))
        return std::nullopt;
    }
    if (__builtin_add_overflow(sum, term, &sum))
      return std::nullopt;
  }
  return sum;
}

std::string print(const Polynomial &polynomial,
                  const std::function<std::string(Symbol)> &name) {
  if (polynomial.isZero())
    return "0";
  std::string text;
  auto append = [&](const Monomial &monomial, std::int64_t coefficient) {
    // Negated as unsigned: the smallest integer has no positive counterpart.
    auto magnitude = static_cast<std::uint64_t>(coefficient);
    if (coefficient < 0) {
      magnitude = 0 - magnitude;
      text += text.empty() ? "-" : " - ";
    } else if (!text.empty()) {
      text += " + ";
    }
    if (monomial.empty() || magnitude != 1)
      text += std::to_string(magnitude) + (monomial.empty() ? "" : "*");
    for (std::size_t i = 0; i < monomial.size(); ++i)
      text += (i == 0 ? "" : "*") + name(monomial[i]);
  };
  for (const auto &[monomial, coefficient] : polynomial.terms())
    if (!monomial.empty())
      append(monomial, coefficient);
  if (auto constant = polynomial.terms().find(Monomial{});
      constant != polynomial.terms().end())
    append(constant->first, constant->second);
  return text;
}

std::string print(const Polynomial &polynomial) {
  static constexpr std::array<const char *, 10> Names = {
      "threadIdx", "blockIdx", "blockDim", "gridDim", "globalIdx",
      "strideIdx", "loop",     "param",    "value",   "term"};
  return print(polynomial, [](Symbol symbol) {
    std::string text = Names[static_cast<std::size_t>(symbol.kind)];
    if (symbol.kind <= SymbolKind::StrideIdx) {
      text += '.';
      text += static_cast<char>('x' + symbol.index);
      return text;
    }
    return text + std::to_string(symbol.index);
  });
}

} // namespace kfuse
