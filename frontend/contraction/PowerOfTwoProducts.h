//===- PowerOfTwoProducts.h - Products with powers of two -----------------===//
//
// Such a product has the digits of the other factor, so that it isn't rounded,
// and compilers know other forms of it.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_CONTRACTION_POWEROFTWOPRODUCTS_H
#define KFUSE_FRONTEND_CONTRACTION_POWEROFTWOPRODUCTS_H

#include <optional>

namespace clang {
class ASTContext;
class BinaryOperator;
class CastExpr;
class Expr;
} // namespace clang

namespace kfuse {

/// `number` times a power of two that compilers know, or its negative.
struct Scaling {
  const clang::Expr *number, *factor; ///< or what it is divided by
  int exponent;
  /// Checks whether the factor is one: compilers leave it out, except for its
  /// sign.
  bool isByOne() const { return exponent == 0; }
  /// Checks whether the factor is two: compilers add the number to itself.
  bool isByPowerOfTwo() const { return exponent == 1; }
};
std::optional<Scaling> scalingOf(const clang::BinaryOperator &operation,
                                 const clang::ASTContext &ast);

/// Checks whether `operation` is a product that is never rounded, so that
/// contracting it doesn't matter. Its factor is a power of two above one, or a
/// smaller one if the number was an integer, as in
/// `(float)seed / 4294967296.0f`. An exception is a product beyond the largest
/// number, which a contracted sum may bring back.
bool isExact(const clang::BinaryOperator &operation,
             const clang::ASTContext &ast);

/// Checks whether `rounded` is a product of numbers of the narrower type, in
/// which compilers may multiply them.
bool mayNarrow(const clang::CastExpr &rounded, const clang::ASTContext &ast);

} // namespace kfuse

#endif
