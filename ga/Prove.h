//===- ga/Prove.h - The set-partition program in whole groups -------------===//
#ifndef KFUSE_GA_PROVE_H
#define KFUSE_GA_PROVE_H

#include "ga/Certificate.h"
#include "ga/GroupList.h"

namespace kfuse {

/// Closes the gap between a certificate's bound and the partition's cost where
/// that takes at most so many branches. Only `live` groups can be in a better
/// partition; solutions that are circular are cut off.
void prove(const Relations &relations, const GroupList &groups,
           const std::vector<std::size_t> &live, double cost,
           std::uint32_t nodes, Certificate &certificate);

} // namespace kfuse

#endif
