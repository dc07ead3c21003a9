//===- Polynomial.h - Integer polynomials over kernel symbols -------------===//
//
// The arithmetic in which indices, guards, grids and scalar arguments are
// compared. A polynomial is exact over the integers; two expressions are "the
// same" only when their polynomials are equal. What is not a polynomial
// (a division, a call, a loaded value) becomes one `Opaque` symbol for the
// whole term, interned by structure, so that equal terms stay equal.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GRAPHS_PROGRAM_POLYNOMIAL_H
#define KFUSE_GRAPHS_PROGRAM_POLYNOMIAL_H

#include <boost/container/flat_map.hpp>
#include <boost/container/small_vector.hpp>

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kfuse {

/// The meaning of a symbol, and how its `index` is read.
enum class SymbolKind : std::uint8_t {
  ThreadIdx,   ///< index = axis 0..2; 0 <= value < BlockDim(axis)
  BlockIdx,    ///< index = axis 0..2; 0 <= value < GridDim(axis)
  BlockDim,    ///< index = axis 0..2; at least 1
  GridDim,     ///< index = axis 0..2; at least 1
  GlobalIdx,   ///< index = axis; BlockIdx*BlockDim + ThreadIdx
  StrideIdx,   ///< index = axis; the variable of a grid-stride loop, which runs
               ///< over its domain once in the whole grid
  LoopCounter, ///< index into Kernel::loops
  Parameter,   ///< index into Kernel::scalars
  HostValue,   ///< index into Program::values: one value of one host variable
  Opaque,      ///< index into Program::terms
};

struct Symbol {
  SymbolKind kind;
  std::uint32_t index;
  auto operator<=>(const Symbol &) const = default;
};

/// The product of its symbols, sorted; empty for the constant term. Few have
/// more than four.
using Monomial = boost::container::small_vector<Symbol, 4>;

/// A sum of coefficient * monomial. Coefficients are never zero. Arithmetic
/// that would overflow 64 bits, or make a polynomial larger than any index is,
/// yields std::nullopt through the checked functions below; there is no
/// unchecked arithmetic.
class Polynomial {
public:
  /// The most terms of a sum, and factors of a product. Without these limits a
  /// square a statement takes twice the memory for each statement.
  static constexpr std::size_t MostTerms = 128, MostFactors = 64;

  /// Sorted by monomial. Legality makes millions of short ones: in one block of
  /// memory each.
  using TermMap = boost::container::flat_map<Monomial, std::int64_t>;

  Polynomial() = default;
  explicit Polynomial(std::int64_t constant);
  explicit Polynomial(Symbol symbol);
  /// One term; the symbols of the monomial are sorted.
  Polynomial(Monomial monomial, std::int64_t coefficient);

  const TermMap &terms() const { return Terms; }
  bool isZero() const { return Terms.empty(); }
  /// The value when no symbol occurs.
  std::optional<std::int64_t> asConstant() const;
  /// The symbol when the polynomial is exactly one symbol.
  std::optional<Symbol> asSymbol() const;
  bool mentions(Symbol symbol) const;
  bool mentions(SymbolKind kind) const;
  /// Symbols in ascending order, each once.
  std::vector<Symbol> symbols() const;
  /// The coefficient polynomial of `symbol` taken to the first power, when
  /// `symbol` occurs at most linearly: this == coefficient*symbol + rest.
  struct LinearSplit;
  std::optional<LinearSplit> splitLinear(Symbol symbol) const;

  bool operator==(const Polynomial &other) const {
    return Terms == other.Terms;
  }
  /// Term by term, as they are sorted.
  std::strong_ordering operator<=>(const Polynomial &other) const;

private:
  friend std::optional<Polynomial>
  addMultiple(const Polynomial &, const Polynomial &, std::int64_t);
  friend std::optional<Polynomial> multiply(const Polynomial &,
                                            const Polynomial &);
  friend std::optional<Polynomial> divideExactly(const Polynomial &,
                                                 const Polynomial &);
  TermMap Terms;
};

struct Polynomial::LinearSplit {
  Polynomial coefficient;
  Polynomial rest;
};

std::optional<Polynomial> add(const Polynomial &lhs, const Polynomial &rhs);
std::optional<Polynomial> subtract(const Polynomial &lhs,
                                   const Polynomial &rhs);
std::optional<Polynomial> multiply(const Polynomial &lhs,
                                   const Polynomial &rhs);
/// The positive part of a difference, and what is taken from it.
std::pair<Polynomial, Polynomial> sidesOf(const Polynomial &difference);
/// Returns the quotient, if there is one without a remainder.
std::optional<Polynomial> divideExactly(const Polynomial &dividend,
                                        const Polynomial &divisor);
/// Replaces every symbol for which `value` returns a polynomial.
std::optional<Polynomial>
substitute(const Polynomial &polynomial,
           const std::function<std::optional<Polynomial>(Symbol)> &value);
/// Evaluates the polynomial for the symbols' `value`s; nullopt if one is
/// missing or the arithmetic overflows.
std::optional<std::int64_t>
evaluate(const Polynomial &polynomial,
         const std::function<std::optional<std::int64_t>(Symbol)> &value);
/// `2*threadIdx.x + n - 1`, each symbol printed by `name`.
std::string print(const Polynomial &polynomial,
                  const std::function<std::string(Symbol)> &name);
/// The same with generic names (`threadIdx.x`, `param3`, `value7`, `term2`).
std::string print(const Polynomial &polynomial);

/// A number's width, and whether its arithmetic wraps.
struct IntegerType {
  std::uint8_t bits = 64;
  bool isUnsigned = false;
  auto operator<=>(const IntegerType &) const = default;
};

/// The operator of an opaque term.
enum class TermKind : std::uint8_t {
  Divide,    ///< C++ integer division (truncating) of operand 0 by operand 1
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

struct Term {
  TermKind kind;
  std::int64_t detail = 0;
  std::vector<Polynomial> operands;
  auto operator<=>(const Term &) const = default;
};

/// Interns opaque terms: structurally equal terms get one symbol.
class TermTable {
public:
  Symbol intern(Term term);
  Symbol unique(IntegerType type = {});
  const Term &operator[](Symbol opaque) const;
  std::size_t size() const { return Terms.size(); }
  /// Whether a symbol of the kind occurs in the term, at whatever depth.
  bool dependsOn(Symbol opaque, SymbolKind kind) const;
  /// Whether a term that is equal only to itself does.
  bool hasUnique(Symbol opaque) const;
  /// Whether a conversion does that may change the value.
  bool hasNarrow(Symbol opaque) const;

private:
  std::vector<Term> Terms;
  /// For each term a bit for each kind of symbol in it. Terms share subterms:
  /// looking into them each time would take twice as long for each level.
  std::vector<std::uint32_t> Kinds;
  std::map<Term, std::uint32_t> Index;
};

/// The value of a term whose operands are known well enough: constants, a
/// division by one, a selection whose condition is decided. Division by zero
/// and values outside 64 bits stay terms.
std::optional<Polynomial> fold(const Term &term);
/// The term folded, or its symbol.
Polynomial makeTerm(TermTable &terms, Term term);

/// Whether `polynomial` depends on a symbol of `kind`, looking through opaque
/// terms.
bool dependsOn(const Polynomial &polynomial, SymbolKind kind,
               const TermTable &terms);
/// The symbols of the polynomial and of all terms in it, each once, as they are
/// met.
std::vector<Symbol> symbolsDeep(const Polynomial &polynomial,
                                const TermTable &terms);
/// Whether the polynomial has more than `most` symbols when each term in it is
/// written out wherever it is mentioned: terms that share subterms make texts
/// without end.
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
/// One of these.
std::optional<Polynomial>
substituteDeep(const Polynomial &polynomial, TermTable &terms,
               const std::function<std::optional<Polynomial>(Symbol)> &value);

} // namespace kfuse

#endif
