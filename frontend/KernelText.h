//===- frontend/KernelText.h - The text of a kernel -----------------------===//
#ifndef KFUSE_FRONTEND_KERNELTEXT_H
#define KFUSE_FRONTEND_KERNELTEXT_H

#include "frontend/KernelAnalysis.h"

namespace kfuse {

/// Where a kernel's parts stand in the source, and whether they can be copied.
KernelText kernelText(KernelContext &context,
                      const clang::FunctionDecl &kernel);

/// The text of a range asks which compiler reads it, or for which architecture:
/// the device's compiler may see another text, or other numbers.
bool dependsOnCompiler(KernelContext &context, const SourceRange &range);

} // namespace kfuse

#endif
