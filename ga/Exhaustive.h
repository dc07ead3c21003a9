//===- ga/Exhaustive.h - The optimum of a small problem -------------------===//
#ifndef KFUSE_GA_EXHAUSTIVE_H
#define KFUSE_GA_EXHAUSTIVE_H

#include "ga/CostMemo.h"

namespace kfuse {

/// The best partition of at most ExhaustiveLimit items, by dynamic programming
/// over down-sets: f(I ∪ S) = min f(I) + c(S). Taking groups off in the order
/// in which they can run makes every partition it sees acyclic.
Partition exhaustive(CostMemo &memo);

} // namespace kfuse

#endif
