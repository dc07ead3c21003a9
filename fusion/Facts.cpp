//===- fusion/Facts.cpp - What is known about the values of symbols -------===//

#include "fusion/Facts.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace kfuse {
namespace {

/// One proof from some facts.
///
/// What is asked of a term is asked of its operands, and may need a fact, which
/// may mention terms again. Only facts about terms that were made before the
/// term count, as its operands were: so a proof comes to an end, and the answer
/// about a term is the same wherever it is asked and needs finding once.
class Prover {
public:
  explicit Prover(const Facts &facts) : Known(facts) {}

  bool isNonNegative(Symbol symbol) {
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
      if (ask(NonNegative, symbol))
        return true;
      break;
    case SymbolKind::Parameter:
    case SymbolKind::HostValue:
      break;
    }
    return isPositive(symbol);
  }

  bool isPositive(Symbol symbol) {
    if (Known.positive.contains(symbol))
      return true;
    switch (symbol.kind) {
    case SymbolKind::BlockDim:
    case SymbolKind::GridDim:
      return true;
    case SymbolKind::HostValue:
      return Known.values && symbol.index < Known.values->size() &&
             (*Known.values)[symbol.index].isPositive;
    case SymbolKind::Opaque:
      return ask(Positive, symbol);
    default:
      return false;
    }
  }

  bool provesNonNegative(const Polynomial &polynomial) {
    if (std::optional<std::int64_t> constant = polynomial.asConstant())
      return *constant >= 0;
    if (isSumOfNonNegatives(polynomial))
      return true;
    return std::any_of(Known.notNegative.begin(), Known.notNegative.end(),
                       [&](const Polynomial &known) {
                         if (!isUsable(known))
                           return false;
                         std::optional<Polynomial> rest =
                             subtract(polynomial, known);
                         return rest && isSumOfNonNegatives(*rest);
                       });
  }

  bool provesPositive(const Polynomial &polynomial) {
    std::optional<Polynomial> less = subtract(polynomial, Polynomial(1));
    return less && provesNonNegative(*less);
  }

private:
  using Answers = std::map<std::uint32_t, bool>; ///< by term

  bool ask(Answers &answers, Symbol symbol) {
    if (!Known.terms || symbol.index >= Known.terms->size())
      return false;
    const auto known = answers.find(symbol.index);
    if (known != answers.end())
      return known->second;
    const std::uint32_t outer = std::exchange(Limit, symbol.index);
    const Term &term = (*Known.terms)[symbol];
    const bool answer =
        &answers == &Positive ? isPositiveTerm(term) : isNonNegativeTerm(term);
    Limit = outer;
    return answers[symbol.index] = answer;
  }

  bool isUsable(const Polynomial &known) const {
    if (Limit == NoLimit)
      return true;
    const std::vector<Symbol> symbols = known.symbols();
    return std::all_of(symbols.begin(), symbols.end(), [this](Symbol symbol) {
      return symbol.kind != SymbolKind::Opaque || symbol.index < Limit;
    });
  }

  bool holdsForAll(const std::vector<Polynomial> &operands, std::size_t first) {
    return std::all_of(
        operands.begin() + static_cast<std::ptrdiff_t>(first), operands.end(),
        [&](const Polynomial &operand) { return provesNonNegative(operand); });
  }

