//===- Arithmetic.h - Integer expressions as polynomials ------------------===//
//
// C++ integer arithmetic on IndexExpr. Signed arithmetic is exact, because its
// overflow is undefined. Unsigned arithmetic wraps: until somebody looks at the
// value itself, a polynomial stands for it modulo 2^bits. Who does
// (comparisons, wider types, divisions, indices) gets the polynomial where it
// is known to fit into the type, and else a Narrow term of it.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_KERNEL_ARITHMETIC_H
#define KFUSE_FRONTEND_KERNEL_ARITHMETIC_H

#include "graphs/program/Program.h"
#include "graphs/program/Ranges.h"

namespace kfuse {

/// What a guard says of the two ways a condition can turn out.
struct Branch {
  Guard whenTrue, whenFalse;
};

/// A condition of which nothing is known.
Branch unknownBranch();
bool isUnknown(const Guard &guard);

class KernelArithmetic {
public:
  /// `ranges` tells what values the kernel's symbols have.
  KernelArithmetic(TermTable &terms, Ranges::OfSymbol ranges);

  IndexExpr add(const IndexExpr &lhs, const IndexExpr &rhs) const;
  IndexExpr subtract(const IndexExpr &lhs, const IndexExpr &rhs) const;
  IndexExpr multiply(const IndexExpr &lhs, const IndexExpr &rhs) const;
  /// A term of one or two operands, normalised; either may be no polynomial.
  IndexExpr term(TermKind kind, const IndexExpr &lhs,
                 const IndexExpr &rhs) const;
  /// `condition != 0 ? whenTrue : whenFalse`; recognises minima and maxima.
  IndexExpr select(const Polynomial &condition, const IndexExpr &whenTrue,
                   const IndexExpr &whenFalse) const;
  /// The value in a type, of which `value` is a multiple of 2^bits away: itself
  /// where it fits if the guard holds, or a term.
  IndexExpr fitted(const IndexExpr &value, IntegerType type,
                   const Guard &guard) const;
  /// Whether it is such a value by itself.
  bool fits(const Polynomial &value, IntegerType type,
            const Guard &guard) const;
  /// The same modulo 2^bits, with coefficients that a signed type of so many
  /// bits has: `i + 0xffffffffu` is `i - 1`.
  IndexExpr wrapped(const IndexExpr &value, unsigned bits) const;
  /// The exact quotient, if every coefficient can be divided.
  IndexExpr divideExactly(const IndexExpr &value, std::int64_t divisor) const;
  /// `(x / w) * w + x % w` as `x`.
  Polynomial recombine(Polynomial value) const;

  /// Never negative, given that `guard` holds.
  bool isNonNegative(const Polynomial &value, const Guard &guard) const;

  /// The branch of `value >= 0`, `== 0`, `!= 0`.
  Branch nonNegative(const IndexExpr &value) const;
  Branch zero(const IndexExpr &value) const;
  /// The branch of a value used as a condition.
  Branch truth(const IndexExpr &value) const;
  /// The conjunction as a polynomial that is 0 or 1.
  std::optional<Polynomial> boolean(const Guard &conjunction) const;
  /// The negation of a conjunction, as a conjunction.
  Guard negation(const Guard &conjunction) const;

  /// Whether the value mentions one of `symbols`, terms included.
  bool mentions(const Polynomial &value,
                const std::vector<Symbol> &symbols) const;

private:
  Term quotientOf(const Term &remainder) const;
  Polynomial comparison(const Constraint &constraint) const;
  /// Of two values that are 0 or 1, whether both are 1. The product, but for
  /// that of many sums, which would have twice as many terms for each: a term.
  Polynomial both(const Polynomial &lhs, const Polynomial &rhs) const;
  std::optional<Constraint> constraintOf(Symbol symbol) const;
  /// A product of comparisons, so 0 or 1.
  bool isConjunction(const Polynomial &value) const;
  /// The one that is never less than the other; nullptr where that isn't known.
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
