//===- Scan.h - Syntactic facts of device code ----------------------------===//
#ifndef KFUSE_FRONTEND_KERNEL_SCAN_H
#define KFUSE_FRONTEND_KERNEL_SCAN_H

#include <initializer_list>
#include <set>

namespace clang {
class Expr;
class Stmt;
class VarDecl;
} // namespace clang

namespace kfuse {

/// The effects that a piece of code may have on control flow and variables.
struct CodeEffects {
  /// The variables it changes, as named in the code: they may be references.
  std::set<const clang::VarDecl *> modified;
  bool hasBreak = false;    ///< of the loop itself
  bool hasContinue = false; ///< of the loop itself
  bool hasReturn = false;
};
CodeEffects effectsOf(std::initializer_list<const clang::Stmt *> code);
/// Returns the local variables whose address is kept beyond one call.
std::set<const clang::VarDecl *> pinnedVariables(const clang::Stmt *body);
/// Returns the variables that may change other than by their names, as there
/// are pointers, references or elements used as more than values.
std::set<const clang::VarDecl *> exposedVariables(const clang::Stmt &code);

/// Checks whether calls of the lambda, which `function` creates, find in the
/// captured variables what they hold then. The lambda must not change them, nor
/// anything else those that it copies.
bool isReadOnlyClosure(const clang::LambdaExpr &lambda,
                       const clang::Stmt &function);

/// Checks whether running `code` may change which place `place` is.
bool mayChange(const clang::Expr &code, const clang::Expr &place);

} // namespace kfuse

#endif
