//===- frontend/HeldProducts.h - Products that variables hold -------------===//
#ifndef KFUSE_FRONTEND_HELDPRODUCTS_H
#define KFUSE_FRONTEND_HELDPRODUCTS_H

#include "frontend/SourceRanges.h"

#include "llvm/ADT/DenseMap.h"

namespace clang {
class BinaryOperator;
class Expr;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace kfuse {

/// What a local variable holds from its declaration on.
struct HeldProduct {
  const clang::BinaryOperator *product = nullptr;
  bool isNegated = false;
  unsigned reads = 0;
};
using HeldProducts = llvm::DenseMap<const clang::VarDecl *, HeldProduct>;

/// Those of a function whose declarations may declare the factors too: their
/// text is that of the file.
HeldProducts heldProducts(const clang::FunctionDecl &function,
                          FileTable &files);

/// The declarator, from the variable's name on.
SourceRange declarator(const clang::VarDecl &variable, FileTable &files);

/// The variable that an operand reads; nullptr for other operands.
const clang::VarDecl *readBy(const clang::Expr &operand);

/// What is behind minus signs, but for numbers, which have their own. Each
/// turns the sign.
const clang::Expr *unsign(const clang::Expr *value,
                          const clang::ASTContext &ast, int &sign);

} // namespace kfuse

#endif
