//===- Pitches.cpp - Elements in other rows or other columns --------------===//

#include "fusion/dependence/Pitches.h"

#include "fusion/dependence/Injective.h"
#include "fusion/dependence/Intervals.h"

#include <algorithm>

namespace kfuse {
namespace {

/// The most lengths that are tried, and how often rows of rows are split.
constexpr std::size_t MostPitches = 8;
constexpr unsigned MostSplits = 1;

/// An access, with a part of its index in place of it.
struct Part {
  StageAccess access;
  const Stage &stage;

  Part with(Polynomial index) const {
    Part part = *this;
    part.access.index = std::move(index);
    return part;
  }
  const Polynomial &index() const { return std::get<Polynomial>(access.index); }
};

/// Checks whether a host knows what the symbol stands for.
bool isOfHost(Symbol symbol, const TermTable &terms) {
  return symbol.kind == SymbolKind::HostValue ||
         (symbol.kind == SymbolKind::Opaque &&
          !varies(Polynomial(symbol), terms));
}

/// Adds what the index multiplies a symbol by, and the host's values that it
/// multiplies.
void addPitches(const Part &part, const TermTable &terms,
                std::vector<Polynomial> &pitches) {
  const auto add = [&](const Polynomial &pitch) {
    if (pitches.size() < MostPitches && !varies(pitch, terms) &&
        pitch != Polynomial(1) &&
        std::find(pitches.begin(), pitches.end(), pitch) == pitches.end())
      pitches.push_back(pitch);
  };
  const std::vector<Symbol> symbols = part.index().symbols();
  for (const Symbol symbol : symbols)
    if (const auto split = part.index().splitLinear(symbol);
        split &&
        (varies(Polynomial(symbol), terms) || !split->coefficient.asConstant()))
      add(split->coefficient);
  for (const auto &[monomial, coefficient] : part.index().terms())
    for (const Symbol symbol : monomial)
      if (monomial.size() > 1 && isOfHost(symbol, terms))
        add(Polynomial(symbol));
}

/// Checks whether hosts know the value, and may know others.
bool isTestable(const Polynomial &value, const TermTable &terms) {
  const std::vector<Symbol> symbols = value.symbols();
  return !value.asConstant() &&
         std::all_of(symbols.begin(), symbols.end(),
                     [&](Symbol symbol) { return isOfHost(symbol, terms); });
}

/// Checks whether hosts know the value, and large sizes make it large.
bool mayBeLarge(const Polynomial &value, const TermTable &terms) {
  const auto isPositive = [](const auto &term) {
    return term.first.empty() || term.second > 0;
  };
  return isTestable(value, terms) &&
         std::all_of(value.terms().begin(), value.terms().end(), isPositive);
}

class RowComparison {
public:
  RowComparison(std::vector<Polynomial> pitches, const KnownFacts &facts)
      : Pitches(std::move(pitches)), Facts(facts) {}

  std::vector<Rooms> ways(const Part &one, const Part &two,
                          unsigned splits) const {
    std::vector<Rooms> found;
    for (const Polynomial &pitch : Pitches) {
      const auto first = longDivision(one.index(), pitch);
      const auto second = longDivision(two.index(), pitch);
      if (!first || !second ||
          (first->quotient.isZero() && second->quotient.isZero()))
        continue;
      const Part column = one.with(first->remainder);
      const Part other = two.with(second->remainder);
      const std::optional<Rooms> within = roomWithin(pitch, column, other);
      if (!within)
        continue;
      const Part row = one.with(first->quotient);
      const Part otherRow = two.with(second->quotient);
      for (const auto &[left, right] :
           {std::pair(column, other), {row, otherRow}}) {
        std::vector<Rooms> apart = waysApart(left, right);
        if (splits > 0 && !isSettled(apart))
          for (Rooms &way : ways(left, right, splits - 1))
            apart.push_back(std::move(way));
        for (Rooms &way : apart) {
          way.insert(way.begin(), within->begin(), within->end());
          found.push_back(std::move(way));
        }
      }
      if (isSettled(found))
        return {Rooms()};
    }
    return found;
  }

