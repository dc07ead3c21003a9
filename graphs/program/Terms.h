//===- Terms.h - Opaque terms, and polynomials over them ------------------===//
//
// The operations that aren't polynomials. Each term is interned by its operator
// and operands, and a polynomial mentions it as one Opaque symbol. The
// functions here look through these symbols.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GRAPHS_PROGRAM_TERMS_H
#define KFUSE_GRAPHS_PROGRAM_TERMS_H

#include "graphs/program/Polynomial.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace kfuse {

/// A number's width, and whether its arithmetic wraps.
struct IntegerType {
  std::uint8_t bits = 64;
  bool isUnsigned = false;
  auto operator<=>(const IntegerType &) const = default;
};

/// The operator of an opaque term.
enum class TermKind : std::uint8_t {
  Divide,    ///< C++ integer division (truncating) of operand 0 by operand 1;
             ///< `detail` may be WholeQuotient
  Remainder, ///< C++ % of operand 0 by operand 1
  Minimum,
  Maximum,
  ShiftRight,
  ShiftLeft, ///< by a non-constant amount
  BitAnd,
  BitOr,
  BitXor,
  Narrow,  ///< conversion to `detail` bits, negative for a signed target
  Compare, ///< a boolean; `detail` 0 ==, 1 !=, 2 <, 3 <=
  Select,  ///< operand 0 != 0 ? operand 1 : operand 2
  /// Equal only to itself: `detail` is a serial number. An operand tells its
  /// type if that isn't one of 64 bits, as the detail of a Narrow term does.
  Unique,
};

/// The detail of a quotient in an index that is right only if there is no
/// remainder.
constexpr std::int64_t WholeQuotient = 1;

struct Term {
  TermKind kind;
  std::int64_t detail = 0;
  std::vector<Polynomial> operands;
  auto operator<=>(const Term &) const = default;
};

/// Checks whether the term is a quotient that can be computed wherever its
/// dividend can.
inline bool isQuotientByConstant(const Term &term) {
  return term.kind == TermKind::Divide && term.operands.size() == 2 &&
         term.operands[1].asConstant().value_or(0) > 0;
}

/// Interns opaque terms: structurally equal terms get one symbol.
class TermTable {
public:
  Symbol intern(Term term);
  Symbol unique(IntegerType type = {});
  const Term &operator[](Symbol opaque) const;
  std::size_t size() const { return Terms.size(); }
  /// Checks whether a symbol of the kind occurs in the term, at whatever depth.
  bool dependsOn(Symbol opaque, SymbolKind kind) const;
  /// Checks whether a term that is equal only to itself occurs in it.
  bool hasUnique(Symbol opaque) const;
  /// Checks whether a conversion that may change the value occurs in it.
  bool hasNarrow(Symbol opaque) const;

private:
  std::vector<Term> Terms;
  /// For each term a bit for each kind of symbol in it. Terms share subterms:
  /// looking into them each time would take twice as long for each level.
  std::vector<std::uint32_t> Kinds;
  std::map<Term, std::uint32_t> Index;
};

/// Returns the value of a term whose operands are known well enough: constants,
/// a division by one, a selection whose condition is decided. Division by zero
/// and values outside 64 bits stay terms.
std::optional<Polynomial> fold(const Term &term);
/// Returns the term folded, or its symbol.
Polynomial makeTerm(TermTable &terms, Term term);

/// Checks whether `polynomial` depends on a symbol of `kind`, looking through
/// opaque terms.
bool dependsOn(const Polynomial &polynomial, SymbolKind kind,
               const TermTable &terms);
/// Returns the symbols of the polynomial and of all terms in it, each once, as
/// they are met.
std::vector<Symbol> symbolsDeep(const Polynomial &polynomial,
                                const TermTable &terms);
/// Checks whether the polynomial has more than `most` symbols when each term in
/// it is written out wherever it is mentioned: terms that share subterms make
/// texts without end.
bool isLongerThan(std::size_t most, const Polynomial &polynomial,
                  const TermTable &terms);

/// Substitutions of the same values, also inside opaque terms (which are
/// folded, or interned anew). Terms share subterms, so what became of each one
/// is remembered: without that the work doubles at each level.
class DeepSubstitution {
public:
  using Values = std::function<std::optional<Polynomial>(Symbol)>;
  DeepSubstitution(TermTable &terms, Values values)
      : Terms(terms), Value(std::move(values)) {}

  std::optional<Polynomial> operator()(const Polynomial &polynomial);

private:
  /// The replacement of a symbol; `value` is nullptr for one that doesn't
  /// change.
  struct Replacement {
    bool failed = false;
    std::unique_ptr<Polynomial> value;
  };
  const Replacement &replacement(Symbol symbol);
  Replacement throughTerm(Symbol symbol);

  TermTable &Terms;
  Values Value;
  std::map<Symbol, Replacement> Known;
};
/// Substitutes once, as a DeepSubstitution does.
std::optional<Polynomial>
substituteDeep(const Polynomial &polynomial, TermTable &terms,
               const std::function<std::optional<Polynomial>(Symbol)> &value);

} // namespace kfuse

#endif
