//===- Injective.h - One thread for each element --------------------------===//
//
// Proves that an index tells threads apart: if two threads (and iterations)
// touch one element, they are the same thread. This is the row-major argument.
// Let the coordinates be sorted so that each coefficient is at least the one
// before times that coordinate's width. Then the index is a number written in
// mixed radix. Quotients and remainders are such digits too, and together tell
// what was divided.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_INJECTIVE_H
#define KFUSE_FUSION_DEPENDENCE_INJECTIVE_H

#include "fusion/dependence/Coordinates.h"
#include "fusion/dependence/KnownFacts.h"

namespace kfuse {

/// The stage and the guard under which an access runs.
struct Domain {
  const Stage &stage;
  const Guard &guard;
};

/// Checks whether `index` at a thread of `first` and `index` at a thread of
/// `second` are equal only for the same thread.
bool tellsThreadsApart(const Polynomial &index, const Domain &first,
                       const Domain &second, const KnownFacts &facts);

/// Returns what `index` lacks to tell the threads of `domain` apart, as
/// differences in values that the host knows before the launch. None of them
/// may be negative. Empty if it lacks nothing, or something else.
std::vector<Polynomial> missingRoom(const Polynomial &index,
                                    const Domain &domain,
                                    const KnownFacts &facts);

} // namespace kfuse

#endif
