//===- ControlFlow.h - How statements run and end -------------------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_CONTROLFLOW_H
#define KFUSE_FRONTEND_SYNTAX_CONTROLFLOW_H

namespace clang {
class ASTContext;
class DoStmt;
class Expr;
class Stmt;
} // namespace clang

namespace kfuse {

/// Checks whether nothing that follows `statement` in the text runs after it.
bool leaves(const clang::Stmt &statement);

/// Checks for a `break` or `continue` of a loop around `statement`.
bool leavesLoop(const clang::Stmt &statement);

/// Checks whether the body runs once, from its begin to its end:
/// `do { check(f()); } while (0)`, the usual way to make a macro one statement.
bool runsOnce(const clang::DoStmt &loop, const clang::ASTContext &ast);

/// Checks whether the statement evaluates `part`, which it contains, once and
/// before anything else that has an effect: `check(part);`, or
/// `if ((error = part) != 0) ...`, but not `flag && part;`.
bool comesFirst(const clang::Expr &part, const clang::Stmt &statement,
                const clang::ASTContext &ast);

} // namespace kfuse

#endif
