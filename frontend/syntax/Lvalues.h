//===- Lvalues.h - What lvalues and addresses belong to -------------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_LVALUES_H
#define KFUSE_FRONTEND_SYNTAX_LVALUES_H

namespace clang {
class Expr;
class ValueDecl;
} // namespace clang

namespace kfuse {

/// The variable that an lvalue belongs to, when it is one that is tracked: a
/// variable, or a member of `this`.
const clang::ValueDecl *baseOf(const clang::Expr &lvalue);

/// What the argument is the address of: `x` of `&x` behind casts, or nullptr.
const clang::Expr *addressee(const clang::Expr &argument);

} // namespace kfuse

#endif
