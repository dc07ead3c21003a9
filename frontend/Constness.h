//===- frontend/Constness.h - Whether const is meant ----------------------===//
//
// What a function takes by pointer to const, or as the object of a const
// method, it doesn't change, unless something takes the const away.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_CONSTNESS_H
#define KFUSE_FRONTEND_CONSTNESS_H

namespace clang {
class CXXMethodDecl;
class FunctionDecl;
} // namespace clang

namespace kfuse {

/// Whether a method can't change its object; nullptr is any method.
bool leavesObject(const clang::CXXMethodDecl *method);

/// Whether a function can't change what is behind its argument of that number,
/// from 0 on, a pointer; nullptr is any function.
bool leavesPointee(const clang::FunctionDecl *callee, unsigned parameter);

/// Whether a function can't change what it takes by reference to const.
bool leavesReferred(const clang::FunctionDecl *callee);

} // namespace kfuse

#endif
