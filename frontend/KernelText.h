//===- frontend/KernelText.h - The text of a kernel -----------------------===//
#ifndef KFUSE_FRONTEND_KERNELTEXT_H
#define KFUSE_FRONTEND_KERNELTEXT_H

#include "frontend/KernelAnalysis.h"

namespace kfuse {

/// Where a kernel's parts stand in the source, and whether they can be copied.
KernelText kernelText(KernelContext &context,
                      const clang::FunctionDecl &kernel);

/// The text of a range chooses between variants by the architecture that it is
/// compiled for, so that the host's view of it isn't the device's.
bool dependsOnArchitecture(KernelContext &context, const SourceRange &range);

} // namespace kfuse

#endif
