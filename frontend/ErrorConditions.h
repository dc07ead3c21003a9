//===- frontend/ErrorConditions.h - Conditions that hold after an error ---===//
#ifndef KFUSE_FRONTEND_ERRORCONDITIONS_H
#define KFUSE_FRONTEND_ERRORCONDITIONS_H

namespace clang {
class Expr;
} // namespace clang

namespace kfuse {

/// Whether the condition is false as long as no call of the runtime fails:
/// `error != cudaSuccess`, also with more that must hold.
bool holdsOnlyAfterError(const clang::Expr &condition);

} // namespace kfuse

#endif
