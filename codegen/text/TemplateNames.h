//===- TemplateNames.h - Template parameters of an instance ---------------===//
#ifndef KFUSE_CODEGEN_TEXT_TEMPLATENAMES_H
#define KFUSE_CODEGEN_TEXT_TEMPLATENAMES_H

#include "codegen/text/BodyText.h"
#include "graphs/program/Kernel.h"

#include <optional>

namespace kfuse {

/// Maps each template parameter to what it is in the kernel's instance; nullopt
/// if no single word says that.
std::optional<Renames> templateNames(const KernelText &text);

} // namespace kfuse

#endif
