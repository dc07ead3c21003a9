//===- EarlyLoads.h - Loads that all elements make first ------------------===//
#ifndef KFUSE_CODEGEN_BODY_EARLYLOADS_H
#define KFUSE_CODEGEN_BODY_EARLYLOADS_H

#include "codegen/body/MergedBodyBuilder.h"

namespace kfuse {

/// Finds the loads that all elements of a thread can make before the first of
/// them stores, so that they are under way together. Replaces `x[i]` by
/// `x_in[v]`. The loads run whenever their member does, at places made of
/// coordinates and parameters alone, and nothing before them may store there.
void findEarlyLoads(MergedBodyBuilder &body);

} // namespace kfuse

#endif
