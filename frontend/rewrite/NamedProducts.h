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

/// What a local variable holds from its declaration or an assignment on.
struct NamedProduct {
  const clang::VarDecl *variable = nullptr;
  const clang::BinaryOperator *product = nullptr;
  bool isNegated = false;
  /// As a statement of its own, `v = a * b` or `v *= b`; nullptr for what the
  /// declaration gives.
  const clang::BinaryOperator *assignment = nullptr;
  /// How often it is read while the variable holds it, where that is known.
  std::optional<std::size_t> reads = {};
};

class NamedProducts {
public:
  /// Those of a function where the factors can be declared, too: the text of
  /// these places is that of the file.
  NamedProducts(const clang::FunctionDecl &function, FileTable &files);

  /// The product that a variable holds where the operand reads it, or changes
  /// it; nullptr for other operands.
  const NamedProduct *heldBy(const clang::Expr &operand) const;

private:
  std::deque<NamedProduct> All;
  llvm::DenseMap<const clang::DeclRefExpr *, const NamedProduct *> Reads;
};

/// The declarator, from the variable's name on.
SourceRange declarator(const clang::VarDecl &variable, FileTable &files);

/// What is behind minus signs, but for numbers, which have their own. Each
/// turns the sign.
const clang::Expr *unsign(const clang::Expr *value,
                          const clang::ASTContext &ast, int &sign);

} // namespace kfuse

#endif
