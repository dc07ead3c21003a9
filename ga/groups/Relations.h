//===- Relations.h - What searchers look up about items -------------------===//
#ifndef KFUSE_GA_GROUPS_RELATIONS_H
#define KFUSE_GA_GROUPS_RELATIONS_H

#include "ga/problem/PartitionProblem.h"

namespace kfuse {

/// The hash of a set of items: the exclusive or of random numbers of its
/// members (Zobrist). Of 128 bits, so that no two sets of a search share one.
struct SetKey {
  std::uint64_t low = 0, high = 0;
  bool operator==(const SetKey &) const = default;
  SetKey operator^(SetKey other) const {
    return {low ^ other.low, high ^ other.high};
  }
};

/// A problem in the forms that are fast to walk.
struct Relations {
  explicit Relations(const PartitionProblem &problem);

  const PartitionProblem &problem;
  std::vector<SetKey> keys; ///< by item
  /// For each item those that wait for it and for none between.
  std::vector<ItemSet> successors;
  /// The transpose of reach.
  std::vector<boost::dynamic_bitset<>> before;
  std::vector<ItemSet> kin;
};

SetKey keyOf(const Relations &relations, const ItemSet &set);

/// Returns whether a set may be a group. A single item may. A larger set has at
/// most `mostItems` items and no separated pair, is convex, and is connected by
/// kinship unless unrelated items may share a group.
bool mayBeGroup(const Relations &relations, const ItemSet &set);

} // namespace kfuse

#endif
