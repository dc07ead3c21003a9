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

/// What a piece of code may do to control flow and to variables.
struct CodeEffects {
  /// By the names that it changes them by, which may be references.
  std::set<const clang::VarDecl *> modified;
  bool hasBreak = false;    ///< of the loop itself
  bool hasContinue = false; ///< of the loop itself
  bool hasReturn = false;
};
CodeEffects effectsOf(std::initializer_list<const clang::Stmt *> code);
/// Local variables whose address is kept beyond one call.
std::set<const clang::VarDecl *> pinnedVariables(const clang::Stmt *body);
/// Variables that may change other than by their names: of which there are
/// pointers, references or elements used as more than values.
std::set<const clang::VarDecl *> exposedVariables(const clang::Stmt &code);

/// Whether running the one may change which place the other is.
bool mayChange(const clang::Expr &code, const clang::Expr &place);

} // namespace kfuse

#endif
