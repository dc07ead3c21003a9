//===- Stage.h - A launch as a stage --------------------------------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_STAGE_H
#define KFUSE_FUSION_DEPENDENCE_STAGE_H

#include "graphs/program/Program.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace kfuse {

/// One access in canonical coordinates.
struct StageAccess {
  std::uint32_t number = 0;       ///< into Launch::accesses
  const Access *access = nullptr; ///< as bound to the launch
  ArrayId array = noneOf<ArrayId>();
  /// In elements from the start of the array, the pointer's offset included.
  IndexExpr index = NotPolynomial::Unsupported;
  Guard guard;
  Guard cover; ///< when this or another store of the kernel to `index` runs
  /// The conjuncts of `guard` that compare a bare index with what all threads
  /// agree on. They also run for threads that the kernel never had: nothing
  /// else about the indices of these is known to be a number of its type.
  Guard bare;
};

inline bool writes(const StageAccess &access) {
  return access.access->kind != AccessKind::Read;
}

/// A launch as a stage of a fused kernel.
struct Stage {
  LaunchId launch{};
  const Kernel *kernel = nullptr;
  std::array<Polynomial, 3> grid, block;
  /// The axis on which a grid-stride loop has the coordinate StrideIdx.
  std::optional<std::uint32_t> strideAxis;
  /// The coordinates within terms, which are those of the kernel's text, are
  /// the stage's: it wasn't given another shape.
  bool hasOwnTerms = true;
  std::vector<StageAccess> accesses;
  /// The first value of each KernelLoop's variable, if it has one and the
  /// launch makes it a constant.
  std::vector<std::optional<std::int64_t>> loopStarts;
};

/// A choice of coordinates: for each axis G alone, or ThreadIdx and BlockIdx.
using AxisSplit = std::array<bool, 3>;

} // namespace kfuse

#endif
