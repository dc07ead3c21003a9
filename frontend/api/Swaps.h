//===- Swaps.h - Calls that exchange two values ---------------------------===//
#ifndef KFUSE_FRONTEND_API_SWAPS_H
#define KFUSE_FRONTEND_API_SWAPS_H

#include <optional>

namespace clang {
class CallExpr;
class Expr;
} // namespace clang

namespace kfuse {

/// Two lvalues that a call gives each other's values.
struct SwappedPair {
  const clang::Expr *first = nullptr, *second = nullptr;
};

/// Returns what `call` exchanges, if it is one of std::swap or of a function of
/// the program's own that does no more: `swap(&p, &q)`, `exchange(p, q)`.
std::optional<SwappedPair> swappedBy(const clang::CallExpr &call);

/// Checks whether `call` is one of std::swap.
bool isStandardSwap(const clang::CallExpr &call);

} // namespace kfuse

#endif
