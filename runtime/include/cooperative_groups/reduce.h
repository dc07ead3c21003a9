//===- cooperative_groups/reduce.h - Reductions of a group ----------------===//
#ifndef KFUSE_CPU_COOPERATIVE_GROUPS_REDUCE_H
#define KFUSE_CPU_COOPERATIVE_GROUPS_REDUCE_H

#include "cooperative_groups.h"

namespace cooperative_groups {

template <class T> struct plus {
  T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
  T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
  T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T> struct bit_and {
  T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
  T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
  T operator()(T a, T b) const { return a ^ b; }
};

/// Reduces the values in the order of the ranks, so that every member computes
/// the same result.
template <class Group, class T, class Operation>
T reduce(const Group &group, T value, Operation operation) {
  T total = group.shfl(value, 0);
  for (unsigned rank = 1; rank < group.size(); ++rank)
    total = operation(total, group.shfl(value, rank));
  return total;
}

} // namespace cooperative_groups

#endif
