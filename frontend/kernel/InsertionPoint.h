//===- InsertionPoint.h - Where a copy of a kernel means the same ---------===//
//
// A stage is the kernel's text at another place of the translation unit. This
// place is after the kernel or, when the kernel is in a header, after the
// `#include` of the input that brings it. The text must mean there what it
// means in the kernel. So by then no macro that it uses may be defined
// otherwise, and no name that it uses may have another declaration.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FRONTEND_KERNEL_INSERTIONPOINT_H
#define KFUSE_FRONTEND_KERNEL_INSERTIONPOINT_H

#include "frontend/kernel/Context.h"
#include "frontend/kernel/TypeNames.h"

#include <cstdint>
#include <optional>
#include <string>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace kfuse {

/// Sets `include` and `namespaces` of the text of `kernel` (for a template its
/// pattern). Returns why no place will do, or an empty string.
std::string findStagePlace(KernelContext &context,
                           const clang::FunctionDecl &kernel, KernelText &text);

/// Returns KernelText::changesAt of `kernel` (for a template its pattern).
std::optional<std::uint32_t> firstChange(KernelContext &context,
                                         const clang::FunctionDecl &kernel,
                                         const KernelText &text);

/// Sets `typesChangeAt` and `typesFrom` of the text of `kernel`, whose types
/// have the names.
void findTypes(KernelContext &context, const clang::FunctionDecl &kernel,
               const TypeNames &names, KernelText &text);

} // namespace kfuse

#endif
