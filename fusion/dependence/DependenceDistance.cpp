//===- DependenceDistance.cpp - Which thread made what another reads ------===//

#include "fusion/dependence/DependenceDistance.h"

#include "fusion/dependence/Bounds.h"
#include "fusion/dependence/ChosenPlaces.h"

#include <algorithm>
#include <cmath>
#include <iterator>
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

/// Checks whether the product has no factor but counters of loops, or is a
/// place on an axis: a coordinate, or a term.
bool isPlace(const Monomial &product) {
  if (product.size() == 1 && (product[0].kind == SymbolKind::GlobalIdx ||
                              product[0].kind == SymbolKind::Opaque))
    return true;
  return std::all_of(product.begin(), product.end(), [](Symbol symbol) {
    return symbol.kind == SymbolKind::LoopCounter;
  });
}

/// Returns how often `difference` has `term` of an axis's coefficient, by
/// counters and places: 1 - k of (1 - k) * n.
std::optional<Polynomial> countOf(const Polynomial &difference,
                                  const Polynomial::TermMap::value_type &term) {
  std::optional<Polynomial> count = Polynomial{};
  for (const auto &[product, coefficient] : difference.terms()) {
    Monomial rest;
    std::set_difference(product.begin(), product.end(), term.first.begin(),
                        term.first.end(), std::back_inserter(rest));
    if (rest.size() + term.first.size() != product.size() || !isPlace(rest))
      continue;
    if (coefficient % term.second != 0)
      return std::nullopt;
    count = add(*count, Polynomial(rest, coefficient / term.second));
    if (!count)
      return std::nullopt;
  }
  return count;
}

/// Returns how often `stride` goes into a sum of counters and places, each to
/// the nearest; nullopt if there is anything else in the sum.
std::optional<Polynomial> nearestCount(const Polynomial &sum,
                                       std::int64_t stride) {
  std::optional<Polynomial> count = Polynomial{};
  for (const auto &[product, coefficient] : sum.terms()) {
    const double nearest = std::round(static_cast<double>(coefficient) /
                                      static_cast<double>(stride));
    if (!isPlace(product) ||
        std::abs(nearest) > std::numeric_limits<std::int32_t>::max())
      return std::nullopt;
    if (nearest != 0)
      count =
          add(*count, Polynomial(product, static_cast<std::int64_t>(nearest)));
    if (!count)
      return std::nullopt;
  }
  return count;
}

std::optional<Polynomial> without(const Polynomial &difference,
                                  const Axis &axis, const Polynomial &count) {
  const auto part = multiply(axis.coefficient, count);
  return part ? subtract(difference, *part) : std::nullopt;
}

std::optional<std::int32_t> small(std::optional<std::int64_t> number) {
  return number && std::abs(*number) <= Window::Furthest
             ? std::optional(static_cast<std::int32_t>(*number))
             : std::nullopt;
}

/// Returns the loop without its steps, if it has a constant number of
/// iterations and a variable that the text can name.
std::optional<Window::Loop> loopOf(Symbol counter, const Stage &stage,
                                   Bounds &bounds) {
  const std::uint32_t number = counter.index;
  if (number >= stage.loopStarts.size())
    return std::nullopt;
  std::optional<std::int64_t> last;
  for (const Polynomial &high : bounds.upper(Polynomial(counter)))
    if (const auto constant = high.asConstant())
      last = std::min(last.value_or(*constant), *constant);
  const auto trips = small(last ? std::optional(*last + 1) : last);
  const auto first = small(stage.loopStarts[number]);
  const auto increment =
      small(first ? std::optional(stage.kernel->loops[number].variable->step)
                  : std::nullopt);
  if (!trips || *trips < 1 || !increment)
    return std::nullopt;
  return Window::Loop{number, {}, *first, *increment, *trips};
}

bool isOfGlobalIndices(const Polynomial &polynomial) {
  return !polynomial.mentions(SymbolKind::BlockIdx) &&
         !polynomial.mentions(SymbolKind::ThreadIdx) &&
         !polynomial.mentions(SymbolKind::StrideIdx);
}

