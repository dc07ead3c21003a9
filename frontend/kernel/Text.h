//===- Text.h - The text of a kernel --------------------------------------===//
#ifndef KFUSE_FRONTEND_KERNEL_TEXT_H
#define KFUSE_FRONTEND_KERNEL_TEXT_H

#include "frontend/kernel/Context.h"

namespace clang {
class FunctionDecl;
} // namespace clang

namespace kfuse {

/// Where a kernel's parts stand in the source, and whether they can be copied.
KernelText kernelText(KernelContext &context,
                      const clang::FunctionDecl &kernel);

} // namespace kfuse

#endif
