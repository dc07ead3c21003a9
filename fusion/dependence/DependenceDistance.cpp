//===- DependenceDistance.cpp - Which thread made what another reads ------===//

#include "fusion/dependence/DependenceDistance.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kfuse {
namespace {

/// An axis with the index's coefficient of its coordinate.
struct Axis {
  std::uint32_t number = 0;
  Polynomial coefficient;
};

/// Returns a product of symbols in the axis's coefficient, such as a row
/// length, that no other axis has.
const Polynomial::TermMap::value_type *ownTerm(const Axis &axis,
                                               const std::vector<Axis> &axes) {
  for (const auto &term : axis.coefficient.terms())
    if (!term.first.empty() &&
        std::none_of(axes.begin(), axes.end(), [&](const Axis &other) {
          return other.number != axis.number &&
                 other.coefficient.terms().contains(term.first);
        }))
      return &term;
  return nullptr;
}

/// Counts how often `difference` has `term` of an axis's coefficient.
std::optional<std::int64_t>
countOf(const Polynomial &difference,
        const Polynomial::TermMap::value_type &term) {
  const auto found = difference.terms().find(term.first);
  const std::int64_t count =
      found == difference.terms().end() ? 0 : found->second;
  return count % term.second == 0 ? std::optional(count / term.second)
                                  : std::nullopt;
}

std::optional<Polynomial> without(const Polynomial &difference,
                                  const Axis &axis, std::int64_t count) {
  const auto part = multiply(axis.coefficient, Polynomial(count));
  return part ? subtract(difference, *part) : std::nullopt;
}

/// Checks whether only global indices outside of terms make `polynomial` differ
/// between threads.
bool dependsOnGlobalOnly(const Polynomial &polynomial, const TermTable &terms) {
  if (polynomial.mentions(SymbolKind::BlockIdx) ||
      polynomial.mentions(SymbolKind::ThreadIdx) ||
      polynomial.mentions(SymbolKind::StrideIdx))
    return false;
  const std::vector<Symbol> symbols = polynomial.symbols();
  return std::none_of(symbols.begin(), symbols.end(), [&](Symbol symbol) {
    return symbol.kind == SymbolKind::Opaque &&
           varies(Polynomial(symbol), terms);
  });
}

} // namespace

std::optional<Offset> distanceBetween(const Polynomial &write,
                                      const Polynomial &read,
                                      const Stage &stage,
                                      const TermTable &terms) {
  for (const Polynomial *index : {&write, &read})
    if (index->mentions(SymbolKind::LoopCounter) ||
        !dependsOnGlobalOnly(*index, terms))
      return std::nullopt;
  auto difference = subtract(read, write);
  std::vector<Axis> axes;
  for (const Symbol coordinate : coordinatesOf(stage, AxisSplit{})) {
    auto parts = write.splitLinear(coordinate);
    if (!parts || varies(parts->coefficient, terms) ||
        parts->coefficient.isZero())
      return std::nullopt;
    axes.push_back({coordinate.index, std::move(parts->coefficient)});
  }
  Offset offset{};
  const auto take = [&](const Axis &axis, std::int64_t count) {
    if (std::abs(count) > std::numeric_limits<std::int32_t>::max())
      return false;
    offset[axis.number] = static_cast<std::int32_t>(count);
    difference = without(*difference, axis, count);
    return difference.has_value();
  };
  // Rows of n + 2 elements in planes of (n + 2)²: the square is the planes'
  // alone, and with them gone the n is the rows'.
  while (difference) {
    const auto next =
        std::find_if(axes.begin(), axes.end(), [&](const Axis &axis) {
          return ownTerm(axis, axes) != nullptr;
        });
    if (next == axes.end())
      break;
    const auto count = countOf(*difference, *ownTerm(*next, axes));
    if (!count || !take(*next, *count))
      return std::nullopt;
    axes.erase(next);
  }
  if (!difference ||
      !std::all_of(axes.begin(), axes.end(), [](const Axis &axis) {
        return axis.coefficient.asConstant().has_value();
      }))
    return std::nullopt;
  // Constant strides in a mixed radix: the longest first, to the nearest.
  std::sort(axes.begin(), axes.end(), [](const Axis &one, const Axis &two) {
    return std::abs(*one.coefficient.asConstant()) >
           std::abs(*two.coefficient.asConstant());
  });
  for (const Axis &axis : axes) {
    const auto left = difference->asConstant();
    if (!left)
      return std::nullopt;
    const double nearest =
        std::round(static_cast<double>(*left) /
                   static_cast<double>(*axis.coefficient.asConstant()));
    if (std::abs(nearest) > std::numeric_limits<std::int32_t>::max() ||
        !take(axis, static_cast<std::int64_t>(nearest)))
      return std::nullopt;
  }
  // The construction may have been lucky or not; the identity decides.
  const auto moved = movedBy(write, offset, terms);
  return moved && *moved == read ? std::optional(offset) : std::nullopt;
}

std::optional<Polynomial> movedBy(const Polynomial &polynomial,
                                  const Offset &offset,
                                  const TermTable &terms) {
  if (!dependsOnGlobalOnly(polynomial, terms))
    return std::nullopt;
  return substitute(
      polynomial, [&](Symbol symbol) -> std::optional<Polynomial> {
        if (symbol.kind != SymbolKind::GlobalIdx || offset[symbol.index] == 0)
          return std::nullopt;
        return add(Polynomial(symbol), Polynomial(offset[symbol.index]));
      });
}

Guard movedBy(const Guard &guard, const Offset &offset,
              const TermTable &terms) {
  Guard result;
  for (const Constraint &constraint : guard) {
    auto moved = movedBy(constraint.expression, offset, terms);
    if (moved && constraint.relation != Relation::Unknown)
      result.push_back({constraint.relation, std::move(*moved)});
    else
      result.push_back({Relation::Unknown, {}});
  }
  return result;
}

Offset opposite(const Offset &offset) {
  return {-offset[0], -offset[1], -offset[2]};
}

} // namespace kfuse
