//===- BodyWriter.h - The text of a merged body ---------------------------===//
#ifndef KFUSE_CODEGEN_BODY_BODYWRITER_H
#define KFUSE_CODEGEN_BODY_BODYWRITER_H

#include "codegen/body/MergedBodyBuilder.h"

#include <string>

namespace kfuse {

/// Writes the lines between the braces of the fused kernel. Sets the builder's
/// `hasProblem` if there are none.
std::string bodyText(MergedBodyBuilder &body);

} // namespace kfuse

#endif
