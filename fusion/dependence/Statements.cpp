//===- Statements.cpp - What is true together -----------------------------===//

#include "fusion/dependence/Statements.h"

#include <optional>
#include <utility>

namespace kfuse {

void Statements::add(const Statements &more) {
  all.insert(all.end(), more.all.begin(), more.all.end());
  choices.insert(choices.end(), more.choices.begin(), more.choices.end());
}

static Constraint negation(const Constraint &statement) {
  switch (statement.relation) {
  case Relation::NonNegative:
    if (auto below = subtract(Polynomial(-1), statement.expression))
      return {Relation::NonNegative, std::move(*below)};
    break;
  case Relation::Zero:
    return {Relation::NonZero, statement.expression};
  case Relation::NonZero:
    return {Relation::Zero, statement.expression};
  case Relation::Unknown:
    break;
  }
  return {};
}

std::vector<Statements> negations(const Statements &statements) {
  std::vector<Statements> result;
  for (const Constraint &one : statements.all)
    result.push_back({{negation(one)}, {}});
  for (const std::vector<Guard> &choice : statements.choices) {
    Statements none;
    for (const Guard &alternative : choice) {
      std::vector<Guard> lacks;
      for (const Constraint &one : alternative)
        lacks.push_back({negation(one)});
      none.choices.push_back(std::move(lacks));
    }
    result.push_back(std::move(none));
  }
  return result;
}

} // namespace kfuse
