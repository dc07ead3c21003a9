//===- Delinearise.h - Several axes as one of a member --------------------===//
#ifndef KFUSE_FUSION_SHAPES_DELINEARISE_H
#define KFUSE_FUSION_SHAPES_DELINEARISE_H

#include "fusion/shapes/ShapeMapping.h"

namespace kfuse {

/// Returns the member's threads in the leader's shape, which has more axes. One
/// of the member's axes runs along several of the leader's, in rows and planes
/// of the sizes that the leader's accesses have.
std::optional<MappedShape> delinearise(const Group &group, const Stage &member,
                                       const Stage &leader);

} // namespace kfuse

#endif
