//===- UnusedKernels.h - Kernels that nothing launches any more -----------===//
#ifndef KFUSE_CODEGEN_UNUSEDKERNELS_H
#define KFUSE_CODEGEN_UNUSEDKERNELS_H

#include "codegen/text/Sources.h"

#include <set>
#include <vector>

namespace kfuse {

/// Finds the kernels of the input that only the launches `gone`, and
/// `functions` that go, name. Returns what to delete of each: its definition,
/// with the comments and blank lines above it. If instances got a text of their
/// own, their template goes, too. A kernel that another file may launch isn't
/// among them: one that isn't static, in a file without `main`.
std::vector<TextRange> unusedKernels(const Sources &sources,
                                     const Program &program,
                                     const std::set<LaunchId> &gone,
                                     const std::vector<SourceRange> &functions);

} // namespace kfuse

#endif
