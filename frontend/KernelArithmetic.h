//===- frontend/KernelArithmetic.h - Integer expressions as polynomials ---===//
//
// C++ integer arithmetic on IndexExpr. Signed arithmetic is exact, because its
// overflow is undefined; unsigned values are exact as indices, and conversions
// and comparisons that would see a wrapped value wrap it in a Narrow term.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_KERNELARITHMETIC_H
#define KFUSE_FRONTEND_KERNELARITHMETIC_H

#include "graphs/Program.h"

#include <functional>

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
  /// `isUnsigned` tells of a Parameter symbol whether its type is unsigned.
  KernelArithmetic(TermTable &terms, std::function<bool(Symbol)> isUnsigned);

  IndexExpr add(const IndexExpr &lhs, const IndexExpr &rhs) const;
  IndexExpr subtract(const IndexExpr &lhs, const IndexExpr &rhs) const;
  IndexExpr multiply(const IndexExpr &lhs, const IndexExpr &rhs) const;
  /// A term of one or two operands, normalised; either may be no polynomial.
  IndexExpr term(TermKind kind, const IndexExpr &lhs,
                 const IndexExpr &rhs) const;
  /// `condition != 0 ? whenTrue : whenFalse`; recognises minima and maxima.
  IndexExpr select(const Polynomial &condition, const IndexExpr &whenTrue,
                   const IndexExpr &whenFalse) const;
  /// The value after a conversion to `bits` bits.
  IndexExpr narrow(const IndexExpr &value, unsigned bits, bool isSigned) const;
  /// The value that a variable of `bits` unsigned bits has, whose polynomial is
  /// `value` modulo 2^bits.
  IndexExpr asUnsigned(const IndexExpr &value, unsigned bits,
                       const Guard &guard) const;
  /// The same modulo 2^bits, with coefficients that a signed type of so many
  /// bits has: `i + 0xffffffffu` is `i - 1`.
  IndexExpr wrapped(const IndexExpr &value, unsigned bits) const;
  /// A sum of which an unsigned parameter, maybe a negative number in disguise,
  /// is a part.
  bool mayWrap(const IndexExpr &value) const;
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
  Polynomial comparison(const Constraint &constraint) const;
  std::optional<Constraint> constraintOf(Symbol symbol) const;
  bool isNonNegative(Symbol symbol) const;

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
  std::function<bool(Symbol)> IsUnsigned;
};

} // namespace kfuse

#endif
