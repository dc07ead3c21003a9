//===- ga/Prove.h - The set-partition program in whole groups -------------===//
#ifndef KFUSE_GA_PROVE_H
#define KFUSE_GA_PROVE_H

#include "ga/Certificate.h"
#include "ga/GroupList.h"

namespace kfuse {

/// Closes the gap of a certificate where that takes at most so many branches.
/// `prices` are those of its bound. Only groups that leave less than the gap
/// can be in a better partition; solutions that are circular are cut off.
void prove(const Relations &relations, const GroupList &groups,
           const std::vector<double> &prices, const Partition &partition,
           std::uint32_t nodes, Certificate &certificate);

} // namespace kfuse

#endif