/// Checks whether only global indices outside of terms make `polynomial` differ
/// between threads.
bool dependsOnGlobalOnly(const Polynomial &polynomial, const TermTable &terms) {
  if (!isOfGlobalIndices(polynomial))
    return false;
  const std::vector<Symbol> symbols = polynomial.symbols();
  return std::none_of(symbols.begin(), symbols.end(), [&](Symbol symbol) {
    return symbol.kind == SymbolKind::Opaque &&
           varies(Polynomial(symbol), terms);
  });
}

} // namespace

std::optional<Distance> distanceBetween(const Polynomial &write,
                                        const Polynomial &read,
                                        const Stage &stage,
                                        const TermTable &terms) {
  if (!dependsOnGlobalOnly(write, terms) || !isOfGlobalIndices(read) ||
      (!stage.hasOwnTerms && !dependsOnGlobalOnly(read, terms)))
    return std::nullopt;
  if (write.mentions(SymbolKind::LoopCounter))
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
  Distance distance;
  const auto take = [&](const Axis &axis, const Polynomial &count) {
    distance[axis.number] = count;
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
    const auto count =
        nearestCount(*difference, *axis.coefficient.asConstant());
    if (!count || !take(axis, *count))
      return std::nullopt;
  }
  // The construction may have been lucky or not; the identity decides.
  const auto moved = movedBy(write, distance, terms);
  return moved && *moved == read ? std::optional(distance) : std::nullopt;
}

std::optional<Window> windowOf(const Distance &distance,
                               const StageAccess &read, const Stage &stage,
                               const KnownFacts &facts) {
  Window window;
  Bounds bounds(stage, splitGuard(read.guard, stage, {}), {}, facts,
                read.access->loops);
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    if (isChosen(distance[axis])) {
      auto choice = choiceOf(axis, distance[axis], read, stage, facts);
      if (!choice)
        return std::nullopt;
      window.choices.push_back(*std::move(choice));
      continue;
    }
    std::int64_t base = 0;
    for (const auto &[product, coefficient] : distance[axis].terms()) {
      if (product.empty()) {
        base += coefficient;
        continue;
      }
      auto loop = std::find_if(window.loops.begin(), window.loops.end(),
                               [&](const Window::Loop &known) {
                                 return known.number == product[0].index;
                               });
      if (loop == window.loops.end()) {
        auto found = loopOf(product[0], stage, bounds);
        if (!found)
          return std::nullopt;
        loop = window.loops.insert(loop, *found);
      }
      // A counter is (variable - first) / increment.
      const auto step = small(coefficient / loop->increment);
      if (product.size() != 1 || coefficient % loop->increment != 0 || !step)
        return std::nullopt;
      loop->step[axis] = *step;
      base -= std::int64_t{*step} * loop->first;
    }
    const auto constant = small(base);
    if (!constant)
      return std::nullopt;
    window.base[axis] = *constant;
  }
  return window;
}

std::optional<Polynomial> movedBy(const Polynomial &polynomial,
                                  const Distance &distance,
                                  const TermTable &terms) {
  if (!dependsOnGlobalOnly(polynomial, terms))
    return std::nullopt;
  return substitute(polynomial,
                    [&](Symbol symbol) -> std::optional<Polynomial> {
                      if (symbol.kind != SymbolKind::GlobalIdx ||
                          distance[symbol.index].isZero())
                        return std::nullopt;
                      return add(Polynomial(symbol), distance[symbol.index]);
                    });
}

Guard movedBy(const Guard &guard, const Distance &distance,
              const TermTable &terms) {
  Guard result;
  for (const Constraint &constraint : guard) {
    auto moved = movedBy(constraint.expression, distance, terms);
    if (moved && constraint.relation != Relation::Unknown)
      result.push_back({constraint.relation, std::move(*moved)});
    else
      result.push_back({Relation::Unknown, {}});
  }
  return result;
}

std::optional<Distance> opposite(const Distance &distance) {
  Distance back;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    auto one = negated(distance[axis]);
    if (!one)
      return std::nullopt;
    back[axis] = std::move(*one);
  }
  return back;
}

} // namespace kfuse
