//===- Certificate.h - A lower bound of every partition -------------------===//
#ifndef KFUSE_GA_EXACT_CERTIFICATE_H
#define KFUSE_GA_EXACT_CERTIFICATE_H

#include "ga/problem/PartitionProblem.h"

namespace kfuse {

enum class BoundKind : std::uint8_t {
  None,          ///< too many groups to be listed
  DualAscent,    ///< prices without a solver
  LinearProgram, ///< prices of the relaxed set-partition program
  Proof,         ///< no partition costs less
};

const char *boundName(BoundKind kind);

struct Certificate {
  BoundKind kind = BoundKind::None;
  double bound = 0;
  std::uint64_t groups = 0; ///< that the problem allows
  /// A better partition than the one that was asked about; empty if none was
  /// found.
  Partition better;
};

} // namespace kfuse

#endif
