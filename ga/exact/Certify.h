//===- Certify.h - How far a partition is from the best -------------------===//
//
// Prices of the items such that no group is worth more than it costs: their sum
// is a lower bound of every partition. The best prices are those of the relaxed
// set-partition program over all groups that the problem allows. But any prices
// become a bound once what the dearest group of each item lacks is taken off.
// So nothing depends on how well a solver worked.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GA_EXACT_CERTIFY_H
#define KFUSE_GA_EXACT_CERTIFY_H

#include "ga/exact/Certificate.h"

#include <cstdint>

namespace kfuse {

struct CertifyOptions {
  std::uint64_t mostSets = 20'000'000; ///< looked at for groups
  /// Goes on until the bound is proven, or so many branches were taken.
  bool prove = false;
  std::uint32_t nodes = 20000;
};

/// Returns a lower bound for the partitions of a hereditary problem, starting
/// from a known partition.
Certificate certify(const PartitionProblem &problem, const Partition &partition,
                    const CertifyOptions &options);

} // namespace kfuse

#endif
