//===- EvaluationRisks.h - What can't be evaluated in any case ------------===//
#ifndef KFUSE_FRONTEND_REWRITE_BRANCHES_EVALUATIONRISKS_H
#define KFUSE_FRONTEND_REWRITE_BRANCHES_EVALUATIONRISKS_H

#include "frontend/syntax/SourceRanges.h"

#include <set>
#include <string>

namespace clang {
class ASTContext;
class Expr;
class FunctionDecl;
class Stmt;
class VarDecl;
} // namespace clang

namespace kfuse {

/// Things that a program has done in any case where it comes to a place.
struct EvaluatedBefore {
  std::set<std::string> texts;          ///< of expressions that it evaluates
  std::set<const clang::VarDecl *> set; ///< variables that it gives a value
};

/// Returns the local variables of `function` that have got a value, or whose
/// address was passed to a call, whenever control comes to `place`.
std::set<const clang::VarDecl *>
variablesSetBefore(const clang::Stmt &place,
                   const clang::FunctionDecl &function);

/// Checks whether `part` may have no value, or change what a compiler knows, if
/// it is evaluated where the user's program doesn't: `p->top`, `a / b`.
bool isRisky(const clang::Expr &part, const EvaluatedBefore &before,
             FileTable &files, const clang::ASTContext &ast);

} // namespace kfuse

#endif
