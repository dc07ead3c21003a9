//===- codegen/BodyWriter.h - The text of a merged body -------------------===//
#ifndef KFUSE_CODEGEN_BODYWRITER_H
#define KFUSE_CODEGEN_BODYWRITER_H

#include "codegen/BodyDraft.h"

#include <string>

namespace kfuse {

/// The lines between the braces of the fused kernel. Sets the draft's problem
/// if there are none.
std::string bodyText(BodyDraft &body);

} // namespace kfuse

#endif
