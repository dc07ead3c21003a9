//===- Program.cpp - Aliases and bound accesses ---------------------------===//

#include "graphs/program/Program.h"

#include <algorithm>
#include <set>

namespace kfuse {
namespace {

/// The values that a launch gives a kernel's symbols. Accesses share guards and
/// terms, so that one substitution serves all.
class Binding {
public:
  Binding(const Launch &launch, TermTable &terms)
      : TheLaunch(launch), Terms(terms),
        Substitution(terms, [this](Symbol symbol) { return value(symbol); }) {}

  const IndexExpr &operator()(const Polynomial &polynomial) {
    auto [place, isNew] =
        Known.try_emplace(polynomial, NotPolynomial::Overflow);
    if (isNew)
      if (std::optional<Polynomial> bound = Substitution(polynomial))
        place->second = !LacksScalars || isBound(polynomial)
                            ? IndexExpr(*std::move(bound))
                            : IndexExpr(NotPolynomial::Unsupported);
    return place->second;
  }

private:
  std::optional<Polynomial> value(Symbol symbol) {
    if (symbol.kind == SymbolKind::Parameter) {
      if (symbol.index < TheLaunch.scalars.size())
        return TheLaunch.scalars[symbol.index];
      LacksScalars = true;
    }
    if (symbol.kind == SymbolKind::BlockDim ||
        symbol.kind == SymbolKind::GridDim) {
      const LaunchConfig &shape = symbol.kind == SymbolKind::BlockDim
                                      ? TheLaunch.block
                                      : TheLaunch.grid;
      if (symbol.index < shape.extent.size())
        return shape.extent[symbol.index];
    }
    return std::nullopt;
  }

  bool isBound(const Polynomial &polynomial) const {
    const std::vector<Symbol> symbols = symbolsDeep(polynomial, Terms);
    return std::none_of(symbols.begin(), symbols.end(), [&](Symbol symbol) {
      return symbol.kind == SymbolKind::Parameter &&
             symbol.index >= TheLaunch.scalars.size();
    });
  }

  const Launch &TheLaunch;
  TermTable &Terms;
  bool LacksScalars = false; ///< of those that were met
  DeepSubstitution Substitution;
  std::map<Polynomial, IndexExpr> Known;
};

} // namespace

std::vector<Access> bindAccesses(const Kernel &kernel, const Launch &launch,
                                 TermTable &terms) {
  std::vector<Access> bound = kernel.accesses;
  Binding binding(launch, terms);
  for (Access &access : bound) {
    if (const auto *index = std::get_if<Polynomial>(&access.index))
      access.index = IndexExpr(binding(*index));
    for (auto name = access.names.begin(); name != access.names.end();) {
      const auto *value = std::get_if<Polynomial>(&binding(name->value));
      if (value)
        name++->value = *value;
      else
        name = access.names.erase(name);
    }
    for (Constraint &constraint : access.guard) {
      if (constraint.relation == Relation::Unknown)
        continue;
      const IndexExpr &value = binding(constraint.expression);
      if (const auto *polynomial = std::get_if<Polynomial>(&value))
        constraint.expression = *polynomial;
      else
        constraint = {};
    }
  }
  return bound;
}

} // namespace kfuse
