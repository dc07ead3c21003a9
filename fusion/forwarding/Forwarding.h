//===- Forwarding.h - Values that pass in registers -----------------------===//
#ifndef KFUSE_FUSION_FORWARDING_FORWARDING_H
#define KFUSE_FUSION_FORWARDING_FORWARDING_H

#include "fusion/group/Group.h"
#include "fusion/legality/Legality.h"
#include "fusion/plan/Plan.h"

#include <variant>
#include <vector>

namespace kfuse {

/// Returns a placement for each array of the group, in order of first access.
/// Values that a later stage reads from an earlier one go through a register,
/// or through a tile if other threads wrote them. Values of the same thread may
/// also go through memory.
std::variant<std::vector<Placement>, Obstacle>
placeArrays(const Group &group, const std::vector<Flow> &flows);

/// Returns why the text of an access can't be replaced by a forwarded value;
/// empty when it can.
std::string whyNotReplaceable(const Stage &stage, const StageAccess &access);

/// Checks whether a branch in place of the text may keep compilers from
/// contracting a sum with a product.
bool mayPart(const Kernel &kernel, const SourceRange &text);

/// Returns how many 32-bit registers a thread needs for the forwarded values.
std::uint32_t forwardedRegisters(const Program &program,
                                 const std::vector<Placement> &placements);

} // namespace kfuse

#endif
