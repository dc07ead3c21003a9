//===- Coordinates.h - Accesses in the coordinates of the group -----------===//
//
// Two launches of one grid and block run the same threads. To compare what
// thread t touches in each, indices and guards are rewritten to one set of
// coordinates: on every axis the global index G = BlockIdx*BlockDim + ThreadIdx
// and the block B, with ThreadIdx = G - B*BlockDim. The change is linear and
// invertible, so equal polynomials are equal functions of the thread.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_COORDINATES_H
#define KFUSE_FUSION_DEPENDENCE_COORDINATES_H

#include "fusion/dependence/Facts.h"
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
  Guard cover; ///< where this or another store of the kernel to `index` runs
  /// Those of `guard` that compare a bare index with what all threads agree on.
  /// They run for threads, too, that the kernel never had: of their indices
  /// nothing else is known to be a number of its type.
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
};

/// In which symbols a stage is written.
enum class Frame : std::uint8_t {
  Bound, ///< parameters and shape replaced by the launch's host values
  Own,   ///< the kernel's Parameter, BlockDim and GridDim, constants put in;
         ///< indices count from the kernel's pointer
};

Stage makeStage(const Program &program, LaunchId launch, Frame frame);
/// The same threads, doing nothing.
Stage withoutAccesses(const Stage &stage);

/// A value of the kernel's text in the stage's coordinates.
std::optional<Polynomial> canonical(const Polynomial &polynomial,
                                    const Stage &stage, const TermTable &terms);

/// Whether a term that is equal only to itself occurs. In a kernel's text it
/// stands for something that may differ from thread to thread.
bool hasUnique(const Polynomial &polynomial, const TermTable &terms);

/// Whether the value differs between threads or iterations.
bool varies(const Polynomial &polynomial, const TermTable &terms);

/// A choice of coordinates: for each axis G alone, or ThreadIdx and BlockIdx.
using AxisSplit = std::array<bool, 3>;
/// G replaced by ThreadIdx + BlockIdx*BlockDim on the split axes.
std::optional<Polynomial> splitAxes(const Polynomial &polynomial,
                                    const Stage &stage, const AxisSplit &split);
/// The thread's coordinates under a split: axes of extent one have none, and
/// the axis of a grid-stride loop has the loop's variable.
std::vector<Symbol> coordinatesOf(const Stage &stage, const AxisSplit &split);

/// Bounds of a coordinate; each entry is valid, none is the tightest.
struct Range {
  std::vector<Polynomial> low, high;
};
/// From the shape and from those conjuncts of `guard` (already split) that
/// bound the coordinate by values that don't vary.
Range rangeOf(Symbol coordinate, const Stage &stage, const Guard &guard,
              const TermTable &terms);
/// Adds the bounds that those conjuncts are for any symbol.
void addGuardBounds(Range &range, Symbol symbol, const Guard &guard,
                    const TermTable &terms);
/// The guard with its polynomials split; what overflows is dropped, which
/// only weakens it.
Guard splitGuard(const Guard &guard, const Stage &stage,
                 const AxisSplit &split);

/// Adds a value that isn't negative.
void assumeNonNegative(Facts &facts, Polynomial value);
/// Adds what holds where the access happens at all: every coordinate's bounds
/// leave at least one value.
void assumeNonEmpty(Facts &facts, const Range &range);

} // namespace kfuse

#endif
