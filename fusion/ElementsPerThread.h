//===- ElementsPerThread.h - How many elements a thread computes ----------===//
#ifndef KFUSE_FUSION_ELEMENTSPERTHREAD_H
#define KFUSE_FUSION_ELEMENTSPERTHREAD_H

#include "fusion/group/Group.h"
#include "fusion/plan/Plan.h"
#include "fusion/plan/Problem.h"

namespace kfuse {

/// Chooses the count of elements a thread with the shortest projected time, the
/// smaller one of equals, and projects the kernel with it. A plan may ask for a
/// count instead. Returns with one element if a member can't be repeated.
void chooseElements(const Problem &problem, FusedKernel &kernel,
                    const Group &group);

} // namespace kfuse

#endif
