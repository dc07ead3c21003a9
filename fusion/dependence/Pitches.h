//===- Pitches.h - Elements in other rows or other columns ----------------===//
//
// The spans of a grid's first column and of its first row overlap, though they
// have only the corner in common. With rows of P elements an index is
// P * row + column. Columns that lie less than P apart tell rows apart: then
// two indices are equal only if both their rows and their columns are.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_PITCHES_H
#define KFUSE_FUSION_DEPENDENCE_PITCHES_H

#include "fusion/dependence/Coordinates.h"
#include "fusion/dependence/KnownFacts.h"
#include "fusion/plan/Plan.h"

#include <vector>

namespace kfuse {

/// Values that are known before the launch. If none of them is negative,
/// something holds that isn't proved otherwise.
using Rooms = std::vector<Polynomial>;

/// Returns ways in which two accesses never touch one element, since their rows
/// or columns differ. Both indices are polynomials, and `facts` hold if both
/// accesses run. The first way lacks nothing if there is one like that.
std::vector<Rooms> waysToDiffer(const StageAccess &first,
                                const Stage &firstStage,
                                const StageAccess &second,
                                const Stage &secondStage,
                                const KnownFacts &facts);

/// Returns ways in which two accesses touch one element only in one thread:
/// each thread has rows of its own, and neither access leaves them. The rest is
/// as above.
std::vector<Rooms> waysToStayInRows(const StageAccess &first,
                                    const Stage &firstStage,
                                    const StageAccess &second,
                                    const Stage &secondStage,
                                    const KnownFacts &facts);

} // namespace kfuse

#endif
