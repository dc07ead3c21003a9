//===- fusion/Afterlife.h - Who sees what a step leaves behind ------------===//
#ifndef KFUSE_FUSION_AFTERLIFE_H
#define KFUSE_FUSION_AFTERLIFE_H

#include "graphs/Program.h"

namespace kfuse {

/// Whether anything may read what the array holds once `step` is done, before
/// all of it is overwritten or freed. The array belongs to the function of the
/// step, and has a holder.
bool isReadAfter(const Program &program, StepId step, ArrayId array);

} // namespace kfuse

#endif
