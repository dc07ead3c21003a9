//===- IntToFloat.h - Numbers that several members make -------------------===//
//
// The compiler may compute once what two members make of the thread's index,
// and then contract otherwise than in each kernel alone: a product with two
// uses stays a product. All but the first of them get coordinates, and
// integers, that the compiler doesn't know to be those of the others. Members
// whose sums are all written with explicit operations have nothing to contract.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_FORWARDING_INTTOFLOAT_H
#define KFUSE_FUSION_FORWARDING_INTTOFLOAT_H

#include "fusion/group/Group.h"
#include "fusion/plan/Plan.h"

#include <optional>

namespace kfuse {

/// Sets FusedKernel::isolated, or says which member's numbers can't be
/// isolated.
std::optional<Obstacle> isolateIntToFloat(const Group &group,
                                          FusedKernel &kernel);

} // namespace kfuse

#endif
