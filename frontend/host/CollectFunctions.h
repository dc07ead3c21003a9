//===- CollectFunctions.h - The host functions of a unit ------------------===//
#ifndef KFUSE_FRONTEND_HOST_COLLECTFUNCTIONS_H
#define KFUSE_FRONTEND_HOST_COLLECTFUNCTIONS_H

#include <vector>

namespace clang {
class FunctionDecl;
class LambdaExpr;
} // namespace clang

namespace kfuse {

struct HostFunction;
struct HostUnit;

/// Returns the bodies that may run when the lambda is called: all instances of
/// a generic one.
std::vector<const clang::FunctionDecl *>
lambdaBodies(const clang::LambdaExpr &lambda);
/// Checks whether the argument `index` may have another name once a call of the
/// function is done. The walk through it tells that of pointers to numbers.
bool mayKeep(const HostFunction &function, unsigned index);
/// Finds the unit's functions and closes their properties over the calls.
void collectFunctions(HostUnit &unit);

} // namespace kfuse

#endif
