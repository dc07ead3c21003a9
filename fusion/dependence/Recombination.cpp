//===- Recombination.cpp - Quotients put together again -------------------===//

#include "fusion/dependence/Recombination.h"

#include <utility>
#include <vector>

namespace kfuse {

std::optional<Quotient> flatten(Polynomial dividend, Polynomial divisor,
                                const TermTable &terms) {
  for (;;) {
    std::optional<Symbol> symbol = dividend.asSymbol();
    if (!symbol || symbol->kind != SymbolKind::Opaque ||
        terms[*symbol].kind != TermKind::Divide ||
        terms[*symbol].operands.size() != 2)
      return Quotient{std::move(dividend), std::move(divisor)};
    std::optional<Polynomial> product =
        multiply(divisor, terms[*symbol].operands[1]);
    if (!product)
      return std::nullopt;
    divisor = std::move(*product);
    dividend = terms[*symbol].operands[0];
  }
}

namespace {

/// Applies `c*d*(x/d) + c*(x%d)` = `c*x`, which C++ guarantees, once.
std::optional<Polynomial> recombineOnce(const Polynomial &polynomial,
                                        const TermTable &terms) {
  const std::vector<Symbol> symbols = polynomial.symbols();
  for (Symbol remainder : symbols) {
    if (remainder.kind != SymbolKind::Opaque ||
        terms[remainder].kind != TermKind::Remainder ||
        terms[remainder].operands.size() != 2)
      continue;
    const auto &operands = terms[remainder].operands;
    auto split = polynomial.splitLinear(remainder);
    auto wanted = flatten(operands[0], operands[1], terms);
    if (!split || !wanted)
      continue;
    auto needed = multiply(split->coefficient, operands[1]);
    auto whole = multiply(split->coefficient, operands[0]);
    if (!needed || !whole)
      continue;
    for (Symbol quotient : symbols) {
      if (quotient.kind != SymbolKind::Opaque ||
          terms[quotient].kind != TermKind::Divide ||
          terms[quotient].operands.size() != 2 ||
          flatten(terms[quotient].operands[0], terms[quotient].operands[1],
                  terms) != wanted)
        continue;
      auto rest = split->rest.splitLinear(quotient);
      if (rest && rest->coefficient == *needed)
        if (auto sum = add(rest->rest, *whole))
          return sum;
    }
  }
  return std::nullopt;
}

} // namespace

Polynomial recombine(Polynomial polynomial, const TermTable &terms) {
  if (!polynomial.mentions(SymbolKind::Opaque))
    return polynomial;
  while (auto simpler = recombineOnce(polynomial, terms))
    polynomial = std::move(*simpler);
  return polynomial;
}

} // namespace kfuse
