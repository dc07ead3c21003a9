//===- WholeQuotients.cpp - Indices of rows that are found by bytes -------===//

#include "frontend/kernel/PolynomialArithmetic.h"

#include <bit>
#include <cstdlib>
#include <numeric>

namespace kfuse {

/// Returns the quotient of a parameter, or of a number that wraps: a multiple
/// of 2^k is 2^k times what wraps with k bits less.
std::optional<Polynomial>
KernelArithmetic::wholeQuotient(Symbol symbol, std::int64_t divisor) const {
  if (symbol.kind == SymbolKind::Parameter)
    return makeTerm(Terms, {TermKind::Divide,
                            WholeQuotient,
                            {Polynomial(symbol), Polynomial(divisor)}});
  if (symbol.kind != SymbolKind::Opaque ||
      Terms[symbol].kind != TermKind::Narrow ||
      !std::has_single_bit(static_cast<std::uint64_t>(divisor)))
    return std::nullopt;
  const Term term = Terms[symbol];
  const std::int64_t fewer =
      std::countr_zero(static_cast<std::uint64_t>(divisor));
  const IndexExpr quotient = divideAligned(term.operands[0], divisor);
  const auto *number = std::get_if<Polynomial>(&quotient);
  if (!number || std::abs(term.detail) <= fewer)
    return std::nullopt;
  return makeTerm(Terms, {TermKind::Narrow,
                          term.detail + (term.detail < 0 ? fewer : -fewer),
                          {*number}});
}

IndexExpr KernelArithmetic::divideAligned(const IndexExpr &value,
                                          std::int64_t divisor) const {
  const auto *polynomial = std::get_if<Polynomial>(&value);
  if (!polynomial || divisor <= 0)
    return value;
  IndexExpr result = Polynomial{};
  for (const auto &[monomial, coefficient] : polynomial->terms()) {
    const std::int64_t shared = std::gcd(coefficient, divisor);
    bool isDivided = shared == divisor;
    IndexExpr part = Polynomial(coefficient / shared);
    for (const Symbol symbol : monomial) {
      const auto quotient =
          isDivided ? std::nullopt : wholeQuotient(symbol, divisor / shared);
      part = multiply(part, quotient ? *quotient : Polynomial(symbol));
      isDivided |= quotient.has_value();
    }
    if (!isDivided)
      return NotPolynomial::Unsupported;
    result = add(result, part);
  }
  return result;
}

} // namespace kfuse
