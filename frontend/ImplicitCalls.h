//===- frontend/ImplicitCalls.h - Functions that no text calls ------------===//
//
// A variable that goes out of scope, a class whose members are assigned, a
// container that compares its elements: functions of the user's run without
// being named. What is found here may run; it need not.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_IMPLICITCALLS_H
#define KFUSE_FRONTEND_IMPLICITCALLS_H

#include "clang/AST/Type.h"

#include <vector>

namespace clang {
class CXXMethodDecl;
class FunctionDecl;
class SourceManager;
class VarDecl;
} // namespace clang

namespace kfuse {

using FunctionList = std::vector<const clang::FunctionDecl *>;

/// The destructors that the user wrote of the class, its bases and members, and
/// of what a system's template is made for.
FunctionList destructorsOf(clang::QualType type,
                           const clang::SourceManager &sources);

/// What runs when the variable goes.
FunctionList endersOf(const clang::VarDecl &variable,
                      const clang::SourceManager &sources);

/// Of a constructor or assignment that the compiler writes: what it may call.
FunctionList calledByImplicit(const clang::CXXMethodDecl &method,
                              const clang::SourceManager &sources);

/// The user's functions that a system's template may call: all of the classes
/// that it is made for.
FunctionList calledByTemplate(const clang::FunctionDecl &function,
                              const clang::SourceManager &sources);

} // namespace kfuse

#endif
