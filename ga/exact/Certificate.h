//===- Certificate.h - How far a partition is from the best ---------------===//
//
// Prices of the items such that no group is worth more than it costs: their sum
// is a lower bound of every partition. The best prices are those of the
// relaxed set-partition program over all groups that the problem allows; but
// any prices become a bound once what the dearest group of each item lacks is
// taken off, so nothing depends on how well a solver worked.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_GA_EXACT_CERTIFICATE_H
#define KFUSE_GA_EXACT_CERTIFICATE_H

#include "ga/Search.h"

namespace kfuse {

enum class BoundKind : std::uint8_t {
  None,          ///< too many groups to be listed
  DualAscent,    ///< prices without a solver
  LinearProgram, ///< prices of the relaxed set-partition program
  Proof,         ///< no partition costs less
};

const char *boundName(BoundKind kind);

struct CertifyOptions {
  std::uint64_t mostSets = 20'000'000; ///< looked at for groups
  /// Goes on until the bound is proven, or so many branches were taken.
  bool prove = false;
  std::uint32_t nodes = 20000;
};

struct Certificate {
  BoundKind kind = BoundKind::None;
  double bound = 0;
  std::uint64_t groups = 0; ///< that the problem allows
  /// A better partition than the one that was asked about; empty if none was
  /// found.
  Partition better;
};

/// A lower bound for a hereditary problem, and the partition's place to start.
Certificate certify(const PartitionProblem &problem, const Partition &partition,
                    const CertifyOptions &options);

} // namespace kfuse

#endif
