//===- Program.cpp - Aliases and bound accesses ---------------------------===//

#include "graphs/program/Program.h"

#include "graphs/program/Storages.h"

#include <algorithm>
#include <set>

namespace kfuse {
namespace {

/// Storage of its own, wherever its address goes.
bool isOwnStorage(const Array &array) {
  if (array.isMeasured)
    return false;
  return array.origin == ArrayOrigin::Allocation ||
         array.origin == ArrayOrigin::DeviceVariable ||
         array.origin == ArrayOrigin::ConstantVariable ||
         (array.origin == ArrayOrigin::Managed && !array.escapes);
}

/// Storage that a pointer from elsewhere may lead to. Allocations and constants
/// are hidden until their address escapes; the address of a device variable or
/// of managed memory can be had elsewhere too.
bool isReachable(const Array &array) {
  switch (array.origin) {
  case ArrayOrigin::Allocation:
  case ArrayOrigin::ConstantVariable:
    return array.escapes;
  case ArrayOrigin::Managed:
  case ArrayOrigin::DeviceVariable:
  case ArrayOrigin::PointerArgument:
  case ArrayOrigin::Unknown:
    return true;
  }
  return true;
}

bool mayOverlap(const Array &lhs, const Array &rhs) {
  if (isOwnStorage(lhs) && isOwnStorage(rhs))
    return false;
  return isReachable(lhs) && isReachable(rhs);
}

/// What a launch gives a kernel's symbols. Accesses share guards and terms, so
/// that one substitution serves all.
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
      const LaunchShape &shape = symbol.kind == SymbolKind::BlockDim
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

bool has(const Kernel &kernel, KernelFeature feature) {
  return std::any_of(
      kernel.features.begin(), kernel.features.end(),
      [&](const FeatureUse &use) { return use.feature == feature; });
}

Alias alias(const Program &program, ArrayId lhs, ArrayId rhs) {
  if (lhs == rhs)
    return Alias::Same;
  if (std::max(indexOf(lhs), indexOf(rhs)) >= program.arrays.size())
    return Alias::May;
  if (isOwnStorage(program[lhs]) && isOwnStorage(program[rhs]))
    return Alias::Never;
  if (program[lhs].candidates.empty() && program[rhs].candidates.empty())
    return mayOverlap(program[lhs], program[rhs]) ? Alias::May : Alias::Never;
  std::set<ArrayId> left = storagesOf(program, lhs);
  std::set<ArrayId> right = storagesOf(program, rhs);
  for (ArrayId l : left)
    for (ArrayId r : right)
      if (l == r || mayOverlap(program[l], program[r]))
        return Alias::May;
  return Alias::Never;
}

std::vector<std::vector<ArrayId>> namesOf(const Program &program) {
  const auto count = static_cast<std::uint32_t>(program.arrays.size());
  std::vector<std::vector<ArrayId>> names(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    // Two that have storage of their own are never one: there may be thousands.
    if (isOwnStorage(program.arrays[i])) {
      names[i].push_back(ArrayId{i});
      continue;
    }
    for (std::uint32_t j = 0; j < count; ++j)
      if (alias(program, ArrayId{i}, ArrayId{j}) != Alias::Never) {
        names[i].push_back(ArrayId{j});
        if (isOwnStorage(program.arrays[j]))
          names[j].push_back(ArrayId{i});
      }
  }
  for (std::vector<ArrayId> &each : names)
    std::sort(each.begin(), each.end());
  return names;
}

std::vector<Access> bindAccesses(const Kernel &kernel, const Launch &launch,
                                 TermTable &terms) {
  std::vector<Access> bound = kernel.accesses;
  Binding binding(launch, terms);
  for (Access &access : bound) {
    if (const auto *index = std::get_if<Polynomial>(&access.index))
      access.index = IndexExpr(binding(*index));
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
