//===- Group.cpp - A group while its legality is being decided ------------===//

#include "fusion/group/Group.h"

#include <algorithm>

namespace kfuse {
namespace {

bool mentionsDeep(const Polynomial &polynomial, Symbol symbol,
                  const TermTable &terms) {
  const std::vector<Symbol> symbols = symbolsDeep(polynomial, terms);
  return std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
}

/// Solves `difference` == 0 for one of its symbols.
std::optional<std::pair<Symbol, Polynomial>> solve(const Polynomial &difference,
                                                   const TermTable &terms) {
  for (Symbol symbol : difference.symbols()) {
    if (symbol.kind != SymbolKind::HostValue &&
        symbol.kind != SymbolKind::Opaque)
      continue;
    auto split = difference.splitLinear(symbol);
    if (!split || mentionsDeep(split->rest, symbol, terms))
      continue;
    if (split->coefficient == Polynomial(-1))
      return std::pair(symbol, std::move(split->rest));
    if (split->coefficient == Polynomial(1))
      if (auto value = subtract(Polynomial{}, split->rest))
        return std::pair(symbol, std::move(*value));
  }
  return std::nullopt;
}

std::optional<Polynomial> replace(const Polynomial &polynomial, Symbol symbol,
                                  const Polynomial &value, TermTable &terms) {
  return substituteDeep(polynomial, terms,
                        [&](Symbol used) -> std::optional<Polynomial> {
                          if (used == symbol)
                            return value;
                          return std::nullopt;
                        });
}

Stage rewritten(Stage stage, Symbol symbol, const Polynomial &value,
                TermTable &terms) {
  // An extent that overflows keeps its value: both are right.
  for (auto *extents : {&stage.grid, &stage.block})
    for (Polynomial &extent : *extents)
      if (auto replaced = replace(extent, symbol, value, terms))
        extent = std::move(*replaced);
  for (StageAccess &access : stage.accesses) {
    if (auto *index = std::get_if<Polynomial>(&access.index)) {
      if (auto replaced = replace(*index, symbol, value, terms))
        *index = std::move(*replaced);
      else
        access.index = NotPolynomial::Overflow;
    }
    for (Guard *guard : {&access.guard, &access.cover, &access.bare})
      for (Constraint &constraint : *guard) {
        if (auto replaced =
                replace(constraint.expression, symbol, value, terms))
          constraint.expression = std::move(*replaced);
        else
          constraint.relation = Relation::Unknown;
      }
  }
  return stage;
}

/// Returns the number that the program takes in a choice if nothing else is
/// given.
std::optional<Polynomial> usualChoice(Symbol symbol, const TermTable &terms) {
  if (symbol.kind == SymbolKind::Opaque &&
      terms[symbol].kind == TermKind::Select)
    for (const std::size_t alternative : {1U, 2U})
      if (terms[symbol].operands[alternative].asConstant())
        return terms[symbol].operands[alternative];
  return std::nullopt;
}

/// Returns the value with the usual choices, and 0 for all variables.
std::optional<Polynomial> usualValue(const Polynomial &value, TermTable terms) {
  return substituteDeep(value, terms,
                        [&](Symbol symbol) -> std::optional<Polynomial> {
                          if (symbol.kind != SymbolKind::Opaque ||
                              terms[symbol].kind == TermKind::Unique)
                            return Polynomial();
                          return usualChoice(symbol, terms);
                        });
}

/// Returns the one value of the host on which the value depends.
std::optional<Symbol> onlyValue(const Polynomial &value,
                                const TermTable &terms) {
  std::optional<Symbol> only;
  for (const Symbol symbol : symbolsDeep(value, terms)) {
    if (symbol.kind == SymbolKind::Opaque &&
        terms[symbol].kind != TermKind::Unique)
      continue;
    if (symbol.kind != SymbolKind::HostValue || only)
      return std::nullopt;
    only = symbol;
  }
  return only;
}

/// Checks whether an equation of one number, such as `bytes / 4 == n` with 8n
/// bytes, holds neither for the input's values nor for some others.
bool isSeldomZero(const Problem &problem, const Polynomial &difference,
                  TermTable terms) {
  const auto chosen = substituteDeep(difference, terms, [&](Symbol symbol) {
    return usualChoice(symbol, terms);
  });
  if (chosen && chosen->asConstant().value_or(0) != 0)
    return true;
  const std::optional<Symbol> only = onlyValue(difference, terms);
  if (!only)
    return false;
  std::vector<std::int64_t> tried = {1000, 2017};
  if (only->index < problem.program.values.size()) {
    const auto &usual = problem.program.values[only->index].usual;
    tried.insert(tried.end(), usual.begin(), usual.end());
  }
  return std::all_of(tried.begin(), tried.end(), [&](std::int64_t number) {
    const auto found = substituteDeep(difference, terms, [&](Symbol symbol) {
      return symbol == *only ? std::optional(Polynomial(number)) : std::nullopt;
    });
    const auto constant = found ? found->asConstant() : std::nullopt;
    return constant && *constant != 0;
  });
}

bool mayUsuallyBe(const Problem &problem, Symbol symbol, std::int64_t value) {
  const std::vector<HostValue> &values = problem.program.values;
  if (symbol.kind != SymbolKind::HostValue || symbol.index >= values.size())
    return false;
  const std::vector<std::int64_t> &usual = values[symbol.index].usual;
  return std::find(usual.begin(), usual.end(), value) != usual.end();
}

} // namespace

const TermTable &termsOf(const Group &group) {
  return group.ownTerms ? *group.ownTerms : group.problem->program.terms;
}

KnownFacts factsOf(const Group &group) {
  KnownFacts facts;
  facts.terms = &termsOf(group);
  facts.values = &group.problem->program.values;
  facts.notNegative = group.notNegative;
  for (const Stage &stage : group.stages)
    for (const auto *extents : {&stage.grid, &stage.block})
      for (const Polynomial &extent : *extents)
        if (auto symbol = extent.asSymbol())
          facts.positive.insert(*symbol);
  return facts;
}

void useOwnTerms(Group &group) {
  if (!group.ownTerms)
    group.ownTerms = std::make_shared<TermTable>(group.problem->program.terms);
}

std::optional<Polynomial> assumedValue(Group &group,
                                       const Polynomial &polynomial) {
  std::optional<Polynomial> result = polynomial;
  for (const auto &[symbol, value] : group.assumed)
    if (result)
      result = replace(*result, symbol, value, *group.ownTerms);
  return result;
}

bool assumeEqual(Group &group, const Polynomial &lhs, const Polynomial &rhs) {
  auto left = assumedValue(group, lhs);
  auto right = assumedValue(group, rhs);
  auto difference = left && right ? subtract(*left, *right) : std::nullopt;
  if (!difference)
    return false;
  if (difference->isZero())
    return true;
  auto solution = solve(*difference, termsOf(group));
  if (!solution || isSeldomZero(*group.problem, *difference, termsOf(group)))
    return false;
  // A variable is one of many numbers: that it is the one which stands
  // elsewhere is seldom worth a test, unless the input gives it that.
  if (const auto constant = solution->second.asConstant();
      constant && !mayUsuallyBe(*group.problem, solution->first, *constant)) {
    const auto usual = usualValue(*difference, termsOf(group));
    if (!usual || !usual->isZero())
      return false;
  }
  useOwnTerms(group);
  for (std::size_t number = 0; number < group.stages.size(); ++number)
    group.stages.replace(number,
                         rewritten(group.stages[number], solution->first,
                                   solution->second, *group.ownTerms));
  // A value whose replacement overflows still holds as it was.
  for (Polynomial &value : group.notNegative)
    if (auto replaced =
            replace(value, solution->first, solution->second, *group.ownTerms))
      value = std::move(*replaced);
  group.assumed.push_back(std::move(*solution));
  return true;
}

} // namespace kfuse
