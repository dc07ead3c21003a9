//===- Contradictions.cpp - What can't be true together -------------------===//
//
// Equalities replace variables by values, and terms say what their operators
// do. Then either one statement is refuted by the others as facts, or all of
// them have no solution as linear inequalities. What is still open is tried
// case by case, as far as a limit goes.
//
//===----------------------------------------------------------------------===//

#include "fusion/dependence/Contradictions.h"

#include "fusion/dependence/Inequalities.h"
#include "fusion/dependence/TermMeanings.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

namespace kfuse {
namespace {

/// The most cases examined, nested ones included.
constexpr unsigned MostCases = 64;
/// The most statements that are tried to be refuted, in all of them.
constexpr unsigned MostRefutations = 4096;

/// Attempts that are left.
struct Effort {
  unsigned cases = 0, refutations = 0;
};

/// Facts that are taken into account.
constexpr std::size_t MostFacts = 32;

bool isFalse(const Constraint &statement) {
  const auto constant = statement.expression.asConstant();
  if (!constant)
    return false;
  switch (statement.relation) {
  case Relation::NonNegative:
    return *constant < 0;
  case Relation::Zero:
    return *constant != 0;
  case Relation::NonZero:
    return *constant == 0;
  case Relation::Unknown:
    break;
  }
  return false;
}

/// Returns the value with what was narrowed in place of each narrowed number,
/// and in `bits` the width to which they are the same.
std::optional<Polynomial> asWide(Polynomial value, const TermTable &terms,
                                 std::int64_t &bits) {
  constexpr unsigned MostNested = 8;
  for (unsigned i = 0; i < MostNested; ++i) {
    bool isNarrowed = false;
    const auto wide = [&](Symbol symbol) -> std::optional<Polynomial> {
      if (symbol.kind != SymbolKind::Opaque || symbol.index >= terms.size() ||
          terms[symbol].kind != TermKind::Narrow)
        return std::nullopt;
      isNarrowed = true;
      bits = std::min(bits, std::abs(terms[symbol].detail));
      return terms[symbol].operands.front();
    };
    auto replaced = substitute(value, wide);
    if (!replaced || !isNarrowed)
      return replaced;
    value = std::move(*replaced);
  }
  return std::nullopt;
}

/// Checks whether the value isn't even a multiple of what all of its terms are
/// multiples of: `c + 1` in 32 bits is never `c`, nor `2 * a + 1` ever `2 * b`.
bool isNeverZero(const Polynomial &value, const TermTable &terms) {
  constexpr std::int64_t MostBits = 62;
  std::int64_t bits = MostBits;
  const auto wide = asWide(value, terms, bits);
  if (!wide)
    return false;
  std::int64_t step = *wide == value ? 0 : std::int64_t{1} << bits, rest = 0;
  for (const auto &[monomial, coefficient] : wide->terms()) {
    if (coefficient == INT64_MIN) // has no absolute value
      return false;
    if (monomial.empty())
      rest = coefficient;
    else
      step = std::gcd(step, coefficient);
  }
  return step != 0 && rest % step != 0;
}

bool hasProduct(const Polynomial &sum) {
  return std::any_of(sum.terms().begin(), sum.terms().end(),
                     [](const auto &term) { return term.first.size() > 1; });
}

/// One line of reasoning: what is assumed in it.
class Case {
public:
  Case(const Statements &statements, const KnownFacts &facts, Effort &budget)
      : Open(statements), Known(facts), Budget(budget) {}

