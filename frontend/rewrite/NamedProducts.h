//===- NamedProducts.h - Products that variables hold ---------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_NAMEDPRODUCTS_H
#define KFUSE_FRONTEND_REWRITE_NAMEDPRODUCTS_H

#include "frontend/syntax/SourceRanges.h"

#include "llvm/ADT/DenseMap.h"

#include <deque>
#include <optional>

namespace clang {
class BinaryOperator;
class DeclRefExpr;
class Expr;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace kfuse {

/// A product that a local variable holds from a declaration or assignment on.
struct NamedProduct {
  const clang::VarDecl *variable = nullptr;
  const clang::BinaryOperator *product = nullptr;
  bool isNegated = false;
  /// The statement `v = a * b` or `v *= b`; nullptr if the declaration gives
  /// the value.
  const clang::BinaryOperator *assignment = nullptr;
  /// How often it is read while the variable holds it, if that is known.
  std::optional<std::size_t> reads = {};
};

class NamedProducts {
public:
  /// Finds the products in `function` whose factors can be declared, too: the
  /// text of these places is that of the file.
  NamedProducts(const clang::FunctionDecl &function, FileTable &files);

  /// Returns the product that a variable holds when `operand` reads it or
  /// changes it; nullptr for other operands.
  const NamedProduct *heldBy(const clang::Expr &operand) const;

private:
  std::deque<NamedProduct> All;
  llvm::DenseMap<const clang::DeclRefExpr *, const NamedProduct *> Reads;
};

/// Returns the range of the declarator, from the variable's name on.
SourceRange declarator(const clang::VarDecl &variable, FileTable &files);

/// Returns `value` without its minus signs, except those of numbers. Each turns
/// `sign`.
const clang::Expr *unsign(const clang::Expr *value,
                          const clang::ASTContext &ast, int &sign);

} // namespace kfuse

#endif
