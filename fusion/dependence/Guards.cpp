//===- Guards.cpp - Which guard follows from which ------------------------===//
#include "fusion/dependence/Guards.h"

#include <algorithm>

namespace kfuse {
namespace {

void assumeGuard(KnownFacts &facts, const Guard &guard) {
  for (const Constraint &constraint : guard) {
    if (constraint.relation == Relation::NonNegative ||
        constraint.relation == Relation::Zero)
      facts.notNegative.push_back(constraint.expression);
    if (constraint.relation == Relation::Zero)
      if (auto negated = subtract(Polynomial{}, constraint.expression))
        facts.notNegative.push_back(std::move(*negated));
  }
}

/// Returns `a - b >= 0`; nullopt on overflow.
std::optional<Constraint> atLeast(const Polynomial &a, const Polynomial &b) {
  auto excess = subtract(a, b);
  return excess ? std::optional(
                      Constraint{Relation::NonNegative, std::move(*excess)})
                : std::nullopt;
}

/// Returns bounds that say that a comparison of `a` with `b` holds, or that it
/// doesn't; empty if no bounds do.
Guard boundsOf(std::int64_t relation, bool holds, const Polynomial &a,
               const Polynomial &b) {
  const auto more = add(holds ? a : b, Polynomial(1));
  std::vector<std::optional<Constraint>> bounds;
  if (relation == (holds ? 0 : 1)) // a == b
    bounds = {atLeast(a, b), atLeast(b, a)};
  else if (relation == 2) // a < b
    bounds = {!holds ? atLeast(a, b) : more ? atLeast(b, *more) : std::nullopt};
  else if (relation == 3) // a <= b
    bounds = {holds ? atLeast(b, a) : more ? atLeast(a, *more) : std::nullopt};
  Guard guard;
  for (auto &bound : bounds) {
    if (!bound)
      return {};
    guard.push_back(std::move(*bound));
  }
  return guard;
}

/// Returns the comparisons, each of which alone makes the expression 0.
std::vector<Guard> zeros(const Polynomial &expression, const Stage &stage,
                         const TermTable &terms) {
  std::vector<Guard> result;
  for (const Symbol symbol : expression.symbols()) {
    if (symbol.kind != SymbolKind::Opaque ||
        terms[symbol].kind != TermKind::Compare ||
        (!stage.hasOwnTerms && varies(Polynomial(symbol), terms)))
      continue;
    const auto a = canonical(terms[symbol].operands[0], stage, terms);
    const auto b = canonical(terms[symbol].operands[1], stage, terms);
    for (const bool holds : {true, false}) {
      const auto value = substitute(
          expression, [&](Symbol other) -> std::optional<Polynomial> {
            return other == symbol ? std::optional(Polynomial(holds ? 1 : 0))
                                   : std::nullopt;
          });
      if (!a || !b || !value || !value->isZero())
        continue;
      if (Guard bounds = boundsOf(terms[symbol].detail, holds, *a, *b);
          !bounds.empty())
        result.push_back(std::move(bounds));
    }
  }
  return result;
}

} // namespace

bool staysBelow(const Guard &guard, std::uint32_t axis,
                const Polynomial &extent, const KnownFacts &given) {
  KnownFacts facts = given;
  assumeGuard(facts, guard);
  const auto last = subtract(extent, Polynomial(1));
  const auto room =
      last ? subtract(*last, Polynomial(Symbol{SymbolKind::GlobalIdx, axis}))
           : std::nullopt;
  return room && provesNonNegative(facts, *room);
}

bool implies(const Guard &consumer, const Guard &producer, const Stage &stage,
             const KnownFacts &given) {
  KnownFacts facts = given;
  assumeGuard(facts, consumer);
  for (Symbol coordinate : coordinatesOf(stage, AxisSplit{}))
    if (coordinate.kind == SymbolKind::GlobalIdx)
      if (auto size = multiply(stage.grid[coordinate.index],
                               stage.block[coordinate.index]))
        if (auto last = subtract(*size, Polynomial(1)))
          if (auto below = subtract(*last, Polynomial(coordinate)))
            facts.notNegative.push_back(std::move(*below));
  auto isNonZeroInConsumer = [&](const Polynomial &expression,
                                 const std::optional<Polynomial> &negated) {
    return std::any_of(consumer.begin(), consumer.end(),
                       [&](const Constraint &constraint) {
                         return constraint.relation == Relation::NonZero &&
                                (constraint.expression == expression ||
                                 constraint.expression == negated);
                       });
  };
  return std::all_of(
      producer.begin(), producer.end(), [&](const Constraint &constraint) {
        const Polynomial &expression = constraint.expression;
        const auto negated = subtract(Polynomial{}, expression);
        switch (constraint.relation) {
        case Relation::NonNegative:
          return provesNonNegative(facts, expression);
        case Relation::Zero:
          return negated && provesNonNegative(facts, expression) &&
                 provesNonNegative(facts, *negated);
        case Relation::NonZero:
          return isNonZeroInConsumer(expression, negated) ||
                 provesPositive(facts, expression) ||
                 (negated && provesPositive(facts, *negated));
        case Relation::Unknown:
          return false;
        }
        return false;
      });
}

std::vector<Guard> alternatives(const Guard &guard, const Stage &stage,
                                const TermTable &terms) {
  constexpr std::size_t Most = 16;
  std::vector<Guard> result = {{}};
  for (const Constraint &constraint : guard) {
    std::vector<Guard> choices;
    if (constraint.relation == Relation::Zero) {
      choices = zeros(constraint.expression, stage, terms);
      const auto negated = atLeast(Polynomial{}, constraint.expression);
      if (choices.empty() && negated)
        choices = {{{Relation::NonNegative, constraint.expression}, *negated}};
    } else {
      choices = {{constraint}};
    }
    std::vector<Guard> longer;
    for (const Guard &begun : result)
      for (const Guard &choice : choices) {
        longer.push_back(begun);
        longer.back().insert(longer.back().end(), choice.begin(), choice.end());
      }
    if (longer.size() > Most)
      return {};
    result = std::move(longer);
  }
  return result;
}

} // namespace kfuse
