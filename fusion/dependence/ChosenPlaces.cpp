//===- ChosenPlaces.cpp - Places that a thread chooses near its own -------===//

#include "fusion/dependence/ChosenPlaces.h"

#include "fusion/dependence/Bounds.h"
#include "fusion/dependence/Contradictions.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

namespace kfuse {
namespace {

bool isSmall(std::int64_t number) {
  return number >= -Window::Furthest && number <= Window::Furthest;
}

/// The distances that the choices lead to, as far as they are constants.
class Leaves {
public:
  Leaves(Bounds &bounds, const TermTable &terms)
      : Limits(bounds), Terms(terms) {}

  void visit(const Polynomial &distance) {
    constexpr unsigned Most = 64;
    if (++Visited > Most)
      return;
    for (const Symbol symbol : distance.symbols()) {
      if (symbol.kind != SymbolKind::Opaque)
        continue;
      for (const Polynomial &value : valuesOf(Terms[symbol]))
        if (const auto leaf = substitute(
                distance, [&](Symbol other) -> std::optional<Polynomial> {
                  return other == symbol ? std::optional(value) : std::nullopt;
                }))
          visit(*leaf);
      return;
    }
    const std::vector<Symbol> symbols = distance.symbols();
    if (!std::all_of(symbols.begin(), symbols.end(), [](Symbol symbol) {
          return symbol.kind == SymbolKind::LoopCounter;
        })) {
      // At the first thread `1 - x` is 1.
      const auto first = distance.terms().find(Monomial{});
      if (first != distance.terms().end() && isSmall(first->second))
        farthest = std::max(farthest, std::abs(first->second));
      return;
    }
    for (const auto &bounds : {Limits.lower(distance), Limits.upper(distance)})
      for (const Polynomial &bound : bounds)
        if (const auto constant = bound.asConstant()) {
          least = std::min(least, *constant);
          most = std::max(most, *constant);
        }
  }

  /// The thread's own place counts.
  std::int64_t least = 0, most = 0;
  std::int64_t farthest = 0; ///< in what is no constant

private:
  static std::vector<Polynomial> valuesOf(const Term &term) {
    switch (term.kind) {
    case TermKind::Minimum:
    case TermKind::Maximum:
    case TermKind::Narrow:
      return term.operands;
    case TermKind::Select:
      return {term.operands[1], term.operands[2]};
    case TermKind::Compare:
      return {Polynomial(0), Polynomial(1)};
    default:
      return {};
    }
  }

  Bounds &Limits;
  const TermTable &Terms;
  unsigned Visited = 0;
};

std::optional<Constraint> atLeast(const Polynomial &value, std::int64_t least) {
  auto room = subtract(value, Polynomial(least));
  return room ? std::optional(
                    Constraint{Relation::NonNegative, *std::move(room)})
              : std::nullopt;
}

/// Writes sums in the numbers that the text names where a load stands.
class Naming {
public:
  Naming(const StageAccess &read, const Stage &stage, const TermTable &terms)
      : Names(read.access->names), TheStage(stage), Terms(terms) {
    for (const NamedValue &name : Names)
      Values.push_back(canonical(name.value, stage, terms));
  }

  /// Returns nullopt if something in the sum has no name.
  std::optional<std::string> sum(const Polynomial &value) {
    std::vector<Part> parts;
    std::optional<std::int64_t> constant;
    for (const bool mayWrite : {false, true})
      for (std::size_t most = 0; most <= MostParts && !constant; ++most)
        constant = split(value, parts, most, mayWrite);
    if (!constant)
      return std::nullopt;
    std::string text;
    const auto append = [&](bool isAdded, const std::string &part) {
      text += text.empty() ? (isAdded ? "" : "-") : isAdded ? " + " : " - ";
      text += part;
    };
    for (const bool isAdded : {true, false})
      for (const Part &part : parts)
        if (part.isAdded == isAdded)
          append(isAdded, part.text);
    if (*constant != 0 || text.empty())
      append(*constant >= 0, std::to_string(std::abs(*constant)));
    return text;
  }

  /// Some number is of a type whose differences wrap.
  bool isUnsigned = false;
  /// A term is written anew, as the text has no name for it.
  bool hasOwnTerm = false;

private:
  static constexpr std::size_t MostParts = 4;
  struct Part {
    bool isAdded = true;
    std::string text;
  };

