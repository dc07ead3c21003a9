//===- ImplicitCalls.h - Functions that no text calls ---------------------===//
//
// A variable that goes out of scope, a class whose members are assigned, a
// container that compares its elements: functions of the user's run without
// being named. What is found here may run; it need not.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_SYNTAX_IMPLICITCALLS_H
#define KFUSE_FRONTEND_SYNTAX_IMPLICITCALLS_H

#include "clang/AST/Type.h"

#include <vector>

namespace clang {
class CXXMethodDecl;
class Expr;
class FunctionDecl;
class SourceManager;
class VarDecl;
} // namespace clang

namespace kfuse {

using FunctionList = std::vector<const clang::FunctionDecl *>;

/// Returns the destructors, written by the user, of the class, its bases and
/// members, and of the types that a system's template is made for.
FunctionList destructorsOf(clang::QualType type,
                           const clang::SourceManager &sources);

/// Returns what runs when `variable` goes out of scope.
FunctionList destructorsRunFor(const clang::VarDecl &variable,
                               const clang::SourceManager &sources);

struct ImplicitCalls {
  FunctionList functions;
  /// Members' initialisers, in their declarations.
  std::vector<const clang::Expr *> initialisers;
};

/// Returns what a constructor or assignment `method` of the compiler's may run.
ImplicitCalls calledByImplicit(const clang::CXXMethodDecl &method,
                               const clang::SourceManager &sources);

/// Returns the user's functions that a system's template `function` may run:
/// all of the classes that it is made for.
ImplicitCalls calledByTemplate(const clang::FunctionDecl &function,
                               const clang::SourceManager &sources);

/// Checks whether `type` is a system's class that may call a function about
/// which it says nothing: std::function, what std::bind returns.
bool holdsFunction(clang::QualType type, const clang::SourceManager &sources);

} // namespace kfuse

#endif
