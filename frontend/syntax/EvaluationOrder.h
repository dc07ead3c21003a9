//===- EvaluationOrder.h - What a statement evaluates first ---------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_EVALUATIONORDER_H
#define KFUSE_FRONTEND_SYNTAX_EVALUATIONORDER_H

namespace clang {
class ASTContext;
class Expr;
class Stmt;
} // namespace clang

namespace kfuse {

/// Checks whether the statement evaluates `part`, which it contains, once and
/// before anything else that has an effect: `check(part);`, or
/// `if ((error = part) != 0) ...`, but not `flag && part;`.
bool comesFirst(const clang::Expr &part, const clang::Stmt &statement,
                const clang::ASTContext &ast);

} // namespace kfuse

#endif
