//===- Coordinates.h - Accesses in the coordinates of the group -----------===//
//
// Two launches of one grid and block run the same threads. To compare what
// thread t touches in each, indices and guards are rewritten to one set of
// coordinates. On every axis, these are the global index G = BlockIdx*BlockDim
// + ThreadIdx and the block B, with ThreadIdx = G - B*BlockDim. The change is
// linear and invertible, so equal polynomials are equal functions of the
// thread.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_COORDINATES_H
#define KFUSE_FUSION_DEPENDENCE_COORDINATES_H

#include "fusion/dependence/KnownFacts.h"
#include "fusion/dependence/Stage.h"
#include "fusion/dependence/Varying.h"
#include "graphs/program/Program.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace kfuse {

/// The symbols in which a stage is written.
enum class SymbolSpace : std::uint8_t {
  Launch, ///< parameters and shape replaced by the launch's host values
  Kernel, ///< the kernel's Parameter, BlockDim and GridDim, constants put in;
          ///< indices count from the kernel's pointer
};

Stage makeStage(const Program &program, LaunchId launch, SymbolSpace space);
/// Returns the stage with the same threads and no accesses.
Stage withoutAccesses(const Stage &stage);

/// Rewrites a value of the kernel's text in the stage's coordinates.
std::optional<Polynomial> canonical(const Polynomial &polynomial,
                                    const Stage &stage, const TermTable &terms);

/// Replaces G by ThreadIdx + BlockIdx*BlockDim on the split axes.
std::optional<Polynomial> splitAxes(const Polynomial &polynomial,
                                    const Stage &stage, const AxisSplit &split);
/// Returns the thread's coordinates under `split`: axes of extent one have
/// none, and the axis of a grid-stride loop has the loop's variable.
std::vector<Symbol> coordinatesOf(const Stage &stage, const AxisSplit &split);

/// Bounds of a coordinate; each entry is valid, none necessarily the tightest.
struct Range {
  std::vector<Polynomial> low, high;
};
/// Returns the bounds from the shape and from those conjuncts of `guard`
/// (already split) that bound the coordinate by values that don't vary.
Range rangeOf(Symbol coordinate, const Stage &stage, const Guard &guard,
              const TermTable &terms);
/// Adds the bounds that such conjuncts give for any symbol.
void addGuardBounds(Range &range, Symbol symbol, const Guard &guard,
                    const TermTable &terms);
/// Splits the guard's polynomials; drops what overflows, which only weakens it.
Guard splitGuard(const Guard &guard, const Stage &stage,
                 const AxisSplit &split);

/// Adds the fact that `value` isn't negative.
void assumeNonNegative(KnownFacts &facts, Polynomial value);
/// Adds what holds if the access runs at all: every coordinate's bounds leave
/// at least one value.
void assumeNonEmpty(KnownFacts &facts, const Range &range);

} // namespace kfuse

#endif
