//===- fusion/Guards.cpp - Which guard follows from which -----------------===//
#include "fusion/Guards.h"

#include <algorithm>

namespace kfuse {
namespace {

/// What holds of a quotient: d * (a / d) > a - d, so that the usual number of
/// blocks, (n + d - 1) / d of d threads, has a thread for each of n elements.
/// Together with each fact so far, since the prover takes one at a time.
void addShapeFacts(Facts &facts, const Stage &stage) {
  const std::size_t known = facts.notNegative.size();
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    for (const Symbol symbol : stage.grid[axis].symbols()) {
      if (symbol.kind != SymbolKind::Opaque)
        continue;
      const Term &term = (*facts.terms)[symbol];
      if (term.kind != TermKind::Divide || term.operands.size() != 2 ||
          !provesPositive(facts, term.operands[1]))
        continue;
      auto whole = multiply(Polynomial(symbol), term.operands[1]);
      auto over = whole ? subtract(*whole, term.operands[0]) : std::nullopt;
      auto spare = over ? add(*over, term.operands[1]) : std::nullopt;
      auto fact = spare ? subtract(*spare, Polynomial(1)) : std::nullopt;
      if (!fact)
        continue;
      for (std::size_t i = 0; i < known; ++i)
        if (auto sum = add(facts.notNegative[i], *fact))
          facts.notNegative.push_back(std::move(*sum));
      facts.notNegative.push_back(std::move(*fact));
    }
  }
}

void assumeGuard(Facts &facts, const Guard &guard) {
  for (const Constraint &constraint : guard) {
    if (constraint.relation == Relation::NonNegative ||
        constraint.relation == Relation::Zero)
      facts.notNegative.push_back(constraint.expression);
    if (constraint.relation == Relation::Zero)
      if (auto negated = subtract(Polynomial{}, constraint.expression))
        facts.notNegative.push_back(std::move(*negated));
  }
}

} // namespace

bool staysBelow(const Guard &guard, std::uint32_t axis,
                const Polynomial &extent, const std::vector<Stage> &shapes,
                const Facts &given) {
  Facts facts = given;
  assumeGuard(facts, guard);
  for (const Stage &stage : shapes)
    addShapeFacts(facts, stage);
  const auto last = subtract(extent, Polynomial(1));
  const auto room =
      last ? subtract(*last, Polynomial(Symbol{SymbolKind::GlobalIdx, axis}))
           : std::nullopt;
  return room && provesNonNegative(facts, *room);
}

bool implies(const Guard &consumer, const Guard &producer, const Stage &stage,
             const Facts &given) {
  Facts facts = given;
  assumeGuard(facts, consumer);
  for (Symbol coordinate : coordinatesOf(stage, AxisSplit{}))
    if (coordinate.kind == SymbolKind::GlobalIdx)
      if (auto size = multiply(stage.grid[coordinate.index],
                               stage.block[coordinate.index]))
        if (auto last = subtract(*size, Polynomial(1)))
          if (auto below = subtract(*last, Polynomial(coordinate)))
            facts.notNegative.push_back(std::move(*below));
  addShapeFacts(facts, stage);
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

} // namespace kfuse
