//===- DependenceDistance.h - Which thread made what another reads --------===//
//
// A stencil reads at its thread's index what other threads wrote at theirs. If
// the writers' index is φ(t) and the reader's is φ(t + d) for every thread t,
// then the reader takes the value of the thread d away. On each axis, that is a
// constant number of threads, whatever the row length.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_DEPENDENCEDISTANCE_H
#define KFUSE_FUSION_DEPENDENCE_DEPENDENCEDISTANCE_H

#include "fusion/dependence/Coordinates.h"
#include "fusion/plan/Plan.h"

#include <optional>

namespace kfuse {

/// Returns the d for which `read`(t) is `write`(t + d), in canonical
/// coordinates of stages of one shape; nullopt if there is none or it can't be
/// told.
std::optional<Offset> distanceBetween(const Polynomial &write,
                                      const Polynomial &read,
                                      const Stage &stage,
                                      const TermTable &terms);

/// Moves every coordinate by `offset`. Returns the value for the thread
/// `offset` away, or nullopt if it isn't known how that changes it.
std::optional<Polynomial> movedBy(const Polynomial &polynomial,
                                  const Offset &offset, const TermTable &terms);

/// Returns the conjuncts of `guard` for the thread `offset` away. Those that
/// can't be moved become Unknown.
Guard movedBy(const Guard &guard, const Offset &offset, const TermTable &terms);

Offset opposite(const Offset &offset);

} // namespace kfuse

#endif
