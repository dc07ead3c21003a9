//===- fusion/Facts.cpp - What is known about the values of symbols -------===//

#include "fusion/Facts.h"

#include <algorithm>

namespace kfuse {
namespace {

bool holdsForAll(const std::vector<Polynomial> &operands, std::size_t first,
                 const Facts &facts) {
  return std::all_of(operands.begin() + static_cast<std::ptrdiff_t>(first),
                     operands.end(), [&](const Polynomial &operand) {
                       return provesNonNegative(facts, operand);
                     });
}

bool isNonNegativeTerm(const Facts &facts, const Term &term) {
  const auto &operands = term.operands;
  switch (term.kind) {
  case TermKind::Divide:
    return operands.size() == 2 && provesNonNegative(facts, operands[0]) &&
           provesPositive(facts, operands[1]);
  case TermKind::Remainder: // takes the sign of the dividend
    return operands.size() == 2 && provesNonNegative(facts, operands[0]);
  case TermKind::Minimum:
    return !operands.empty() && holdsForAll(operands, 0, facts);
  case TermKind::Maximum:
    return std::any_of(operands.begin(), operands.end(),
                       [&](const Polynomial &operand) {
                         return provesNonNegative(facts, operand);
                       });
  case TermKind::ShiftRight:
    return operands.size() == 2 && provesNonNegative(facts, operands[0]);
  case TermKind::BitAnd:
    return std::any_of(operands.begin(), operands.end(),
                       [&](const Polynomial &operand) {
                         return provesNonNegative(facts, operand);
                       });
  case TermKind::Narrow:
    return term.detail > 0;
  case TermKind::Compare:
    return true;
  case TermKind::Select:
    return operands.size() == 3 && holdsForAll(operands, 1, facts);
  case TermKind::BitOr:
  case TermKind::BitXor:
  case TermKind::ShiftLeft:
  case TermKind::Unique:
    break;
  }
  return false;
}

bool isPositiveTerm(const Facts &facts, const Term &term) {
  const auto &operands = term.operands;
  if (term.kind == TermKind::Maximum)
    return std::any_of(operands.begin(), operands.end(),
                       [&](const Polynomial &operand) {
                         return provesPositive(facts, operand);
                       });
  if (term.kind == TermKind::Minimum)
    return !operands.empty() &&
           std::all_of(operands.begin(), operands.end(),
                       [&](const Polynomial &operand) {
                         return provesPositive(facts, operand);
                       });
  // The usual number of blocks: (n + 255) / 256 with n at least 1.
  if (term.kind == TermKind::Divide && operands.size() == 2 &&
      provesPositive(facts, operands[1])) {
    std::optional<Polynomial> excess = subtract(operands[0], operands[1]);
    return excess && provesNonNegative(facts, *excess);
  }
  return false;
}

/// The proof of something about the operands of the term that `symbol` stands
/// for. It leaves aside what is assumed of the term itself: to weigh that would
/// ask for the term's sign, and so for the operands', without end.
template <typename Proof>
bool proveOfOperands(const Facts &facts, Symbol symbol, const Proof &proof) {
  if (!facts.terms || symbol.index >= facts.terms->size())
    return false;
  const Term &term = (*facts.terms)[symbol];
  const auto isAboutTerm = [&](const Polynomial &known) {
    return known.mentions(symbol);
  };
  if (std::none_of(facts.notNegative.begin(), facts.notNegative.end(),
                   isAboutTerm))
    return proof(facts, term);
  Facts others = facts;
  std::erase_if(others.notNegative, isAboutTerm);
  return proof(others, term);
}

bool isNonNegativeProduct(const Facts &facts, const Monomial &monomial) {
  for (std::size_t i = 0; i < monomial.size(); ++i) {
    // Symbols are sorted, so that squares stand together.
    if (i + 1 < monomial.size() && monomial[i] == monomial[i + 1])
      ++i;
    else if (!isNonNegative(facts, monomial[i]))
      return false;
  }
  return true;
}

bool hasOnlyNonNegativeTerms(const Facts &facts, const Polynomial &polynomial) {
  return std::all_of(polynomial.terms().begin(), polynomial.terms().end(),
                     [&](const auto &term) {
                       return term.second > 0 &&
                              isNonNegativeProduct(facts, term.first);
                     });
}

/// Whether every monomial is a non-negative product, if need be once each
/// positive symbol is written as one more than a non-negative one.
bool isSumOfNonNegatives(const Facts &facts, const Polynomial &polynomial) {
  if (hasOnlyNonNegativeTerms(facts, polynomial))
    return true;
  // Only what positive symbols leave over can make up for a negative term.
  bool hasSpare = false;
  for (const auto &[monomial, coefficient] : polynomial.terms())
    hasSpare |=
        coefficient > 0 &&
        std::any_of(monomial.begin(), monomial.end(),
                    [&](Symbol symbol) { return isPositive(facts, symbol); });
  if (!hasSpare)
    return false;
  std::optional<Polynomial> shifted =
      substitute(polynomial, [&](Symbol symbol) -> std::optional<Polynomial> {
        if (!isPositive(facts, symbol))
          return std::nullopt;
        return add(Polynomial(symbol), Polynomial(1));
      });
  return shifted && hasOnlyNonNegativeTerms(facts, *shifted);
}

} // namespace

bool isNonNegative(const Facts &facts, Symbol symbol) {
  switch (symbol.kind) {
  case SymbolKind::ThreadIdx:
  case SymbolKind::BlockIdx:
  case SymbolKind::BlockDim:
  case SymbolKind::GridDim:
  case SymbolKind::GlobalIdx:
  case SymbolKind::StrideIdx:
  case SymbolKind::LoopCounter:
    return true;
  case SymbolKind::Opaque:
    if (proveOfOperands(facts, symbol, isNonNegativeTerm))
      return true;
    break;
  case SymbolKind::Parameter:
  case SymbolKind::HostValue:
    break;
  }
  return isPositive(facts, symbol);
}

bool isPositive(const Facts &facts, Symbol symbol) {
  if (facts.positive.contains(symbol))
    return true;
  switch (symbol.kind) {
  case SymbolKind::BlockDim:
  case SymbolKind::GridDim:
    return true;
  case SymbolKind::HostValue:
    return facts.values && symbol.index < facts.values->size() &&
           (*facts.values)[symbol.index].isPositive;
  case SymbolKind::Opaque:
    return proveOfOperands(facts, symbol, isPositiveTerm);
  default:
    return false;
  }
}

bool provesNonNegative(const Facts &facts, const Polynomial &polynomial) {
  if (std::optional<std::int64_t> constant = polynomial.asConstant())
    return *constant >= 0;
  if (isSumOfNonNegatives(facts, polynomial))
    return true;
  return std::any_of(facts.notNegative.begin(), facts.notNegative.end(),
                     [&](const Polynomial &known) {
                       std::optional<Polynomial> rest =
                           subtract(polynomial, known);
                       return rest && isSumOfNonNegatives(facts, *rest);
                     });
}

bool provesPositive(const Facts &facts, const Polynomial &polynomial) {
  std::optional<Polynomial> less = subtract(polynomial, Polynomial(1));
  return less && provesNonNegative(facts, *less);
}

} // namespace kfuse
