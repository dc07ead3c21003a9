//===- DependenceDistance.h - Which thread made what another reads --------===//
//
// A stencil reads at its thread's index what other threads wrote at theirs. If
// the writers' index is φ(t) and the reader's is φ(t + d) for every thread t,
// then the reader takes the value of the thread d away. On each axis, that is a
// constant number of threads, whatever the row length, or a sum of the counters
// of a window's loops.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_DEPENDENCEDISTANCE_H
#define KFUSE_FUSION_DEPENDENCE_DEPENDENCEDISTANCE_H

#include "fusion/dependence/Coordinates.h"
#include "fusion/plan/Plan.h"

#include <optional>

namespace kfuse {

/// From a thread to another, on each axis: a constant plus multiples of
/// counters of the reader's loops, and of places that the thread chooses.
using Distance = std::array<Polynomial, 3>;

/// Returns the d for which `read`(t) is `write`(t + d), in canonical
/// coordinates of stages of one shape; nullopt if there is none or it can't be
/// told.
std::optional<Distance> distanceBetween(const Polynomial &write,
                                        const Polynomial &read,
                                        const Stage &stage,
                                        const TermTable &terms);

/// Returns the distance in the variables of the loops around `read`, each of
/// which has a constant number of iterations. If the thread chooses, constants
/// must bound the distance. Returns nullopt if there are none.
std::optional<Window> windowOf(const Distance &distance,
                               const StageAccess &read, const Stage &stage,
                               const KnownFacts &facts);

/// Moves every coordinate by `distance`. Returns the value for the thread
/// `distance` away, or nullopt if it isn't known how that changes it.
std::optional<Polynomial> movedBy(const Polynomial &polynomial,
                                  const Distance &distance,
                                  const TermTable &terms);

/// Returns the conjuncts of `guard` for the thread `distance` away. Those that
/// can't be moved become Unknown.
Guard movedBy(const Guard &guard, const Distance &distance,
              const TermTable &terms);

/// Returns the way back.
std::optional<Distance> opposite(const Distance &distance);

} // namespace kfuse

#endif
