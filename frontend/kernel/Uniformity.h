//===- Uniformity.h - What all threads of a block do alike ----------------===//
#ifndef KFUSE_FRONTEND_KERNEL_UNIFORMITY_H
#define KFUSE_FRONTEND_KERNEL_UNIFORMITY_H

#include <set>

namespace clang {
class CallExpr;
class Stmt;
} // namespace clang

namespace kfuse {

/// Returns the calls in a kernel's body that every thread of a block makes
/// equally often: no condition on the way to them depends on the thread or on
/// memory. `for (half = 32; half > 0; half /= 2)` does neither, though its
/// number of iterations is no polynomial.
std::set<const clang::CallExpr *> uniformCalls(const clang::Stmt &body);

} // namespace kfuse

#endif
