//===- fusion/Neighbours.cpp - Which thread made what another reads -------===//

#include "fusion/Neighbours.h"

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

/// Of a symbolic coefficient, such as a row length: how often the difference
/// has one of its monomials, which no other axis has.
std::optional<std::int64_t> countOf(const Polynomial &difference,
                                    const Axis &axis,
                                    const std::vector<Axis> &axes) {
  for (const auto &[monomial, factor] : axis.coefficient.terms()) {
    const bool isShared =
        monomial.empty() ||
        std::any_of(axes.begin(), axes.end(), [&](const Axis &other) {
          return other.number != axis.number &&
                 other.coefficient.terms().count(monomial) != 0;
        });
    if (isShared)
      continue;
    const auto found = difference.terms().find(monomial);
    const std::int64_t count =
        found == difference.terms().end() ? 0 : found->second;
    return count % factor == 0 ? std::optional(count / factor) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<Polynomial> without(const Polynomial &difference,
                                  const Axis &axis, std::int64_t count) {
  const auto part = multiply(axis.coefficient, Polynomial(count));
  return part ? subtract(difference, *part) : std::nullopt;
}

/// Whether how the value depends on the coordinates is in the polynomial alone.
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

std::optional<Offset> offsetBetween(const Polynomial &write,
                                    const Polynomial &read, const Stage &stage,
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
  std::vector<Axis> constant;
  for (const Axis &axis : axes) {
    if (axis.coefficient.asConstant()) {
      constant.push_back(axis);
      continue;
    }
    const auto count =
        difference ? countOf(*difference, axis, axes) : std::nullopt;
    if (!count || std::abs(*count) > std::numeric_limits<std::int32_t>::max())
      return std::nullopt;
    offset[axis.number] = static_cast<std::int32_t>(*count);
    difference = without(*difference, axis, *count);
  }
  // Constant strides in a mixed radix: the longest first, to the nearest.
  std::sort(constant.begin(), constant.end(),
            [](const Axis &one, const Axis &two) {
              return std::abs(*one.coefficient.asConstant()) >
                     std::abs(*two.coefficient.asConstant());
            });
  for (const Axis &axis : constant) {
    const auto left = difference ? difference->asConstant() : std::nullopt;
    if (!left)
      return std::nullopt;
    const double nearest =
        std::round(static_cast<double>(*left) /
                   static_cast<double>(*axis.coefficient.asConstant()));
    if (std::abs(nearest) > std::numeric_limits<std::int32_t>::max())
      return std::nullopt;
    offset[axis.number] = static_cast<std::int32_t>(nearest);
    difference = without(*difference, axis, offset[axis.number]);
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
