//===- Quotients.cpp - Quotients and remainders of coordinates ------------===//

#include "fusion/dependence/Quotients.h"

#include "fusion/dependence/Coordinates.h"
#include "fusion/dependence/KnownFacts.h"
#include "fusion/dependence/Recombination.h"

namespace kfuse {

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
    KnownFacts facts;
    facts.terms = &terms;
    // Truncation rounds down if nothing is negative.
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