  /// Splits a sum into parts, and returns the constant that is left. A part
  /// takes away the last symbol, one of a term if there is any. `mayWrite` says
  /// that a term without a name may be written anew.
  std::optional<std::int64_t> split(const Polynomial &rest,
                                    std::vector<Part> &parts, std::size_t most,
                                    bool mayWrite) {
    if (const auto constant = rest.asConstant())
      return constant;
    if (parts.size() == most)
      return std::nullopt;
    const Symbol symbol = rest.symbols().back();
    const auto take =
        [&](const Polynomial &value,
            const std::string &text) -> std::optional<std::int64_t> {
      for (const bool isAdded : {true, false}) {
        const auto left = isAdded ? subtract(rest, value) : add(rest, value);
        if (!left || left->mentions(symbol))
          continue;
        parts.push_back({isAdded, text});
        if (const auto constant = split(*left, parts, most, mayWrite))
          return constant;
        parts.pop_back();
      }
      return std::nullopt;
    };
    for (std::size_t i = 0; i < Names.size(); ++i)
      if (Values[i] && Values[i]->mentions(symbol))
        if (const auto constant = take(*Values[i], Names[i].text)) {
          isUnsigned |= Names[i].isUnsigned;
          return constant;
        }
    if (symbol.kind != SymbolKind::Opaque || !mayWrite)
      return std::nullopt;
    const auto written = term(Terms[symbol]);
    const auto constant =
        written ? take(Polynomial(symbol), *written) : std::nullopt;
    hasOwnTerm |= constant.has_value();
    return constant;
  }

  std::optional<std::string> sumInText(const std::optional<Polynomial> &value) {
    const auto own = value ? canonical(*value, TheStage, Terms) : std::nullopt;
    return own ? sum(*own) : std::nullopt;
  }

  /// Writes `value >= 0` as people do: `x > 0`, `y + 1 < h`.
  std::optional<std::string>
  notNegative(const std::optional<Polynomial> &value) {
    if (!value)
      return std::nullopt;
    auto [more, less] = sidesOf(*value);
    const auto before = subtract(less, Polynomial(1));
    const bool isStrict =
        before && less.terms().contains(Monomial{}) && !less.isZero();
    const auto large = sumInText(more);
    const auto small = sumInText(isStrict ? *before : less);
    if (!large || !small)
      return std::nullopt;
    const std::string equal = isStrict ? "" : "=";
    return less.asConstant() ? *large + " >" + equal + " " + *small
                             : *small + " <" + equal + " " + *large;
  }

  std::optional<std::string> condition(const Polynomial &value, bool holds) {
    const auto opposite = subtract(Polynomial(1), value);
    const auto symbol = value.asSymbol();
    if (!symbol && opposite && opposite->asSymbol())
      return condition(*opposite, !holds);
    if (!symbol || symbol->kind != SymbolKind::Opaque ||
        Terms[*symbol].kind != TermKind::Compare)
      return std::nullopt;
    const Term &compare = Terms[*symbol];
    const Polynomial &a = compare.operands[0], &b = compare.operands[1];
    if (compare.detail >= 2) { // a < b, a <= b
      const auto room = holds ? subtract(b, a) : subtract(a, b);
      const bool isStrict = holds == (compare.detail == 2);
      return notNegative(room && isStrict ? subtract(*room, Polynomial(1))
                                          : room);
    }
    const auto difference = subtract(a, b);
    const auto [one, other] =
        difference ? sidesOf(*difference) : std::pair(a, b);
    const auto left = sumInText(one), right = sumInText(other);
    return left && right
               ? std::optional(
                     *left +
                     (holds == (compare.detail == 0) ? " == " : " != ") +
                     *right)
               : std::nullopt;
  }

  /// Writes a term anew: the kernel has its condition, but not its value.
  std::optional<std::string> term(const Term &term) {
    constexpr unsigned MostNested = 4;
    if (Nested == MostNested)
      return std::nullopt;
    ++Nested;
    std::optional<std::string> text;
    if (term.kind == TermKind::Select) {
      const auto test = condition(term.operands[0], true);
      const auto one = sumInText(term.operands[1]);
      const auto other = sumInText(term.operands[2]);
      if (test && one && other)
        text = "(" + *test + " ? " + *one + " : " + *other + ")";
    } else if (term.operands.size() == 2 && (term.kind == TermKind::Minimum ||
                                             term.kind == TermKind::Maximum)) {
      const auto one = sumInText(term.operands[0]);
      const auto other = sumInText(term.operands[1]);
      if (one && other)
        text = (term.kind == TermKind::Minimum ? "min(" : "max(") + *one +
               ", " + *other + ")";
    }
    --Nested;
    return text;
  }

