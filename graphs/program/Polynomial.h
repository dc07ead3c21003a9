//===- Polynomial.h - Integer polynomials over kernel symbols -------------===//
//
// The arithmetic in which indices, guards, grids and scalar arguments are
// compared. A polynomial is exact over the integers; two expressions are "the
// same" only when their polynomials are equal. What is not a polynomial
// (a division, a call, a loaded value) becomes one `Opaque` symbol for the
// whole term, interned by structure (Terms.h), so that equal terms stay equal.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GRAPHS_PROGRAM_POLYNOMIAL_H
#define KFUSE_GRAPHS_PROGRAM_POLYNOMIAL_H

#include <boost/container/flat_map.hpp>
#include <boost/container/small_vector.hpp>

#include <compare>
#include <cstdint>
#include <functional>
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
  /// Creates a polynomial of one term; the symbols of the monomial are sorted.
  Polynomial(Monomial monomial, std::int64_t coefficient);

  const TermMap &terms() const { return Terms; }
  bool isZero() const { return Terms.empty(); }
  /// Returns the value when no symbol occurs.
  std::optional<std::int64_t> asConstant() const;
  /// Returns the symbol when the polynomial is exactly one symbol.
  std::optional<Symbol> asSymbol() const;
  bool mentions(Symbol symbol) const;
  bool mentions(SymbolKind kind) const;
  /// Returns the symbols in ascending order, each once.
  std::vector<Symbol> symbols() const;
  struct LinearSplit;
  /// Splits into coefficient*symbol + rest, when `symbol` occurs at most
  /// linearly; returns nullopt otherwise.
  std::optional<LinearSplit> splitLinear(Symbol symbol) const;

  bool operator==(const Polynomial &other) const {
    return Terms == other.Terms;
  }
  /// Compares term by term, in the order in which the terms are sorted.
  std::strong_ordering operator<=>(const Polynomial &other) const;

private:
  friend std::optional<Polynomial>
  addMultiple(const Polynomial &, const Polynomial &, std::int64_t);
  friend std::optional<Polynomial> multiply(const Polynomial &,
                                            const Polynomial &);
  TermMap Terms;
};

struct Polynomial::LinearSplit {
  Polynomial coefficient;
  Polynomial rest;
};

struct QuotientAndRemainder {
  Polynomial quotient, remainder;
};

std::optional<Polynomial> add(const Polynomial &lhs, const Polynomial &rhs);
std::optional<Polynomial> subtract(const Polynomial &lhs,
                                   const Polynomial &rhs);
std::optional<Polynomial> negated(const Polynomial &value);
std::optional<Polynomial> multiply(const Polynomial &lhs,
                                   const Polynomial &rhs);
/// Returns the positive part of a difference, and what is subtracted from it.
std::pair<Polynomial, Polynomial> sidesOf(const Polynomial &difference);
struct QuotientAndRemainder;
/// Divides by a divisor that isn't zero, term by term: no term of the remainder
/// holds the divisor's leading one, the last of those with the most factors.
/// Returns nullopt if a coefficient overflows.
std::optional<QuotientAndRemainder> longDivision(const Polynomial &dividend,
                                                 const Polynomial &divisor);
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
/// Prints the polynomial like `2*threadIdx.x + n - 1`, each symbol by `name`.
std::string print(const Polynomial &polynomial,
                  const std::function<std::string(Symbol)> &name);
/// Prints the same with generic names (`threadIdx.x`, `param3`, `value7`,
/// `term2`).
std::string print(const Polynomial &polynomial);

} // namespace kfuse

#endif
