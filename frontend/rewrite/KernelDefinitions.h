//===- KernelDefinitions.h - The input's kernels, by place ----------------===//
#ifndef KFUSE_FRONTEND_REWRITE_KERNELDEFINITIONS_H
#define KFUSE_FRONTEND_REWRITE_KERNELDEFINITIONS_H

#include "frontend/syntax/SourceRanges.h"

#include <cstdint>
#include <map>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace kfuse {

class SourceUnit;

/// Returns the kernels that the input defines, by the offsets of their names;
/// templates, not instances.
std::map<std::uint32_t, const clang::FunctionDecl *>
kernelDefinitions(const SourceUnit &unit, FileTable &files);

} // namespace kfuse

#endif