  bool isNonNegativeTerm(const Term &term) {
    const auto &operands = term.operands;
    switch (term.kind) {
    case TermKind::Divide:
      return operands.size() == 2 && provesNonNegative(operands[0]) &&
             provesPositive(operands[1]);
    case TermKind::Remainder: // takes the sign of the dividend
      return operands.size() == 2 && provesNonNegative(operands[0]);
    case TermKind::Minimum:
      return !operands.empty() && holdsForAll(operands, 0);
    case TermKind::Maximum:
      return std::any_of(operands.begin(), operands.end(),
                         [&](const Polynomial &operand) {
                           return provesNonNegative(operand);
                         });
    case TermKind::ShiftRight:
      return operands.size() == 2 && provesNonNegative(operands[0]);
    case TermKind::BitAnd:
      return std::any_of(operands.begin(), operands.end(),
                         [&](const Polynomial &operand) {
                           return provesNonNegative(operand);
                         });
    case TermKind::Narrow:
      return term.detail > 0;
    case TermKind::Compare:
      return true;
    case TermKind::Select:
      return operands.size() == 3 && holdsForAll(operands, 1);
    case TermKind::BitOr:
    case TermKind::BitXor:
    case TermKind::ShiftLeft:
    case TermKind::Unique:
      break;
    }
    return false;
  }

  bool isPositiveTerm(const Term &term) {
    const auto &operands = term.operands;
    if (term.kind == TermKind::Maximum)
      return std::any_of(
          operands.begin(), operands.end(),
          [&](const Polynomial &operand) { return provesPositive(operand); });
    if (term.kind == TermKind::Minimum)
      return !operands.empty() && std::all_of(operands.begin(), operands.end(),
                                              [&](const Polynomial &operand) {
                                                return provesPositive(operand);
                                              });
    // The usual number of blocks: (n + 255) / 256 with n at least 1.
    if (term.kind == TermKind::Divide && operands.size() == 2 &&
        provesPositive(operands[1])) {
      std::optional<Polynomial> excess = subtract(operands[0], operands[1]);
      return excess && provesNonNegative(*excess);
    }
    return false;
  }

  bool isNonNegativeProduct(const Monomial &monomial) {
    for (std::size_t i = 0; i < monomial.size(); ++i) {
      // Symbols are sorted, so that squares stand together.
      if (i + 1 < monomial.size() && monomial[i] == monomial[i + 1])
        ++i;
      else if (!isNonNegative(monomial[i]))
        return false;
    }
    return true;
  }

  bool hasOnlyNonNegativeTerms(const Polynomial &polynomial) {
    return std::all_of(polynomial.terms().begin(), polynomial.terms().end(),
                       [&](const auto &term) {
                         return term.second > 0 &&
                                isNonNegativeProduct(term.first);
                       });
  }

  /// Whether every monomial is a non-negative product, if need be once each
  /// positive symbol is written as one more than a non-negative one.
  bool isSumOfNonNegatives(const Polynomial &polynomial) {
    if (hasOnlyNonNegativeTerms(polynomial))
      return true;
    // Only what positive symbols leave over can make up for a negative term.
    bool hasSpare = false;
    for (const auto &[monomial, coefficient] : polynomial.terms())
      hasSpare |=
          coefficient > 0 &&
          std::any_of(monomial.begin(), monomial.end(),
                      [&](Symbol symbol) { return isPositive(symbol); });
    if (!hasSpare)
      return false;
    std::optional<Polynomial> shifted =
        substitute(polynomial, [&](Symbol symbol) -> std::optional<Polynomial> {
          if (!isPositive(symbol))
            return std::nullopt;
          return add(Polynomial(symbol), Polynomial(1));
        });
    return shifted && hasOnlyNonNegativeTerms(*shifted);
  }

  static constexpr std::uint32_t NoLimit = UINT32_MAX;

  const Facts &Known;
  std::uint32_t Limit = NoLimit; ///< terms that facts may mention
  Answers Positive, NonNegative;
};

} // namespace

bool isNonNegative(const Facts &facts, Symbol symbol) {
  return Prover(facts).isNonNegative(symbol);
}

bool isPositive(const Facts &facts, Symbol symbol) {
  return Prover(facts).isPositive(symbol);
}

bool provesNonNegative(const Facts &facts, const Polynomial &polynomial) {
  return Prover(facts).provesNonNegative(polynomial);
}

bool provesPositive(const Facts &facts, const Polynomial &polynomial) {
  return Prover(facts).provesPositive(polynomial);
}

} // namespace kfuse