  bool isImpossible() {
    if (Budget.cases == 0 || Budget.refutations == 0)
      return false;
    --Budget.cases;
    if (!simplify())
      return true;
    if (isRefuted())
      return true;
    if (const auto choice = nextChoice())
      return std::all_of(
          choice->begin(), choice->end(), [this](const Guard &alternative) {
            Case inner = *this;
            inner.Open.all.insert(inner.Open.all.end(), alternative.begin(),
                                  alternative.end());
            return inner.isImpossible();
          });
    return false;
  }

private:
  /// Simplifies statements, and replaces variables by values. Returns false if
  /// a statement is false.
  bool simplify() {
    Guard simple;
    for (std::size_t i = 0; i < Open.all.size(); ++i) {
      Statements meaning = meaningOf(Open.all[i], *Known.terms);
      Open.choices.insert(Open.choices.end(),
                          std::make_move_iterator(meaning.choices.begin()),
                          std::make_move_iterator(meaning.choices.end()));
      if (meaning.all.size() == 1 && meaning.all.front() == Open.all[i])
        simple.push_back(Open.all[i]);
      else
        Open.all.insert(Open.all.end(), meaning.all.begin(), meaning.all.end());
    }
    Open.all = std::move(simple);
    while (const auto value = nextValue())
      if (!replace(value->first, value->second))
        return true; // it overflows: no statement is lost
    return std::none_of(
        Open.all.begin(), Open.all.end(), [this](const Constraint &one) {
          return isFalse(one) || (one.relation == Relation::Zero &&
                                  isNeverZero(one.expression, *Known.terms));
        });
  }

  std::optional<std::pair<Symbol, Polynomial>> nextValue() const {
    for (const Constraint &one : Open.all)
      if (one.relation == Relation::Zero)
        if (auto value = solve(one.expression))
          return value;
    return std::nullopt;
  }

  /// Solves the equation for a variable.
  std::optional<std::pair<Symbol, Polynomial>>
  solve(const Polynomial &zero) const {
    for (const Symbol symbol : zero.symbols()) {
      const bool isVariable = symbol.kind != SymbolKind::Opaque ||
                              (symbol.index < Known.terms->size() &&
                               (*Known.terms)[symbol].kind == TermKind::Unique);
      auto split = isVariable ? zero.splitLinear(symbol) : std::nullopt;
      if (!split)
        continue;
      const std::vector<Symbol> others = symbolsDeep(split->rest, *Known.terms);
      if (std::find(others.begin(), others.end(), symbol) != others.end())
        continue;
      if (split->coefficient == Polynomial(-1))
        return std::pair(symbol, std::move(split->rest));
      if (split->coefficient == Polynomial(1))
        if (auto value = negated(split->rest))
          return std::pair(symbol, std::move(*value));
    }
    return std::nullopt;
  }

  bool replace(Symbol symbol, const Polynomial &value) {
    const auto put = [&](Polynomial &polynomial) {
      const std::vector<Symbol> used = symbolsDeep(polynomial, *Known.terms);
      if (std::find(used.begin(), used.end(), symbol) == used.end())
        return true;
      if (!Own) {
        Own = std::make_shared<TermTable>(*Known.terms);
        Known.terms = Own.get();
      }
      auto replaced = substituteDeep(
          polynomial, *Own, [&](Symbol other) -> std::optional<Polynomial> {
            return other == symbol ? std::optional(value) : std::nullopt;
          });
      if (replaced)
        polynomial = std::move(*replaced);
      return replaced.has_value();
    };
    const auto putAll = [&](Guard &guard) {
      return std::all_of(guard.begin(), guard.end(),
                         [&](Constraint &one) { return put(one.expression); });
    };
    bool isDone = putAll(Open.all);
    for (std::vector<Guard> &choice : Open.choices)
      for (Guard &alternative : choice)
        isDone = putAll(alternative) && isDone;
    return isDone;
  }

