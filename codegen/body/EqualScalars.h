//===- EqualScalars.h - One name for equal numbers ------------------------===//
//
// Statements that compute the same thing get the same text: `x < out.nx`
// becomes `x < in.nx` if both structures have one size. A number that a
// structure holds needs no parameter of its own: `x < width` becomes `x <
// frame.width`.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CODEGEN_BODY_EQUALSCALARS_H
#define KFUSE_CODEGEN_BODY_EQUALSCALARS_H

#include "codegen/body/MergedBodyBuilder.h"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace kfuse {

/// Drops those of the fused kernel's parameters that another member has in a
/// structure, and writes that name in the members that get them. Parameters in
/// `isolated`, by member, stay.
void takeFromStructures(MergedBodyBuilder &body,
                        const std::vector<std::set<std::size_t>> &isolated);

/// Replaces members of the fused kernel's parameters in `text` by the first
/// number that holds the same.
std::string withEqualScalars(const FusedKernelBuilder &builder,
                             const std::string &text);

} // namespace kfuse

#endif
