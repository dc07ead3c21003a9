//===- Text.h - The text of a kernel --------------------------------------===//
#ifndef KFUSE_FRONTEND_KERNEL_TEXT_H
#define KFUSE_FRONTEND_KERNEL_TEXT_H

#include "frontend/kernel/Context.h"

namespace clang {
class FunctionDecl;
} // namespace clang

namespace kfuse {

/// Finds the places of a kernel's parts, and whether they can be copied.
KernelText kernelText(KernelContext &context,
                      const clang::FunctionDecl &kernel);

} // namespace kfuse

#endif
