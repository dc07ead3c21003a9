//===- EqualScalars.h - One name for equal numbers ------------------------===//
#ifndef KFUSE_CODEGEN_BODY_EQUALSCALARS_H
#define KFUSE_CODEGEN_BODY_EQUALSCALARS_H

#include "codegen/body/MergedBodyBuilder.h"

#include <string>

namespace kfuse {

/// Replaces members of the fused kernel's parameters in `text` by the first
/// number that holds the same. What is computed alike then reads alike:
/// `x < out.nx` becomes `x < in.nx` if both structures have one size.
std::string withEqualScalars(const FusedKernelBuilder &builder,
                             const std::string &text);

} // namespace kfuse

#endif