  /// Checks whether the statements, as sums that are at least 0, and the
  /// meanings of their terms exclude each other.
  bool isRefuted() {
    std::vector<Polynomial> sums;
    for (const Constraint &one : Open.all) {
      if (one.relation == Relation::NonNegative ||
          one.relation == Relation::Zero)
        sums.push_back(one.expression);
      if (auto other = negated(one.expression);
          other && one.relation == Relation::Zero)
        sums.push_back(std::move(*other));
    }
    Known.notNegative = sums;
    addMeanings(sums, Known);
    if (haveNoSolution(sums))
      return true;
    // Products of statements: by the prover, one statement at a time.
    for (std::size_t i = 0; i < Known.notNegative.size(); ++i) {
      // The inequalities tell all of sums without products.
      if (!hasProduct(Known.notNegative[i]))
        continue;
      if (Budget.refutations == 0)
        return false;
      --Budget.refutations;
      KnownFacts others = Known;
      others.notNegative.erase(others.notNegative.begin() +
                               static_cast<std::ptrdiff_t>(i));
      const auto less = negated(Known.notNegative[i]);
      if (less && provesPositive(others, *less))
        return true;
    }
    return false;
  }

  std::optional<std::vector<Guard>> nextChoice() {
    if (!Open.choices.empty()) {
      std::vector<Guard> next = std::move(Open.choices.back());
      Open.choices.pop_back();
      return next;
    }
    std::vector<Polynomial> used;
    for (const Constraint &one : Open.all)
      used.push_back(one.expression);
    for (const Symbol term : termsIn(used, *Known.terms)) {
      if (Tried.count(term) != 0)
        continue;
      Tried.insert(term);
      if (auto cases = casesOf(term, Known); !cases.empty())
        return cases;
    }
    return std::nullopt;
  }

  Statements Open;
  KnownFacts Known;
  std::set<Symbol> Tried; ///< terms whose cases were told apart
  Effort &Budget;
  /// The terms, and those that replacing variables made: every case only adds
  /// to them.
  std::shared_ptr<TermTable> Own;
};

/// Returns the statements of `facts` that have to do with `statements`,
/// directly or through others.
Guard related(const Statements &statements, const KnownFacts &facts) {
  std::vector<Constraint> open;
  for (const Polynomial &value : facts.notNegative)
    open.push_back({Relation::NonNegative, value});
  for (const Symbol symbol : facts.positive)
    if (auto room = subtract(Polynomial(symbol), Polynomial(1)))
      open.push_back({Relation::NonNegative, std::move(*room)});
  std::set<Symbol> used;
  const auto use = [&](const Guard &guard) {
    for (const Constraint &one : guard)
      for (const Symbol symbol : symbolsDeep(one.expression, *facts.terms))
        used.insert(symbol);
  };
  use(statements.all);
  for (const std::vector<Guard> &choice : statements.choices)
    std::for_each(choice.begin(), choice.end(), use);
  Guard found;
  for (bool isMore = true; isMore && found.size() < MostFacts;) {
    isMore = false;
    for (auto one = open.begin(); one != open.end();) {
      const std::vector<Symbol> symbols =
          symbolsDeep(one->expression, *facts.terms);
      if (std::none_of(symbols.begin(), symbols.end(), [&](Symbol symbol) {
            return used.count(symbol) != 0;
          })) {
        ++one;
        continue;
      }
      used.insert(symbols.begin(), symbols.end());
      found.push_back(std::move(*one));
      one = open.erase(one);
      isMore = true;
    }
  }
  for (const Symbol symbol : used)
    if (symbol.kind == SymbolKind::HostValue && isPositive(facts, symbol) &&
        facts.positive.count(symbol) == 0)
      if (auto room = subtract(Polynomial(symbol), Polynomial(1)))
        found.push_back({Relation::NonNegative, std::move(*room)});
  return found;
}

} // namespace

bool isContradiction(const Statements &statements, const KnownFacts &facts,
                     unsigned *effort) {
  Statements all = statements;
  const Guard more = related(statements, facts);
  all.all.insert(all.all.end(), more.begin(), more.end());
  Effort budget{MostCases, effort ? *effort : MostRefutations};
  const bool isFound = Case(all, facts, budget).isImpossible();
  if (effort)
    *effort = budget.refutations;
  return isFound;
}

} // namespace kfuse
