//===- Guards.h - Which guard follows from which --------------------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_GUARDS_H
#define KFUSE_FUSION_DEPENDENCE_GUARDS_H

#include "fusion/dependence/Coordinates.h"
#include "fusion/dependence/KnownFacts.h"

#include <vector>

namespace kfuse {

/// Checks whether `consumer` implies `producer`, both over the threads of
/// `stage`.
bool implies(const Guard &consumer, const Guard &producer, const Stage &stage,
             const KnownFacts &facts);

/// Checks whether `guard` keeps the global index on `axis` below `extent` for
/// any thread. For threads that the kernel never had, only StageAccess::bare
/// does.
bool staysBelow(const Guard &guard, std::uint32_t axis,
                const Polynomial &extent, const KnownFacts &facts);

/// Returns guards of bounds, any one of which implies `guard`:
/// `x == 0 || x == n - 1` says one of two columns. The front end writes it as a
/// product of comparisons that is 0.
std::vector<Guard> alternatives(const Guard &guard, const Stage &stage,
                                const TermTable &terms);

} // namespace kfuse

#endif
