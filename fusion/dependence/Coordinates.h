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

#include "fusion/dependence/KnownFacts.h"
#include "fusion/dependence/Stage.h"
#include "fusion/dependence/Varying.h"
#include "graphs/program/Program.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace kfuse {

/// In which symbols a stage is written.
enum class SymbolSpace : std::uint8_t {
  Launch, ///< parameters and shape replaced by the launch's host values
  Kernel, ///< the kernel's Parameter, BlockDim and GridDim, constants put in;
          ///< indices count from the kernel's pointer
};

Stage makeStage(const Program &program, LaunchId launch, SymbolSpace space);
/// The same threads, doing nothing.
Stage withoutAccesses(const Stage &stage);

/// A value of the kernel's text in the stage's coordinates.
std::optional<Polynomial> canonical(const Polynomial &polynomial,
                                    const Stage &stage, const TermTable &terms);

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
void assumeNonNegative(KnownFacts &facts, Polynomial value);
/// Adds what holds where the access happens at all: every coordinate's bounds
/// leave at least one value.
void assumeNonEmpty(KnownFacts &facts, const Range &range);

} // namespace kfuse

#endif
