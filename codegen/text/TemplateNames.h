//===- TemplateNames.h - Template parameters and scopes of kernels --------===//
#ifndef KFUSE_CODEGEN_TEXT_TEMPLATENAMES_H
#define KFUSE_CODEGEN_TEXT_TEMPLATENAMES_H

#include "codegen/text/BodyText.h"
#include "graphs/program/Kernel.h"

#include <optional>

namespace kfuse {

/// Maps each template parameter to its argument in the kernel's instance;
/// nullopt if an argument isn't a single word.
std::optional<Renames> templateNames(const KernelText &text);

/// Returns the kernel's scope as a prefix, `::app::`.
std::string scopeOf(const Kernel &kernel);

} // namespace kfuse

#endif
