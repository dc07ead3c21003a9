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
    return false;
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

/// Whether every monomial is a non-negative product once each positive symbol
/// is written as one more than a non-negative one.
bool isSumOfNonNegatives(const Facts &facts, const Polynomial &polynomial) {
  std::optional<Polynomial> shifted =
      substitute(polynomial, [&](Symbol symbol) -> std::optional<Polynomial> {
        if (!isPositive(facts, symbol))
          return std::nullopt;
        return add(Polynomial(symbol), Polynomial(1));
      });
  if (!shifted)
    return false;
  auto isSquare = [](const Monomial &monomial) {
    for (std::size_t i = 0; i + 1 < monomial.size(); i += 2)
      if (monomial[i] != monomial[i + 1])
        return false;
    return monomial.size() % 2 == 0;
  };
  return std::all_of(
      shifted->terms().begin(), shifted->terms().end(), [&](const auto &term) {
        return term.second > 0 &&
               (isSquare(term.first) ||
                std::all_of(term.first.begin(), term.first.end(),
                            [&](Symbol symbol) {
                              return isNonNegative(facts, symbol);
                            }));
      });
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
    if (facts.terms && symbol.index < facts.terms->size() &&
        isNonNegativeTerm(facts, (*facts.terms)[symbol]))
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
    return facts.terms && symbol.index < facts.terms->size() &&
           isPositiveTerm(facts, (*facts.terms)[symbol]);
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
