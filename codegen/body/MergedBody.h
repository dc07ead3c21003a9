//===- MergedBody.h - Members' statements in one body ---------------------===//
//
// If the members have one index and their bodies are coordinates, guards and
// statements (GuardedBody), the fused kernel needs no functions:
//
//   int i = blockIdx.x * blockDim.x + threadIdx.x;
//   if (i >= n)
//     return;
//   // scale
//   float B = alpha * A[i];
//   // shift
//   C[i] = B + beta;
//
// If a thread works on several elements, a first loop loads what all of them
// need, so that these loads are in flight together. A second loop runs the
// statements.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CODEGEN_BODY_MERGEDBODY_H
#define KFUSE_CODEGEN_BODY_MERGEDBODY_H

#include "codegen/builder/FusedKernelBuilder.h"

#include <cstddef>
#include <optional>
#include <string>

namespace kfuse {

struct MergedBody {
  std::string text;          ///< `{ ... }`
  std::size_t zeroCount = 0; ///< opaque zeros that it takes
};

/// Writes the body of the builder's kernel, whose forwards are known, and sets
/// the builder's parameters and names. With `mayDeclare` forwarded values are
/// declared where they are computed, which needs all members under one guard.
/// Returns nullopt if that isn't so or the members need functions of their own;
/// the builder can't be used then.
std::optional<MergedBody> mergedBody(FusedKernelBuilder &builder,
                                     bool mayDeclare);

} // namespace kfuse

#endif
