//===- KernelDefinitions.h - The program's kernels, by place --------------===//
#ifndef KFUSE_FRONTEND_REWRITE_KERNELDEFINITIONS_H
#define KFUSE_FRONTEND_REWRITE_KERNELDEFINITIONS_H

#include "frontend/syntax/SourceRanges.h"
#include "graphs/program/Kernel.h"

#include <cstdint>
#include <map>
#include <utility>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace kfuse {

class SourceUnit;

/// A file, and the offset in it where a name begins.
using NamePlace = std::pair<std::uint32_t, std::uint32_t>;

/// Returns the kernels that the input and its headers define, by the places of
/// their names; templates, not instances.
std::map<NamePlace, const clang::FunctionDecl *>
kernelDefinitions(const SourceUnit &unit, FileTable &files);
/// Returns the definition of `kernel`; null if there is none.
const clang::FunctionDecl *definitionOf(
    const std::map<NamePlace, const clang::FunctionDecl *> &definitions,
    const Kernel &kernel);

} // namespace kfuse

#endif
