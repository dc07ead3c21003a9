//===- LocalPlaces.h - Values as they are, and where they stand -----------===//
#ifndef KFUSE_FRONTEND_CONTRACTION_LOCALPLACES_H
#define KFUSE_FRONTEND_CONTRACTION_LOCALPLACES_H

namespace clang {
class Expr;
class VarDecl;
} // namespace clang

namespace kfuse {

/// Checks whether the variable is the block's.
bool isShared(const clang::VarDecl &variable);

/// Returns `expression` without what doesn't change its value.
const clang::Expr *sameValue(const clang::Expr *expression);

/// Returns the value without a name that `part` is a member of, as `f(x)` in
/// `f(x).y`; otherwise nullptr.
const clang::Expr *temporaryOf(const clang::Expr &part);

/// Returns the local variable that `place` is, or is a part of; nullptr for
/// memory, the block's included.
const clang::VarDecl *localVariable(const clang::Expr &place);

} // namespace kfuse

#endif
