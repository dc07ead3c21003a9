//===- Quotients.cpp - Quotients and remainders of coordinates ------------===//

#include "fusion/dependence/Quotients.h"

namespace kfuse {
namespace {

/// A quotient with nested quotients multiplied out: (a/b)/c is a/(b*c).
struct Quotient {
  Polynomial dividend, divisor;
  bool operator==(const Quotient &) const = default;
};

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

/// One step of `c*d*(x/d) + c*(x%d)` = `c*x`, which C++ guarantees.
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

std::optional<Digit> digitOf(Symbol symbol, const Stage &stage,
                             const AxisSplit &split, const TermTable &terms) {
  if (symbol.kind != SymbolKind::Opaque || !stage.hasOwnTerms ||
      terms.hasUnique(symbol) ||
      terms.dependsOn(symbol, SymbolKind::LoopCounter))
    return std::nullopt;
  const Term &term = terms[symbol];
  if ((term.kind != TermKind::Divide && term.kind != TermKind::Remainder) ||
      term.operands.size() != 2 || !varies(term.operands[0], terms) ||
      varies(term.operands[1], terms))
    return std::nullopt;
  const auto place = canonical(term.operands[0], stage, terms);
  auto dividend = place ? splitAxes(*place, stage, split) : std::nullopt;
  auto whole = flatten(term.operands[0], term.operands[1], terms);
  if (!dividend || !whole)
    return std::nullopt;
  return Digit{term.kind == TermKind::Remainder, std::move(*dividend),
               term.operands[1], std::move(whole->dividend),
               std::move(whole->divisor)};
}

std::optional<Polynomial>
apartFromBlocks(const Polynomial &value, const Stage &stage, TermTable &terms) {
  const Symbol block{SymbolKind::BlockIdx, 0};
  if (!stage.hasOwnTerms || stage.grid[0] == Polynomial(1) ||
      stage.block[0] == Polynomial(1))
    return value;
  const auto extent = [&](Symbol symbol) {
    return symbol == Symbol{SymbolKind::BlockDim, 0} &&
                   stage.block[0].asConstant()
               ? std::optional(stage.block[0])
               : std::nullopt;
  };
  return substitute(value, [&](Symbol symbol) -> std::optional<Polynomial> {
    if (symbol.kind != SymbolKind::Opaque)
      return std::nullopt;
    const Term term = terms[symbol];
    if ((term.kind != TermKind::Divide && term.kind != TermKind::Remainder) ||
        term.operands.size() != 2)
      return std::nullopt;
    const auto divisor = term.operands[1].asConstant();
    const auto dividend = substitute(term.operands[0], extent);
    const auto parts = dividend ? dividend->splitLinear(block) : std::nullopt;
    const auto step = parts ? parts->coefficient.asConstant() : std::nullopt;
    Facts facts;
    facts.terms = &terms;
    // Truncation rounds down where nothing is negative.
    if (!divisor || *divisor <= 0 || !step || *step <= 0 ||
        *step % *divisor != 0 || !provesNonNegative(facts, parts->rest))
      return std::nullopt;
    Polynomial own(
        terms.intern({term.kind, 0, {parts->rest, term.operands[1]}}));
    return term.kind == TermKind::Remainder
               ? std::optional(std::move(own))
               : add(own, *multiply(Polynomial(block),
                                    Polynomial(*step / *divisor)));
  });
}

} // namespace kfuse