  const std::vector<NamedValue> &Names;
  std::vector<std::optional<Polynomial>> Values;
  const Stage &TheStage;
  const TermTable &Terms;
  unsigned Nested = 0;
};

} // namespace

RunningAccess::RunningAccess(const StageAccess &access, const Stage &stage,
                             const KnownFacts &facts)
    : TheStage(stage), Known(facts) {
  const auto assume = [this](Relation relation, const Polynomial &value) {
    if (const auto text = inText(value))
      Holds.all.push_back({relation, *text});
  };
  for (const Constraint &constraint : access.guard)
    if (constraint.relation != Relation::Unknown)
      assume(constraint.relation, constraint.expression);
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const Polynomial place(Symbol{SymbolKind::GlobalIdx, axis});
    const auto threads = multiply(stage.grid[axis], stage.block[axis]);
    const auto room = threads ? subtract(*threads, place) : threads;
    if (const auto inside = room ? subtract(*room, Polynomial(1)) : room)
      assume(Relation::NonNegative, *inside);
  }
  Bounds bounds(stage, splitGuard(access.guard, stage, {}), {}, facts,
                access.access->loops);
  for (const std::uint32_t loop : access.access->loops) {
    const Polynomial counter(Symbol{SymbolKind::LoopCounter, loop});
    for (const Polynomial &high : bounds.upper(counter))
      if (const auto room = subtract(high, counter))
        assume(Relation::NonNegative, *room);
  }
}

std::optional<Polynomial> RunningAccess::inText(const Polynomial &value) const {
  return substitute(value, [&](Symbol symbol) -> std::optional<Polynomial> {
    if (symbol.kind != SymbolKind::GlobalIdx)
      return std::nullopt;
    const auto before =
        multiply(Polynomial(Symbol{SymbolKind::BlockIdx, symbol.index}),
                 TheStage.block[symbol.index]);
    return before ? add(*before,
                        Polynomial(Symbol{SymbolKind::ThreadIdx, symbol.index}))
                  : std::nullopt;
  });
}

bool RunningAccess::implies(const Constraint &wanted) const {
  const auto text = inText(wanted.expression);
  if (!text || wanted.relation == Relation::Unknown)
    return false;
  const std::vector<Statements> ways =
      negations({{{wanted.relation, *text}}, {}});
  return !ways.empty() &&
         std::all_of(ways.begin(), ways.end(), [this](const Statements &way) {
           Statements all = Holds;
           all.add(way);
           return isContradiction(all, Known);
         });
}

bool RunningAccess::implies(const Guard &wanted) const {
  return std::all_of(
      wanted.begin(), wanted.end(),
      [this](const Constraint &constraint) { return implies(constraint); });
}

bool isChosen(const Polynomial &distance) {
  return distance.mentions(SymbolKind::Opaque) ||
         distance.mentions(SymbolKind::GlobalIdx);
}

std::optional<Window::Choice>
choiceOf(std::uint32_t axis, const Polynomial &distance,
         const StageAccess &read, const Stage &stage, const KnownFacts &facts) {
  const std::vector<Symbol> symbols = distance.symbols();
  const bool hasTerm =
      std::any_of(symbols.begin(), symbols.end(), [&](Symbol symbol) {
        return symbol.kind == SymbolKind::Opaque &&
               varies(Polynomial(symbol), *facts.terms);
      });
  if (!hasTerm || !stage.hasOwnTerms)
    return std::nullopt;
  const RunningAccess running(read, stage, facts);
  const auto text = running.inText(distance);
  const auto opposite = negated(distance);
  if (!text || !opposite)
    return std::nullopt;
  Bounds bounds(stage, splitGuard(read.guard, stage, {}), {}, facts,
                read.access->loops);
  Leaves leaves(bounds, *facts.terms);
  leaves.visit(*text);
  // A mirror turns around: what is chosen on one side may come on the other.
  const auto provedAt = [&](const Polynomial &value, std::int64_t one,
                            std::int64_t other) -> std::optional<std::int64_t> {
    const std::int64_t both = std::max(one, other);
    for (const std::int64_t far :
         std::set{one, both, std::max(both, leaves.farthest)})
      if (const auto wanted = atLeast(value, -far);
          isSmall(far) && wanted && running.implies(*wanted))
        return -far;
    return std::nullopt;
  };
  const auto least = provedAt(distance, -leaves.least, leaves.most);
  const auto most =
      least ? provedAt(*opposite, leaves.most, -leaves.least) : std::nullopt;
  if (!most)
    return std::nullopt;
  return Window::Choice{axis, distance, static_cast<std::int32_t>(*least),
                        static_cast<std::int32_t>(-*most)};
}

std::optional<std::string> distanceText(const Polynomial &distance,
                                        const StageAccess &read,
                                        const Stage &stage,
                                        const KnownFacts &facts) {
  Naming naming(read, stage, *facts.terms);
  const auto text = naming.sum(distance);
  // Written anew, numbers of mixed types could compare otherwise.
  if (!text || (naming.hasOwnTerm && naming.isUnsigned))
    return std::nullopt;
  return naming.isUnsigned ? "(int)(" + *text + ")" : *text;
}

} // namespace kfuse
