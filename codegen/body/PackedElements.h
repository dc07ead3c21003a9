//===- PackedElements.h - Threads with neighbours -------------------------===//
#ifndef KFUSE_CODEGEN_BODY_PACKEDELEMENTS_H
#define KFUSE_CODEGEN_BODY_PACKEDELEMENTS_H

#include "codegen/body/MergedBodyBuilder.h"

namespace kfuse {

/// Gives a thread neighbouring elements if they are of one or two bytes, the
/// members ask for nothing but its global index, and one bound is their guard.
/// Early loads and stores of the thread's own elements then go to memory
/// together, 16 bytes at once; `x_out[v]` stands for what is stored.
void takeNeighbours(MergedBodyBuilder &body);

} // namespace kfuse

#endif
