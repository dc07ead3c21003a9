//===- fusion/Forwarding.h - Values that pass in registers ----------------===//
#ifndef KFUSE_FUSION_FORWARDING_H
#define KFUSE_FUSION_FORWARDING_H

#include "fusion/Group.h"
#include "fusion/Legality.h"
#include "fusion/Plan.h"

#include <variant>
#include <vector>

namespace kfuse {

/// A placement for each array of the group, in order of first access. An array
/// that a later stage reads after an earlier one wrote it goes through a
/// register, or the group is refused: a value that passed through memory inside
/// one kernel would let the compiler contract across the former boundary.
std::variant<std::vector<Placement>, Obstacle>
placeArrays(const Group &group, const std::vector<Flow> &flows);

/// 32-bit registers a thread needs for the forwarded values.
std::uint32_t forwardedRegisters(const Program &program,
                                 const std::vector<Placement> &placements);

} // namespace kfuse

#endif