  std::vector<Rooms> waysInRows(const Part &one, const Part &two) const {
    std::vector<Rooms> found;
    for (const Polynomial &pitch : Pitches) {
      const auto first = longDivision(one.index(), pitch);
      const auto second = longDivision(two.index(), pitch);
      if (!first || !second || first->quotient != second->quotient ||
          first->quotient.mentions(SymbolKind::LoopCounter) ||
          !isColumn(first->remainder) || !isColumn(second->remainder))
        continue;
      const std::optional<Rooms> within =
          roomWithin(pitch, one.with(first->remainder),
                     two.with(second->remainder), isTestable);
      if (within &&
          tellsThreadsApart(first->quotient, {one.stage, one.access.guard},
                            {two.stage, two.access.guard}, Facts))
        found.push_back(*within);
      if (isSettled(found))
        return {Rooms()};
    }
    return found;
  }

private:
  /// Checks whether all threads have the same columns, so that a row is longer
  /// for more than few of them.
  bool isColumn(const Polynomial &value) const {
    const std::vector<Symbol> symbols = value.symbols();
    return std::all_of(symbols.begin(), symbols.end(), [this](Symbol symbol) {
      return symbol.kind == SymbolKind::LoopCounter ||
             !varies(Polynomial(symbol), *Facts.terms);
    });
  }

  /// Checks whether a value is worth a test.
  using IsTest = bool (*)(const Polynomial &, const TermTable &);

  static bool isSettled(const std::vector<Rooms> &ways) {
    return std::any_of(ways.begin(), ways.end(),
                       [](const Rooms &way) { return way.empty(); });
  }

  std::optional<Interval> interval(const Part &part) const {
    return intervalOf(part.access, part.stage, Facts);
  }

  /// Returns what a value of `high` lacks to be less than one of `low` by at
  /// least `distance`.
  std::optional<Rooms> roomBelow(const std::vector<Polynomial> &high,
                                 const std::vector<Polynomial> &low,
                                 const Polynomial &distance,
                                 IsTest isTest = mayBeLarge) const {
    std::optional<Rooms> found;
    for (const Polynomial &from : low)
      for (const Polynomial &to : high) {
        const auto least = add(to, distance);
        const auto room = least ? subtract(from, *least) : std::nullopt;
        if (room && provesNonNegative(Facts, *room))
          return Rooms();
        if (room && !found && isTest(*room, *Facts.terms))
          found = Rooms{*room};
      }
    return found;
  }

  std::vector<Rooms> waysApart(const Part &one, const Part &two) const {
    const auto first = interval(one), second = interval(two);
    std::vector<Rooms> ways;
    if (first && second)
      for (auto &way : {roomBelow(first->high, second->low, Polynomial(1)),
                        roomBelow(second->high, first->low, Polynomial(1))})
        if (way)
          ways.push_back(*way);
    return ways;
  }

  /// Returns what is lacking for each column of one to lie less than a pitch
  /// from each of the other.
  std::optional<Rooms> roomWithin(const Polynomial &pitch, const Part &one,
                                  const Part &two,
                                  IsTest isTest = mayBeLarge) const {
    const auto first = interval(one), second = interval(two);
    const auto reach = subtract(Polynomial(1), pitch);
    if (!first || !second || !reach)
      return std::nullopt;
    std::optional<Rooms> rooms =
        roomBelow(first->high, second->low, *reach, isTest);
    const auto more = rooms
                          ? roomBelow(second->high, first->low, *reach, isTest)
                          : std::nullopt;
    if (!more)
      return std::nullopt;
    rooms->insert(rooms->end(), more->begin(), more->end());
    return rooms;
  }

  std::vector<Polynomial> Pitches;
  const KnownFacts &Facts;
};

RowComparison comparisonOf(const Part &one, const Part &two,
                           const KnownFacts &facts) {
  std::vector<Polynomial> pitches;
  addPitches(one, *facts.terms, pitches);
  addPitches(two, *facts.terms, pitches);
  return {std::move(pitches), facts};
}

} // namespace

std::vector<Rooms> waysToDiffer(const StageAccess &first,
                                const Stage &firstStage,
                                const StageAccess &second,
                                const Stage &secondStage,
                                const KnownFacts &facts) {
  const Part one{first, firstStage}, two{second, secondStage};
  return comparisonOf(one, two, facts).ways(one, two, MostSplits);
}

std::vector<Rooms> waysToStayInRows(const StageAccess &first,
                                    const Stage &firstStage,
                                    const StageAccess &second,
                                    const Stage &secondStage,
                                    const KnownFacts &facts) {
  const Part one{first, firstStage}, two{second, secondStage};
  return comparisonOf(one, two, facts).waysInRows(one, two);
}

} // namespace kfuse
