//===- Injective.cpp - One thread for each element ------------------------===//

#include "fusion/dependence/Injective.h"

#include "fusion/dependence/Bounds.h"
#include "fusion/dependence/Quotients.h"

#include <algorithm>
#include <functional>
#include <set>

namespace kfuse {
namespace {

/// Places beyond this many are not sorted by trying.
constexpr std::size_t PlaceLimit = 6;

/// A symbol with its coefficient in a number and upper bounds of how many
/// values it has.
struct Place {
  Symbol symbol;
  Polynomial coefficient;
  std::vector<Polynomial> widths;
};

/// Returns the bounds of one domain that are valid in the other too.
std::vector<Polynomial> common(const std::vector<Polynomial> &first,
                               const std::vector<Polynomial> &second,
                               bool upper, const KnownFacts &facts) {
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

/// Checks whether the host can compute `value` before the launch.
bool isKnownToHost(const Polynomial &value, const TermTable &terms) {
  const std::vector<Symbol> symbols = symbolsDeep(value, terms);
  return std::all_of(symbols.begin(), symbols.end(), [&](Symbol symbol) {
    return symbol.kind == SymbolKind::Parameter ||
           symbol.kind == SymbolKind::BlockDim ||
           symbol.kind == SymbolKind::GridDim ||
           (symbol.kind == SymbolKind::Opaque &&
            isQuotientByConstant(terms[symbol]));
  });
}

/// Returns the value without factors that are positive.
Polynomial withoutFactors(Polynomial value, const KnownFacts &facts) {
  for (Symbol symbol : value.symbols())
    if (provesPositive(facts, Polynomial(symbol)))
      while (auto quotient = divideExactly(value, Polynomial(symbol)))
        value = std::move(*quotient);
  return value;
}

/// The places of a number that are sorted already, from the least one on.
struct SortedPlaces {
  Polynomial sum; ///< of coefficient times symbol
  std::size_t count = 0;
  /// The next coefficient has to be at least one of these: the last coefficient
  /// times a width of its symbol.
  std::vector<Polynomial> needs;
};

/// Returns bounds of how many values a sum of places has.
using WidthsOfSum = std::function<std::vector<Polynomial>(const Polynomial &)>;

/// Checks whether the places can be sorted into a mixed-radix number, after
/// those that are. Guards may bound a sum of places more closely than its
/// symbols: the next coefficient then exceeds the sum. Given `missing`, may
/// assume what isn't known, and adds it there.
bool isMixedRadix(std::vector<Place> places, const SortedPlaces &sorted,
                  const WidthsOfSum &widthsOfSum, const KnownFacts &facts,
                  std::vector<Polynomial> *missing) {
  if (places.empty())
    return true;
  const auto areRestSorted = [&](std::size_t i, const Polynomial &coefficient) {
    const auto term =
        multiply(places[i].coefficient, Polynomial(places[i].symbol));
    const auto sum = term ? add(sorted.sum, *term) : std::nullopt;
    if (!sum)
      return false;
    SortedPlaces more = {*sum, sorted.count + 1, {}};
    for (const Polynomial &width : places[i].widths)
      if (auto needed = multiply(coefficient, width))
        more.needs.push_back(std::move(*needed));
    std::vector<Place> rest = places;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    return isMixedRadix(std::move(rest), more, widthsOfSum, facts, missing);
  };
  const auto isOneOf = [&](const std::vector<Polynomial> &needs,
                           const Polynomial &coefficient) {
    return std::any_of(needs.begin(), needs.end(),
                       [&](const Polynomial &needed) {
                         const auto slack = subtract(coefficient, needed);
                         return slack && provesNonNegative(facts, *slack);
                       });
  };
  std::optional<std::vector<Polynomial>> ofSum; // found once it is asked for
  const auto mayFollow = [&](const Polynomial &coefficient) {
    if (sorted.count == 0)
      return provesPositive(facts, coefficient);
    if (isOneOf(sorted.needs, coefficient))
      return true;
    if (sorted.count == 1) // its width is that of its only symbol
      return false;
    if (!ofSum)
      ofSum = widthsOfSum(sorted.sum);
    return isOneOf(*ofSum, coefficient);
  };
  for (std::size_t i = 0; i < places.size(); ++i) {
    auto negated = subtract(Polynomial{}, places[i].coefficient);
    // A place counted from its other end has the opposite sign.
    for (const Polynomial *coefficient :
         {&places[i].coefficient, negated ? &*negated : nullptr}) {
      if (coefficient && mayFollow(*coefficient) &&
          areRestSorted(i, *coefficient))
        return true;
    }
  }
  if (!missing || sorted.count == 0)
    return false;
  for (std::size_t i = 0; i < places.size(); ++i)
    for (const Polynomial &needed : sorted.needs) {
      const auto room = subtract(places[i].coefficient, needed);
      if (!room || !isKnownToHost(*room, *facts.terms))
        continue;
      missing->push_back(withoutFactors(*room, facts));
      if (areRestSorted(i, places[i].coefficient))
        return true;
      missing->pop_back();
    }
  return false;
}

/// Two threads that agree in an index, and in what else they then agree.
class Agreement {
public:
  Agreement(const Polynomial &index, const Domain &first, const Domain &second,
            const KnownFacts &given, const AxisSplit &split)
      : First(first), Second(second), Split(split), Terms(*given.terms),
        FirstBounds(first.stage, splitGuard(first.guard, first.stage, split),
                    split, given, countersIn(index)),
        SecondBounds(second.stage,
                     splitGuard(second.guard, second.stage, split), split,
                     FirstBounds.facts(), countersIn(index)),
        Values{index} {}

  /// Checks whether they are one thread, in one iteration of the index's
  /// counters. Given `missing`, may assume what isn't known, and adds it there.
  bool isOneThread(std::vector<Polynomial> *missing = nullptr);

private:
  static std::vector<std::uint32_t> countersIn(const Polynomial &index) {
    std::vector<std::uint32_t> counters;
    for (Symbol symbol : index.symbols())
      if (symbol.kind == SymbolKind::LoopCounter)
        counters.push_back(symbol.index);
    return counters;
  }
  bool isSettled(Symbol symbol) const {
    return !varies(Polynomial(symbol), Terms) || Agreed.contains(symbol);
  }
  /// Returns the digit of a term that means the same in both stages.
  std::optional<Digit> digitOf(Symbol symbol) const {
    auto digit = kfuse::digitOf(symbol, First.stage, Split, Terms);
    return digit == kfuse::digitOf(symbol, Second.stage, Split, Terms)
               ? digit
               : std::nullopt;
  }
  const KnownFacts &facts() const { return SecondBounds.facts(); }

  std::vector<Polynomial> widthsOf(Symbol symbol);
  std::vector<Polynomial> widthsOfSum(const Polynomial &sum);
  void agreeIfFixed(Symbol symbol);
  bool mayBeFixed(Symbol symbol, std::vector<Polynomial> &missing);
  bool agreeInPlaces(const Polynomial &value, std::vector<Polynomial> *missing);
  bool rejoin();
  bool isWhole(const Digit &remainder);

  const Domain &First, &Second;
  AxisSplit Split;
  const TermTable &Terms;
  Bounds FirstBounds, SecondBounds;
  std::vector<Polynomial> Values; ///< in which they agree
  std::set<Symbol> Agreed, Rejoined;
};

/// Returns bounds of how many values there are in both domains together.
std::vector<Polynomial> widthsBetween(const Range &one, const Range &two,
                                      const KnownFacts &facts) {
  std::vector<Polynomial> widths;
  for (const Polynomial &low : common(one.low, two.low, false, facts))
    for (const Polynomial &high : common(one.high, two.high, true, facts))
      if (auto difference = subtract(high, low))
        if (auto width = add(*difference, Polynomial(1)))
          widths.push_back(std::move(*width));
  return widths;
}

std::vector<Polynomial> Agreement::widthsOf(Symbol symbol) {
  return widthsBetween(FirstBounds.of(symbol), SecondBounds.of(symbol),
                       facts());
}

std::vector<Polynomial> Agreement::widthsOfSum(const Polynomial &sum) {
  return widthsBetween({FirstBounds.lower(sum), FirstBounds.upper(sum)},
                       {SecondBounds.lower(sum), SecondBounds.upper(sum)},
                       facts());
}

void Agreement::agreeIfFixed(Symbol symbol) {
  for (const Polynomial &width : widthsOf(symbol))
    if (auto spare = subtract(Polynomial(1), width);
        spare && provesNonNegative(facts(), *spare)) {
      Agreed.insert(symbol);
      return;
    }
}

/// Records that the threads agree in each place of `value`, in which they
/// agree, if it is a mixed-radix number. Returns whether it is.
bool Agreement::agreeInPlaces(const Polynomial &value,
                              std::vector<Polynomial> *missing) {
  std::vector<Place> places;
  Polynomial rest = value;
  for (Symbol symbol : value.symbols()) {
    if (isSettled(symbol))
      continue;
    auto parts = rest.splitLinear(symbol);
    if (!parts || varies(parts->coefficient, Terms) ||
        (symbol.kind == SymbolKind::Opaque && !digitOf(symbol)))
      return false;
    places.push_back({symbol, std::move(parts->coefficient), widthsOf(symbol)});
    rest = std::move(parts->rest);
  }
  if (places.empty() || places.size() > PlaceLimit ||
      !isMixedRadix(
          places, {},
          [this](const Polynomial &sum) { return widthsOfSum(sum); }, facts(),
          missing))
    return false;
  for (const Place &place : places)
    Agreed.insert(place.symbol);
  return true;
}

/// Adds a dividend to the values that agree if its quotient and remainder do;
/// returns whether it added any.
bool Agreement::rejoin() {
  bool isNew = false;
  for (Symbol symbol : Agreed) {
    const auto digit = digitOf(symbol);
    if (!digit || !digit->isRemainder || Rejoined.contains(symbol) ||
        !isWhole(*digit))
      continue;
    Rejoined.insert(symbol);
    Values.push_back(digit->dividend);
    isNew = true;
  }
  return isNew;
}

bool Agreement::isWhole(const Digit &remainder) {
  for (Symbol symbol : Agreed)
    if (const auto other = digitOf(symbol);
        other && !other->isRemainder &&
        other->wholeDividend == remainder.wholeDividend &&
        other->wholeDivisor == remainder.wholeDivisor)
      return true;
  // A number below the divisor is its own remainder.
  const auto fits = [&](Bounds &bounds) {
    const auto lows = bounds.lower(remainder.dividend);
    const auto highs = bounds.upper(remainder.dividend);
    const auto isBelow = [&](const Polynomial &high) {
      const auto room = subtract(remainder.divisor, high);
      return room && provesPositive(facts(), *room);
    };
    return std::any_of(highs.begin(), highs.end(), isBelow) &&
           std::any_of(lows.begin(), lows.end(), [&](const Polynomial &low) {
             return provesNonNegative(facts(), low);
           });
  };
  return fits(FirstBounds) && fits(SecondBounds);
}

bool Agreement::isOneThread(std::vector<Polynomial> *missing) {
  std::vector<Symbol> coordinates = coordinatesOf(First.stage, Split);
  for (std::uint32_t counter : countersIn(Values.front()))
    coordinates.push_back({SymbolKind::LoopCounter, counter});
  for (Symbol coordinate : coordinates)
    agreeIfFixed(coordinate);
  for (const Constraint &constraint : First.guard)
    for (Symbol symbol : constraint.expression.symbols())
      if (digitOf(symbol))
        agreeIfFixed(symbol);
  const auto agreeInMore = [this, missing] {
    bool isNew = false;
    for (const Polynomial &value : Values)
      isNew |= agreeInPlaces(value, missing);
    return rejoin() || isNew;
  };
  while (agreeInMore())
    ;
  return std::all_of(
      coordinates.begin(), coordinates.end(), [&](Symbol symbol) {
        return isSettled(symbol) || (missing && mayBeFixed(symbol, *missing));
      });
}

/// Checks whether the host knows if a coordinate has one value, and adds to
/// `missing` that it has. Kernels of one or two dimensions are launched like
/// that; their texts don't mention the others.
bool Agreement::mayBeFixed(Symbol symbol, std::vector<Polynomial> &missing) {
  const auto isMentioned = [&](const Polynomial &value) {
    const std::vector<Symbol> symbols = symbolsDeep(value, Terms);
    return std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
  };
  if (symbol.kind != SymbolKind::GlobalIdx || symbol.index == 0 ||
      isMentioned(Values.front()) ||
      std::any_of(First.guard.begin(), First.guard.end(),
                  [&](const Constraint &constraint) {
                    return isMentioned(constraint.expression);
                  }))
    return false;
  const auto threads =
      multiply(First.stage.grid[symbol.index], First.stage.block[symbol.index]);
  auto spare = threads ? subtract(Polynomial(1), *threads) : std::nullopt;
  if (!spare || spare->asConstant() || !isKnownToHost(*threads, Terms))
    return false;
  missing.push_back(std::move(*spare));
  return true;
}

/// Returns the coordinates to try: the global index alone, else ThreadIdx and
/// BlockIdx.
std::vector<AxisSplit> splitsFor(const Stage &stage) {
  std::vector<AxisSplit> splits;
  for (unsigned mask = 0; mask < 8; ++mask) {
    const AxisSplit split = {(mask & 1) != 0, (mask & 2) != 0, (mask & 4) != 0};
    bool isUseful = true;
    for (std::uint32_t axis = 0; axis < 3; ++axis)
      if (split[axis] && stage.grid[axis] == Polynomial(1) &&
          stage.block[axis] == Polynomial(1))
        isUseful = false;
    if (isUseful)
      splits.push_back(split);
  }
  return splits;
}

} // namespace

bool tellsThreadsApart(const Polynomial &index, const Domain &first,
                       const Domain &second, const KnownFacts &facts) {
  for (const AxisSplit &split : splitsFor(first.stage)) {
    const auto one = splitAxes(index, first.stage, split);
    if (one && one == splitAxes(index, second.stage, split) &&
        Agreement(*one, first, second, facts, split).isOneThread())
      return true;
  }
  return false;
}

std::vector<Polynomial> missingRoom(const Polynomial &index,
                                    const Domain &domain,
                                    const KnownFacts &facts) {
  const auto whole = splitAxes(index, domain.stage, {});
  std::vector<Polynomial> missing;
  if (whole &&
      Agreement(*whole, domain, domain, facts, {}).isOneThread(&missing))
    return missing;
  return {};
}

} // namespace kfuse
