//===- fusion/Injective.cpp - One thread for each element -----------------===//

#include "fusion/Injective.h"

#include <algorithm>

namespace kfuse {
namespace {

/// Coordinates beyond this many are not sorted by trying.
constexpr std::size_t CoordinateLimit = 6;

/// A coordinate with its coefficient in the index and upper bounds of the
/// number of values it takes.
struct Digit {
  Polynomial coefficient;
  std::vector<Polynomial> widths;
};

/// Bounds of one domain that are valid in the other too.
std::vector<Polynomial> common(const std::vector<Polynomial> &first,
                               const std::vector<Polynomial> &second,
                               bool upper, const Facts &facts) {
  std::vector<Polynomial> bounds;
  auto collect = [&](const std::vector<Polynomial> &from,
                     const std::vector<Polynomial> &others) {
    for (const Polynomial &bound : from)
      if (std::any_of(others.begin(), others.end(),
                      [&](const Polynomial &other) {
                        auto slack = upper ? subtract(bound, other)
                                           : subtract(other, bound);
                        return slack && provesNonNegative(facts, *slack);
                      }) &&
          std::find(bounds.begin(), bounds.end(), bound) == bounds.end())
        bounds.push_back(bound);
  };
  collect(first, second);
  collect(second, first);
  return bounds;
}

/// Whether the digits can be sorted into a mixed-radix number.
bool isMixedRadix(std::vector<Digit> digits, const Polynomial *previous,
                  const std::vector<Polynomial> &previousWidths,
                  const Facts &facts) {
  if (digits.empty())
    return true;
  auto mayFollow = [&](const Polynomial &coefficient) {
    if (!previous)
      return provesPositive(facts, coefficient);
    return std::any_of(previousWidths.begin(), previousWidths.end(),
                       [&](const Polynomial &width) {
                         auto needed = multiply(*previous, width);
                         auto slack = needed ? subtract(coefficient, *needed)
                                             : std::nullopt;
                         return slack && provesNonNegative(facts, *slack);
                       });
  };
  for (std::size_t i = 0; i < digits.size(); ++i) {
    auto negated = subtract(Polynomial{}, digits[i].coefficient);
    // A digit counted from its other end has the opposite sign.
    for (const Polynomial *coefficient :
         {&digits[i].coefficient, negated ? &*negated : nullptr}) {
      if (!coefficient || !mayFollow(*coefficient))
        continue;
      std::vector<Digit> rest = digits;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      if (isMixedRadix(std::move(rest), coefficient, digits[i].widths, facts))
        return true;
    }
  }
  return false;
}

bool tellsApart(const Polynomial &index, const Domain &first,
                const Domain &second, Facts facts, const AxisSplit &split) {
  auto remaining = splitAxes(index, first.stage, split);
  auto other = splitAxes(index, second.stage, split);
  if (!remaining || remaining != other)
    return false;
  const TermTable &terms = *facts.terms;
  std::vector<Symbol> coordinates = coordinatesOf(first.stage, split);
  for (Symbol symbol : remaining->symbols())
    if (symbol.kind == SymbolKind::LoopCounter)
      coordinates.push_back(symbol);
  const Guard firstGuard = splitGuard(first.guard, first.stage, split);
  const Guard secondGuard = splitGuard(second.guard, second.stage, split);
  std::vector<std::pair<Range, Range>> ranges;
  for (Symbol coordinate : coordinates) {
    ranges.emplace_back(rangeOf(coordinate, first.stage, firstGuard, terms),
                        rangeOf(coordinate, second.stage, secondGuard, terms));
    assumeNonEmpty(facts, ranges.back().first);
    assumeNonEmpty(facts, ranges.back().second);
  }
  std::vector<Digit> digits;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const auto &[one, two] = ranges[i];
    Digit digit;
    bool isFixed = false;
    for (const Polynomial &low : common(one.low, two.low, false, facts))
      for (const Polynomial &high : common(one.high, two.high, true, facts)) {
        auto difference = subtract(high, low);
        auto width =
            difference ? add(*difference, Polynomial(1)) : std::nullopt;
        if (!width)
          continue;
        auto spare = subtract(Polynomial(1), *width);
        isFixed |= spare && provesNonNegative(facts, *spare);
        digit.widths.push_back(std::move(*width));
      }
    auto parts = remaining->splitLinear(coordinates[i]);
    if (!parts || varies(parts->coefficient, terms))
      return false;
    digit.coefficient = std::move(parts->coefficient);
    remaining = std::move(parts->rest);
    if (!isFixed)
      digits.push_back(std::move(digit));
  }
  if (varies(*remaining, terms) || digits.size() > CoordinateLimit)
    return false;
  return isMixedRadix(std::move(digits), nullptr, {}, facts);
}

} // namespace

bool tellsThreadsApart(const Polynomial &index, const Domain &first,
                       const Domain &second, const Facts &facts) {
  // The global index alone where that suffices; else ThreadIdx and BlockIdx.
  for (unsigned mask = 0; mask < 8; ++mask) {
    const AxisSplit split = {(mask & 1) != 0, (mask & 2) != 0, (mask & 4) != 0};
    bool isUseful = true;
    for (std::uint32_t axis = 0; axis < 3; ++axis)
      if (split[axis] && first.stage.grid[axis] == Polynomial(1) &&
          first.stage.block[axis] == Polynomial(1))
        isUseful = false;
    if (isUseful && tellsApart(index, first, second, facts, split))
      return true;
  }
  return false;
}

} // namespace kfuse
