//===- Lvalues.h - What lvalues and addresses belong to -------------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_LVALUES_H
#define KFUSE_FRONTEND_SYNTAX_LVALUES_H

namespace clang {
class Expr;
class ValueDecl;
} // namespace clang

namespace kfuse {

/// Returns the tracked variable that `lvalue` belongs to: a variable, or a
/// member of `this`.
const clang::ValueDecl *baseOf(const clang::Expr &lvalue);

/// Returns `x` if `argument` is `&x`, with or without casts; else nullptr.
const clang::Expr *addressee(const clang::Expr &argument);

} // namespace kfuse

#endif
