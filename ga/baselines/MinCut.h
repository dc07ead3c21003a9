//===- MinCut.h - Recursive minimum cuts ----------------------------------===//
#ifndef KFUSE_GA_BASELINES_MINCUT_H
#define KFUSE_GA_BASELINES_MINCUT_H

#include "ga/groups/CostMemo.h"

namespace kfuse {

/// Cuts the graph of what groups would save in two along its minimum cut (of
/// Stoer and Wagner), and each part again, until it is a group that pays or a
/// single item.
Partition minCut(Costs &costs);

} // namespace kfuse

#endif
