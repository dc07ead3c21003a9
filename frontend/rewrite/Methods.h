//===- Methods.h - Statements of methods in other methods -----------------===//
//
//   void step() { advect(); this->diffuse(); }
//
// A method that calls another one of its class for its own object has the same
// members, by the same names, as long as nothing of its own hides them.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_REWRITE_METHODS_H
#define KFUSE_FRONTEND_REWRITE_METHODS_H

#include "clang/AST/DeclarationName.h"

#include <set>
#include <string>

namespace clang {
class CallExpr;
class FunctionDecl;
} // namespace clang

namespace kfuse {

/// Returns what keeps a method `function` from sharing statements with other
/// functions: "is a lambda"; empty if nothing does.
std::string methodObstacle(const clang::FunctionDecl &function);

/// Returns why the members that the method of `call` mentions would be others
/// in `caller`; empty if they are the same, and for other functions.
std::string objectObstacle(const clang::CallExpr &call,
                           const clang::FunctionDecl &caller);

/// Returns the names of classes' members that a function's text uses without an
/// object.
std::set<clang::DeclarationName>
usedMembers(const clang::FunctionDecl &function);

/// Checks whether a class that `method` is in, or a base of one, has a member
/// `name`.
bool hidesName(const clang::FunctionDecl &method, clang::DeclarationName name);

} // namespace kfuse

#endif
