//===- Uniformity.h - What all threads of a block do alike ----------------===//
#ifndef KFUSE_FRONTEND_KERNEL_UNIFORMITY_H
#define KFUSE_FRONTEND_KERNEL_UNIFORMITY_H

#include <cstdint>
#include <map>

namespace clang {
class CallExpr;
class FunctionDecl;
} // namespace clang

namespace kfuse {

/// Which threads of a block come to a place together, equally often.
enum class Reach : std::uint8_t {
  Block, ///< all of them
  Warps, ///< all threads of a warp, if the rows of blocks are whole warps
  Some,  ///< any
};

using Reaches = std::map<const clang::CallExpr *, Reach>;

/// Returns which threads make the calls in the body of `function` together, if
/// they call it together. Conditions part threads if they depend on the thread
/// or on memory: `for (half = 32; half > 0; half /= 2)` does neither, though
/// its number of iterations is no polynomial. `if (threadIdx.x / 32 == 0)`
/// parts warps. Callers give a `__device__` function's parameters any value.
Reaches reachesIn(const clang::FunctionDecl &function);

} // namespace kfuse

#endif
