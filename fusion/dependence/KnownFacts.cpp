//===- KnownFacts.cpp - What is known about the values of symbols ---------===//

#include "fusion/dependence/KnownFacts.h"

#include "fusion/dependence/Division.h"
#include "fusion/dependence/Varying.h"
#include "graphs/program/LaunchRanges.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace kfuse {

/// Proofs from some facts.
///
/// A question about a term becomes questions about its operands, and may need a
/// fact, which may mention terms again. Only facts about terms that were made
/// before the term count, as its operands were, so a proof comes to an end. The
/// answer about a term is the same wherever it is asked, and needs finding
/// once. Facts about what differs between threads or iterations don't count
/// either: in a term it has the names of the kernel's text, while in a fact it
/// has the group's.
class Prover {
public:
  explicit Prover(const KnownFacts &facts) : Known(facts) {}

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
    if (hasOnlyNonNegativeTerms(polynomial))
      return true;
    // Only what positive symbols leave over can make up for a negative term.
    const std::optional<Polynomial> shifted = aboveLeast(polynomial);
    return shifted && (hasOnlyNonNegativeTerms(*shifted) ||
                       isSumOfFacts(*shifted, polynomial));
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
    const bool answer = &answers == &Positive ? isPositiveTerm(term)
                        : &answers == &NonNegative
                            ? isNonNegativeTerm(term)
                            : provesPositive(term.operands[1]);
    Limit = outer;
    return answers[symbol.index] = answer;
  }

  bool isUsable(const Polynomial &known) const {
    if (Limit == NoLimit)
      return true;
    const std::vector<Symbol> symbols = known.symbols();
    return !varies(known, *Known.terms) &&
           std::all_of(symbols.begin(), symbols.end(), [this](Symbol symbol) {
             return symbol.kind != SymbolKind::Opaque || symbol.index < Limit;
           });
  }

  std::vector<Polynomial> usableOf(const std::vector<Polynomial> &facts) {
    std::vector<Polynomial> usable;
    for (const Polynomial &fact : facts)
      if (auto moved = isUsable(fact) ? aboveLeast(fact) : std::nullopt)
        usable.push_back(std::move(*moved));
    return usable;
  }

  const std::vector<Polynomial> &usableFacts() {
    const auto known = Usable.find(Limit);
    if (known != Usable.end())
      return known->second;
    std::vector<Polynomial> usable = usableOf(Known.notNegative);
    return Usable[Limit] = std::move(usable);
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

  /// Writes each positive symbol as one more than a non-negative one.
  std::optional<Polynomial> aboveLeast(const Polynomial &polynomial) {
    return substitute(polynomial,
                      [&](Symbol symbol) -> std::optional<Polynomial> {
                        if (!isPositive(symbol))
                          return std::nullopt;
                        return add(Polynomial(symbol), Polynomial(1));
                      });
  }

  /// Returns a term that may be negative, or nullptr: one of the most factors,
  /// since what a fact leaves over has fewer.
  const Polynomial::TermMap::value_type *
  negativeTerm(const Polynomial &polynomial) {
    const Polynomial::TermMap::value_type *found = nullptr;
    for (const auto &term : polynomial.terms())
      if ((!found || term.first.size() >= found->first.size()) &&
          (term.second < 0 || !isNonNegativeProduct(term.first)))
        found = &term;
    return found;
  }

  /// Returns the number that `value` is converted from, if conversion to an
  /// unsigned type can only add to it; otherwise `value`. So `nx + block.x - 1`
  /// is no more than what it wraps to, for an int nx.
  Polynomial beforeWrapping(const Polynomial &value) {
    const auto symbol = value.asSymbol();
    if (!symbol || symbol->kind != SymbolKind::Opaque)
      return value;
    const Term &term = (*Known.terms)[*symbol];
    if (term.kind != TermKind::Narrow || term.detail < 0)
      return value;
    Ranges ranges(*Known.terms, [this](Symbol each) {
      return Known.values ? rangeOfHostValue(*Known.values, each) : anyNumber();
    });
    const bool fits =
        ranges.of(term.operands[0]).most <= rangeOfNarrow(term).most;
    return fits ? term.operands[0] : value;
  }

  /// Adds facts of the terms in `polynomial`. The divisor d is positive, the
  /// dividend a may be negative. If threads agree on the quotient,
  /// a < d * (a / d) + d. If they agree on d, a % d < d.
  void addFactsOfTerms(const Polynomial &polynomial,
                       std::vector<Polynomial> &facts) {
    for (const Symbol symbol : polynomial.symbols()) {
      if (symbol.kind != SymbolKind::Opaque || !Known.terms ||
          symbol.index >= Known.terms->size() || symbol.index >= Limit)
        continue;
      const Term &term = (*Known.terms)[symbol];
      const bool isQuotient = term.kind == TermKind::Divide;
      if ((!isQuotient && term.kind != TermKind::Remainder) ||
          term.operands.size() != 2)
        continue;
      const Polynomial &divisor = term.operands[1];
      const Polynomial dividend =
          isQuotient ? beforeWrapping(term.operands[0]) : term.operands[0];
      // A proof in coordinates of the group can't mention those of the text.
      if (varies(isQuotient ? Polynomial(symbol) : divisor, *Known.terms) ||
          !ask(PositiveDivisor, symbol))
        continue;
      const auto whole =
          isQuotient ? multiply(Polynomial(symbol), divisor) : std::nullopt;
      const auto over = isQuotient ? whole ? subtract(*whole, dividend) : whole
                                   : subtract({}, Polynomial(symbol));
      const auto end = over ? add(*over, divisor) : over;
      if (auto fact = end ? subtract(*end, Polynomial(1)) : end)
        facts.push_back(std::move(*fact));
    }
  }

  /// Checks whether the polynomial is a sum of multiples of facts and of what
  /// is not negative. Each step takes the multiple of a fact that removes one
  /// term; the shortest sums are tried first, and only so many.
  bool isSumOfFacts(const Polynomial &shifted, const Polynomial &asked) {
    constexpr std::size_t MostSteps = 24, MostFacts = 3;
    std::vector<Polynomial> ofTerms;
    addFactsOfTerms(asked, ofTerms);
    std::vector<Polynomial> facts = usableOf(ofTerms);
    const std::vector<Polynomial> &others = usableFacts();
    facts.insert(facts.end(), others.begin(), others.end());
    struct Step {
      Polynomial left;
      std::size_t facts;
    };
    std::vector<Step> steps = {{shifted, 0}};
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Step now = steps[i];
      const auto *term = negativeTerm(now.left);
      for (const Polynomial &fact : facts)
        for (const auto &[monomial, coefficient] : fact.terms()) {
          auto rest = cancelled(now.left, *term, fact, monomial, coefficient);
          if (!rest)
            continue;
          if (!negativeTerm(*rest))
            return true;
          const bool isNew =
              std::none_of(steps.begin(), steps.end(), [&](const Step &known) {
                return known.left == *rest;
              });
          if (isNew && now.facts + 1 < MostFacts && steps.size() < MostSteps)
            steps.push_back({std::move(*rest), now.facts + 1});
        }
    }
    return false;
  }

  /// Returns a positive multiple of `polynomial` less a non-negative multiple
  /// of a fact whose term with `monomial` cancels `term`.
  std::optional<Polynomial>
  cancelled(const Polynomial &polynomial,
            const Polynomial::TermMap::value_type &term, const Polynomial &fact,
            const Monomial &monomial, std::int64_t coefficient) {
    const auto isLarge = [](std::int64_t value) {
      constexpr std::int64_t Most = std::int64_t{1} << 31;
      return value > Most || value < -Most;
    };
    // A constant takes part in any product, but makes up for none.
    if (monomial.empty() != term.first.empty() ||
        (coefficient < 0) != (term.second < 0) || isLarge(coefficient) ||
        isLarge(term.second))
      return std::nullopt;
    const auto others = without(term.first, monomial);
    if (!others || !isNonNegativeProduct(*others))
      return std::nullopt;
    const std::int64_t common = std::gcd(coefficient, term.second);
    const Polynomial times(*others, std::abs(term.second) / common);
    const auto taken = multiply(times, fact);
    const auto whole =
        multiply(polynomial, Polynomial(std::abs(coefficient) / common));
    return taken && whole ? subtract(*whole, *taken) : std::nullopt;
  }

  static constexpr std::uint32_t NoLimit = UINT32_MAX;

  const KnownFacts &Known;
  std::uint32_t Limit = NoLimit; ///< terms that facts may mention
  Answers Positive, NonNegative, PositiveDivisor;
  /// The facts that count, by limit, as aboveLeast() writes them.
  std::map<std::uint32_t, std::vector<Polynomial>> Usable;
};

Proofs::Proofs(const KnownFacts &facts)
    : Own(std::make_unique<Prover>(facts)) {}

Proofs::~Proofs() = default;

bool Proofs::nonNegative(const Polynomial &polynomial) const {
  return Own->provesNonNegative(polynomial);
}

bool Proofs::positive(const Polynomial &polynomial) const {
  return Own->provesPositive(polynomial);
}

bool isNonNegative(const KnownFacts &facts, Symbol symbol) {
  return Prover(facts).isNonNegative(symbol);
}

bool isPositive(const KnownFacts &facts, Symbol symbol) {
  return Prover(facts).isPositive(symbol);
}

bool provesNonNegative(const KnownFacts &facts, const Polynomial &polynomial) {
  return Prover(facts).provesNonNegative(polynomial);
}

bool provesPositive(const KnownFacts &facts, const Polynomial &polynomial) {
  return Prover(facts).provesPositive(polynomial);
}

} // namespace kfuse
