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

/// What the function is if it is a method that has no statements in common with
/// others: "is a lambda"; empty when it isn't.
std::string methodObstacle(const clang::FunctionDecl &function);

/// Why the members that a method mentions aren't those that they would be where
/// `caller` calls it; empty for other functions.
std::string objectObstacle(const clang::CallExpr &call,
                           const clang::FunctionDecl &caller);

/// Names of classes' members that a function's text uses without an object.
std::set<clang::DeclarationName>
usedMembers(const clang::FunctionDecl &function);

/// Whether a class that the method is in, or a base of one, has a member of
/// that name.
bool hidesName(const clang::FunctionDecl &method, clang::DeclarationName name);

} // namespace kfuse

#endif
