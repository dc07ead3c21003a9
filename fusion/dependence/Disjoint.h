//===- Disjoint.h - Accesses without a common element ---------------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_DISJOINT_H
#define KFUSE_FUSION_DEPENDENCE_DISJOINT_H

#include "fusion/dependence/Pitches.h"

namespace kfuse {

/// Checks whether the two accesses never touch one element. Both indices are
/// polynomials and count elements of one size from one start.
bool areDisjoint(const StageAccess &first, const Stage &firstStage,
                 const StageAccess &second, const Stage &secondStage,
                 const KnownFacts &facts);

/// Returns ways in which two accesses never touch one element (Pitches.h),
/// though that isn't proved.
std::vector<Rooms> waysToBeDisjoint(const StageAccess &first,
                                    const Stage &firstStage,
                                    const StageAccess &second,
                                    const Stage &secondStage,
                                    const KnownFacts &facts);

} // namespace kfuse

#endif
