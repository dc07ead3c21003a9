//===- Prove.h - The set-partition program in whole groups ----------------===//
//
// A sweep over the items if groups are of items close to each other. If that is
// too much or what it finds is circular, branches by a solver.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GA_EXACT_PROVE_H
#define KFUSE_GA_EXACT_PROVE_H

#include "ga/exact/Certificate.h"
#include "ga/groups/GroupList.h"

namespace kfuse {

/// Closes the gap between a certificate's bound and the partition's cost if
/// that takes few states of a sweep or at most so many branches. Only `live`
/// groups can be in a better partition, and the prices exceed none of them.
void prove(const Relations &relations, const GroupList &groups,
           const std::vector<std::size_t> &live,
           const std::vector<double> &prices, double cost, std::uint32_t nodes,
           Certificate &certificate);

} // namespace kfuse

#endif
