//===- KernelFlag.h - A kernel that is told whether to run ----------------===//
#ifndef KFUSE_FRONTEND_REWRITE_BRANCHES_KERNELFLAG_H
#define KFUSE_FRONTEND_REWRITE_BRANCHES_KERNELFLAG_H

#include "frontend/syntax/SourceRanges.h"
#include "graphs/program/Kernel.h"
#include "text/Layout.h"

#include <string>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace kfuse {

/// Returns the kernel's text in `source`, its file, under the name `name`, with
/// a last parameter `bool flag` without which it does nothing; empty if it
/// can't be written. It still computes its coordinates, and compares them with
/// its bounds, before it asks, so that its guards are those of other kernels:
///
///   if (i < n)
///     if (flag) out[i] = in[i];
std::string withFlag(const clang::FunctionDecl &function, const Kernel &kernel,
                     const SourceText &source, FileTable &files,
                     const std::string &name, const std::string &flag);

} // namespace kfuse

#endif
