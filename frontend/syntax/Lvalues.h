//===- Lvalues.h - What lvalues and addresses belong to -------------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_LVALUES_H
#define KFUSE_FRONTEND_SYNTAX_LVALUES_H

#include <vector>

namespace clang {
class Expr;
class ValueDecl;
class VarDecl;
} // namespace clang

namespace kfuse {

/// Returns the tracked variable that `lvalue` belongs to: a variable, or a
/// member of `this`.
const clang::ValueDecl *baseOf(const clang::Expr &lvalue);

/// Returns what the name of a structured binding stands for, such as a member
/// of the object that it names the parts of. Returns nullptr for anything else.
const clang::Expr *boundBy(const clang::Expr &expression);

/// Returns the lvalues one of which `lvalue` is, or is a part of: `a` and `b`
/// for
/// `(c ? a : b).x` and `(0, c ? a : b)`, otherwise `lvalue` itself.
std::vector<const clang::Expr *> choicesOf(const clang::Expr &lvalue);

/// Returns `x` if `argument` is `&x`, with or without casts; else nullptr.
const clang::Expr *addressee(const clang::Expr &argument);

/// Returns the variable that `lvalue` names, with or without casts; else
/// nullptr.
const clang::VarDecl *namedVariable(const clang::Expr &lvalue);

/// Returns the expression without parentheses, and without the end of its
/// temporaries, around it.
const clang::Expr &withoutCleanups(const clang::Expr &expression);

/// Checks whether the expression is a pointer, or an array, which becomes one.
bool isPointer(const clang::Expr &expression);

/// Checks whether the variable is a pointer to numbers.
bool pointsToNumbers(const clang::VarDecl &variable);

} // namespace kfuse

#endif
