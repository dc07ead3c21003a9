//===- RandomMerges.h - Legal groups, whatever they cost ------------------===//
#ifndef KFUSE_GA_BASELINES_RANDOMMERGES_H
#define KFUSE_GA_BASELINES_RANDOMMERGES_H

#include "ga/groups/CostMemo.h"

#include <cstdint>

namespace kfuse {

/// Merges groups at random as long as they are legal, up to a random size: the
/// costs have no say in it.
Partition mergeAtRandom(Costs &costs, std::uint64_t seed);

} // namespace kfuse

#endif
