//===- frontend/KernelText.h - The text of a kernel -----------------------===//
#ifndef KFUSE_FRONTEND_KERNELTEXT_H
#define KFUSE_FRONTEND_KERNELTEXT_H

#include "frontend/KernelAnalysis.h"

namespace kfuse {

/// Where a kernel's parts stand in the source, and whether they can be copied.
KernelText kernelText(KernelContext &context,
                      const clang::FunctionDecl &kernel);

} // namespace kfuse

#endif
