//===- MinCut.h - Recursive minimum cuts ----------------------------------===//
#ifndef KFUSE_GA_BASELINES_MINCUT_H
#define KFUSE_GA_BASELINES_MINCUT_H

#include "ga/groups/CostMemo.h"

namespace kfuse {

/// Cuts the graph of what two items save as a group along its minimum cut
/// (Stoer and Wagner). Cuts each part again, until it is a group that pays or a
/// single item.
Partition minCut(Costs &costs);

} // namespace kfuse

#endif
