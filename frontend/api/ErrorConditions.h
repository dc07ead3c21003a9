//===- ErrorConditions.h - Conditions that hold after an error ------------===//
//
// CUDA calls return a type of their own. An OpenCL error is an integer, so it
// takes a look at what a variable is given.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_API_ERRORCONDITIONS_H
#define KFUSE_FRONTEND_API_ERRORCONDITIONS_H

#include "frontend/api/AssignedValues.h"

#include <functional>
#include <set>

namespace clang {
class CallExpr;
class Expr;
class SourceManager;
class VarDecl;
} // namespace clang

namespace kfuse {

/// Variables that hold what calls of OpenCL return as their error, or 0.
struct ErrorVariables {
  std::set<const clang::VarDecl *> always; ///< and nothing else
  /// Parameters that some call passes an error: what the function does with
  /// others is to be asked at their calls.
  std::set<const clang::VarDecl *> sometimes;
};
ErrorVariables errorVariables(const AssignedValues &assigned,
                              const clang::SourceManager &sources);

/// Checks whether `call` is an OpenCL call that returns its error.
bool returnsError(const clang::CallExpr &call,
                  const clang::SourceManager &sources);

/// Tells which variables hold errors.
using IsErrorVariable = std::function<bool(const clang::VarDecl &)>;
/// Checks whether `value` is an error or 0, so that only an error makes it
/// another number.
bool isErrorValue(const clang::Expr &value, const IsErrorVariable &isVariable,
                  const clang::SourceManager &sources);

/// Checks whether `condition` is false as long as no call of the runtime fails,
/// such as `error != cudaSuccess`. Other conditions may have to hold as well.
bool holdsOnlyAfterError(const clang::Expr &condition,
                         const IsErrorVariable &isVariable);

} // namespace kfuse

#endif
