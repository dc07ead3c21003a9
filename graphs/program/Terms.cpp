//===- Terms.cpp - Opaque terms, and polynomials over them ----------------===//

#include "graphs/program/Terms.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <set>

namespace kfuse {

static std::uint32_t bitOf(SymbolKind kind) {
  return std::uint32_t{1} << static_cast<unsigned>(kind);
}
static constexpr std::uint32_t UniqueBit = std::uint32_t{1} << 31;
static constexpr std::uint32_t NarrowBit = std::uint32_t{1} << 30;

Symbol TermTable::intern(Term term) {
  auto [place, isNew] =
      Index.try_emplace(term, static_cast<std::uint32_t>(Terms.size()));
  if (isNew) {
    std::uint32_t kinds = term.kind == TermKind::Unique   ? UniqueBit
                          : term.kind == TermKind::Narrow ? NarrowBit
                                                          : 0;
    for (const Polynomial &operand : term.operands)
      for (const auto &[monomial, coefficient] : operand.terms())
        for (Symbol symbol : monomial)
          kinds |=
              bitOf(symbol.kind) |
              (symbol.kind == SymbolKind::Opaque ? Kinds[symbol.index] : 0);
    Terms.push_back(std::move(term));
    Kinds.push_back(kinds);
  }
  return {SymbolKind::Opaque, place->second};
}

bool TermTable::dependsOn(Symbol opaque, SymbolKind kind) const {
  return (Kinds[opaque.index] & bitOf(kind)) != 0;
}

bool TermTable::hasUnique(Symbol opaque) const {
  return (Kinds[opaque.index] & UniqueBit) != 0;
}

bool TermTable::hasNarrow(Symbol opaque) const {
  return (Kinds[opaque.index] & NarrowBit) != 0;
}

Symbol TermTable::unique(IntegerType type) {
  Term term{TermKind::Unique, static_cast<std::int64_t>(Terms.size()), {}};
  if (type != IntegerType{})
    term.operands.emplace_back(type.isUnsigned ? std::int64_t{type.bits}
                                               : -std::int64_t{type.bits});
  return intern(std::move(term));
}

const Term &TermTable::operator[](Symbol opaque) const {
  assert(opaque.kind == SymbolKind::Opaque && "not an interned term");
  return Terms[opaque.index];
}

/// Returns whether a conversion of `value` to `bits` bits, negative for a
/// signed type, keeps it.
static bool fitsIn(std::int64_t value, std::int64_t bits) {
  if (bits < 0)
    return bits <= -64 || (value >= -(std::int64_t{1} << (-bits - 1)) &&
                           value < (std::int64_t{1} << (-bits - 1)));
  return value >= 0 && (bits >= 63 || value < (std::int64_t{1} << bits));
}

std::optional<Polynomial> fold(const Term &term) {
  std::vector<std::int64_t> known;
  for (const Polynomial &operand : term.operands)
    if (std::optional<std::int64_t> constant = operand.asConstant())
      known.push_back(*constant);
  if (term.kind == TermKind::Select && term.operands.size() == 3)
    if (std::optional<std::int64_t> condition = term.operands[0].asConstant())
      return term.operands[*condition != 0 ? 1 : 2];
  if (term.kind == TermKind::Divide && term.operands.size() == 2 &&
      term.operands[1] == Polynomial(1))
    return term.operands[0];
  if (known.empty() || known.size() != term.operands.size())
    return std::nullopt;
  const std::int64_t first = known[0], second = known.size() > 1 ? known[1] : 0;
  const bool divides =
      second != 0 &&
      !(second == -1 && first == std::numeric_limits<std::int64_t>::min());
  const bool shifts = first >= 0 && second >= 0 && second < 32;
  switch (term.kind) {
  case TermKind::Divide:
    return divides ? std::optional(Polynomial(first / second)) : std::nullopt;
  case TermKind::Remainder:
    return divides ? std::optional(Polynomial(first % second)) : std::nullopt;
  case TermKind::Minimum:
    return Polynomial(std::min(first, second));
  case TermKind::Maximum:
    return Polynomial(std::max(first, second));
  case TermKind::ShiftRight:
    return shifts ? std::optional(Polynomial(first >> second)) : std::nullopt;
  case TermKind::ShiftLeft:
    return shifts && first < (std::int64_t{1} << 31)
               ? std::optional(Polynomial(first << second))
               : std::nullopt;
  case TermKind::BitAnd:
    return Polynomial(first & second);
  case TermKind::BitOr:
    return Polynomial(first | second);
  case TermKind::BitXor:
    return Polynomial(first ^ second);
  case TermKind::Narrow:
    return fitsIn(first, term.detail) ? std::optional(Polynomial(first))
                                      : std::nullopt;
  case TermKind::Compare:
    switch (term.detail) {
    case 0:
      return Polynomial(std::int64_t{first == second});
    case 1:
      return Polynomial(std::int64_t{first != second});
    case 2:
      return Polynomial(std::int64_t{first < second});
    case 3:
      return Polynomial(std::int64_t{first <= second});
    default:
      return std::nullopt;
    }
  case TermKind::Select:
  case TermKind::Unique:
    return std::nullopt;
  }
  return std::nullopt;
}

Polynomial makeTerm(TermTable &terms, Term term) {
  if (std::optional<Polynomial> value = fold(term))
    return *value;
  return Polynomial(terms.intern(std::move(term)));
}

bool dependsOn(const Polynomial &polynomial, SymbolKind kind,
               const TermTable &terms) {
  for (const auto &[monomial, coefficient] : polynomial.terms())
    for (Symbol symbol : monomial)
      if (symbol.kind == kind ||
          (symbol.kind == SymbolKind::Opaque && terms.dependsOn(symbol, kind)))
        return true;
  return false;
}

std::vector<Symbol> symbolsDeep(const Polynomial &polynomial,
                                const TermTable &terms) {
  std::vector<Symbol> met;
  std::set<Symbol> known;
  const auto meet = [&](const Polynomial &part) {
    for (Symbol symbol : part.symbols())
      if (known.insert(symbol).second)
        met.push_back(symbol);
  };
  meet(polynomial);
  for (std::size_t i = 0; i < met.size(); ++i)
    if (met[i].kind == SymbolKind::Opaque)
      for (const Polynomial &operand : terms[met[i]].operands)
        meet(operand);
  return met;
}

/// Counts down for each symbol of the polynomial written out; returns false
/// when there are more than `left`.
static bool isWithin(std::size_t &left, const Polynomial &polynomial,
                     const TermTable &terms) {
  for (const auto &[monomial, coefficient] : polynomial.terms())
    for (Symbol symbol : monomial) {
      if (left-- == 0)
        return false;
      if (symbol.kind == SymbolKind::Opaque && symbol.index < terms.size())
        for (const Polynomial &operand : terms[symbol].operands)
          if (!isWithin(left, operand, terms))
            return false;
    }
  return true;
}

bool isLongerThan(std::size_t most, const Polynomial &polynomial,
                  const TermTable &terms) {
  return !isWithin(most, polynomial, terms);
}

std::optional<Polynomial>
DeepSubstitution::operator()(const Polynomial &polynomial) {
  bool failed = false;
  std::optional<Polynomial> result =
      substitute(polynomial, [&](Symbol symbol) -> std::optional<Polynomial> {
        const Replacement &known = replacement(symbol);
        failed |= known.failed;
        return known.value ? std::optional(*known.value) : std::nullopt;
      });
  return failed ? std::nullopt : result;
}

const DeepSubstitution::Replacement &
DeepSubstitution::replacement(Symbol symbol) {
  if (auto known = Known.find(symbol); known != Known.end())
    return known->second;
  Replacement result;
  if (std::optional<Polynomial> value = Value(symbol))
    result.value = std::make_unique<Polynomial>(*std::move(value));
  else if (symbol.kind == SymbolKind::Opaque)
    result = throughTerm(symbol);
  return Known.emplace(symbol, std::move(result)).first->second;
}

DeepSubstitution::Replacement DeepSubstitution::throughTerm(Symbol symbol) {
  // Copied, because interning may move the table.
  Term term = Terms[symbol];
  bool changed = false;
  for (Polynomial &operand : term.operands) {
    std::optional<Polynomial> bound = (*this)(operand);
    if (!bound)
      return {true, nullptr};
    changed |= *bound != operand;
    operand = std::move(*bound);
  }
  if (!changed)
    return {};
  return {false,
          std::make_unique<Polynomial>(makeTerm(Terms, std::move(term)))};
}

std::optional<Polynomial>
substituteDeep(const Polynomial &polynomial, TermTable &terms,
               const std::function<std::optional<Polynomial>(Symbol)> &value) {
  return DeepSubstitution(terms, value)(polynomial);
}

} // namespace kfuse
