//===- CollectFunctions.h - The host functions of a unit ------------------===//
#ifndef KFUSE_FRONTEND_HOST_COLLECTFUNCTIONS_H
#define KFUSE_FRONTEND_HOST_COLLECTFUNCTIONS_H

#include <vector>

namespace clang {
class FunctionDecl;
class LambdaExpr;
} // namespace clang

namespace kfuse {

struct HostUnit;

/// Returns the bodies that may run when the lambda is called: all instances of
/// a generic one.
std::vector<const clang::FunctionDecl *>
lambdaBodies(const clang::LambdaExpr &lambda);
/// Finds the unit's functions and closes their properties over the calls.
void collectFunctions(HostUnit &unit);

} // namespace kfuse

#endif
