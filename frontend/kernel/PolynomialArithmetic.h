//===- PolynomialArithmetic.h - Integer expressions as polynomials --------===//
//
// C++ integer arithmetic on IndexExpr. Signed arithmetic is exact, because its
// overflow is undefined. Unsigned arithmetic wraps: until somebody looks at the
// value itself, a polynomial stands for it modulo 2^bits. Operations that do
// (comparisons, wider types, divisions, indices) get the polynomial if it is
// known to fit into the type, and else a Narrow term of it.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_KERNEL_POLYNOMIALARITHMETIC_H
#define KFUSE_FRONTEND_KERNEL_POLYNOMIALARITHMETIC_H

#include "graphs/program/Program.h"
#include "graphs/program/Ranges.h"

namespace kfuse {

/// The guards that hold if a condition is true and if it is false.
struct Branch {
  Guard whenTrue, whenFalse;
};

/// Returns the branch of a condition about which nothing is known.
Branch unknownBranch();
bool isUnknown(const Guard &guard);

class KernelArithmetic {
public:
  /// Constructs arithmetic whose terms are in `terms`; `ranges` tells what
  /// values the kernel's symbols have.
  KernelArithmetic(TermTable &terms, Ranges::OfSymbol ranges);

  IndexExpr add(const IndexExpr &lhs, const IndexExpr &rhs) const;
  IndexExpr subtract(const IndexExpr &lhs, const IndexExpr &rhs) const;
  IndexExpr multiply(const IndexExpr &lhs, const IndexExpr &rhs) const;
  /// Returns a term of one or two operands, normalised. If an operand is no
  /// polynomial, it is the result.
  IndexExpr term(TermKind kind, const IndexExpr &lhs,
                 const IndexExpr &rhs) const;
  /// Returns `condition != 0 ? whenTrue : whenFalse`, and recognises minima and
  /// maxima.
  IndexExpr select(const Polynomial &condition, const IndexExpr &whenTrue,
                   const IndexExpr &whenFalse) const;
  /// Returns the value in `type` that differs from `value` by a multiple of
  /// 2^bits: `value` itself if it fits under `guard`, or a term.
  IndexExpr fitted(const IndexExpr &value, IntegerType type,
                   const Guard &guard) const;
  /// Checks whether `value` is in `type` by itself, if `guard` holds.
  bool fits(const Polynomial &value, IntegerType type,
            const Guard &guard) const;
  /// Returns `value` modulo 2^bits, with coefficients that a signed type of so
  /// many bits has: `i + 0xffffffffu` is `i - 1`.
  IndexExpr wrapped(const IndexExpr &value, unsigned bits) const;
  /// Returns the exact quotient, if every coefficient can be divided.
  IndexExpr divideExactly(const IndexExpr &value, std::int64_t divisor) const;
  /// Returns the same if parameters that aren't seen to be multiples are: a
  /// pitch in bytes is a whole number of elements (graphs/program/Terms.h).
  IndexExpr divideAligned(const IndexExpr &value, std::int64_t divisor) const;
  /// Rewrites `(x / w) * w + x % w` as `x`.
  Polynomial recombine(Polynomial value) const;

  /// Checks whether `value` is never negative, given that `guard` holds.
  bool isNonNegative(const Polynomial &value, const Guard &guard) const;

  /// Returns the branch of `value >= 0`, `== 0`, `!= 0`.
  Branch nonNegative(const IndexExpr &value) const;
  Branch zero(const IndexExpr &value) const;
  /// Returns the branch of a value used as a condition.
  Branch truth(const IndexExpr &value) const;
  /// Returns the conjunction as a polynomial that is 0 or 1.
  std::optional<Polynomial> boolean(const Guard &conjunction) const;
  /// Returns the negation of a conjunction, as a conjunction.
  Guard negation(const Guard &conjunction) const;

  /// Checks whether `value` mentions one of `symbols`, terms included.
  bool mentions(const Polynomial &value,
                const std::vector<Symbol> &symbols) const;

private:
  std::optional<Polynomial> wholeQuotient(Symbol symbol,
                                          std::int64_t divisor) const;
  Term quotientOf(const Term &remainder) const;
  Polynomial comparison(const Constraint &constraint) const;
  /// Returns 1 if `lhs` and `rhs`, both 0 or 1, are 1, and else 0: their
  /// product, or a term if the product would have too many terms.
  Polynomial both(const Polynomial &lhs, const Polynomial &rhs) const;
  std::optional<Constraint> constraintOf(Symbol symbol) const;
  /// Checks whether `value` is a product of comparisons, and so 0 or 1.
  bool isConjunction(const Polynomial &value) const;
  /// Returns the operand that is never less than the other, or nullptr if that
  /// isn't known.
  const Polynomial *largerOf(const Polynomial &lhs,
                             const Polynomial &rhs) const;
  /// The quotient or remainder, by a power of two, that a shift or a mask of
  /// what is never negative stands for.
  struct Digit {
    TermKind kind;
    Polynomial value;
    std::int64_t base;
  };
  std::optional<Digit> digitOf(TermKind kind, const Polynomial &lhs,
                               const Polynomial &rhs) const;

  TermTable &Terms;
  mutable Ranges Known; ///< remembers terms
};

} // namespace kfuse

#endif
