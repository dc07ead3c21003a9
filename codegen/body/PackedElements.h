//===- PackedElements.h - Threads with neighbours -------------------------===//
#ifndef KFUSE_CODEGEN_BODY_PACKEDELEMENTS_H
#define KFUSE_CODEGEN_BODY_PACKEDELEMENTS_H

#include "codegen/body/MergedBodyBuilder.h"

namespace kfuse {

/// Gives a thread neighbouring elements if these have one or two bytes, the
/// members use only its global index, and one bound is their guard. Early loads
/// and stores of the thread's own elements then go to memory together, 16 bytes
/// at once. The statements store to `x_out[v]` instead.
void takeNeighbours(MergedBodyBuilder &body);

} // namespace kfuse

#endif
