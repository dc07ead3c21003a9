//===- codegen/Contractible.h - Sums of members that stand side by side ---===//
//
// Compilers contract a sum with a product that nothing else uses. Where the
// statements of several kernels stand in one function the compiler may find
// that two of their products are one, or that the product to be added was
// computed by another kernel. What follows says when it can't.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CODEGEN_CONTRACTIBLE_H
#define KFUSE_CODEGEN_CONTRACTIBLE_H

#include "codegen/Forwards.h"
#include "fusion/Plan.h"
#include "graphs/Program.h"

#include <vector>

namespace kfuse {

/// How a forwarded value is written where it is computed, so that sums of later
/// members round what they add as they did when it came from memory.
enum class Rounding : std::uint8_t {
  AsWritten, ///< no sum can take a product from it
  Product,   ///< its product is written as a rounded one
  Opaque,    ///< the compiler must not know how it was computed
};
Rounding roundingOf(const Program &program, const FusedKernel &kernel,
                    const Forward &forward, std::size_t member,
                    const Access &store);

/// Whether each sum of the members is contracted in one function as in its own
/// kernel, if forwarded values are written as `roundingOf` says.
bool contractAlike(const Program &program, const FusedKernel &kernel,
                   const std::vector<Forward> &forwards);

} // namespace kfuse

#endif
