//===- CoordinateExtents.h - How many values coordinates take -------------===//
//
// Sizes for the model: what the launch doesn't fix is what was measured, or is
// assumed.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_COST_COORDINATEEXTENTS_H
#define KFUSE_FUSION_COST_COORDINATEEXTENTS_H

#include "fusion/plan/Problem.h"

#include <array>
#include <optional>

namespace kfuse {

/// How many values each coordinate of a launch takes.
struct Extents {
  std::array<double, 3> block = {1, 1, 1}, grid = {1, 1, 1};
  std::array<double, 3> stride = {1, 1, 1}; ///< of StrideIdx

  double extent(Symbol symbol) const {
    switch (symbol.kind) {
    case SymbolKind::ThreadIdx:
      return block[symbol.index];
    case SymbolKind::BlockIdx:
      return grid[symbol.index];
    case SymbolKind::StrideIdx:
      return stride[symbol.index];
    default:
      return block[symbol.index] * grid[symbol.index];
    }
  }
  static double product(const std::array<double, 3> &extents) {
    return extents[0] * extents[1] * extents[2];
  }
  double threads() const { return product(block) * product(grid); }
};
Extents extentsOf(const Problem &problem, LaunchId launch);

bool isCoordinate(Symbol symbol);
/// Checks whether the symbol is a term, such as a quotient or a remainder, that
/// a coordinate is part of.
bool isTermOfCoordinates(Symbol symbol, const TermTable &terms);
/// Returns how many values a coordinate, or a term of coordinates, takes.
double extentOf(Symbol symbol, const Extents &extents, const TermTable &terms);
/// Returns the index without remainders that only lead around an edge, to
/// another thread's element.
Polynomial unwrapped(Polynomial index, const Extents &extents,
                     const TermTable &terms);

/// Returns the trip count of a loop of the launch's kernel, or an assumed one.
double tripsOf(const Problem &problem, LaunchId launch, std::uint32_t loop);
/// Returns how many of a member's threads each block of `leader` runs, given
/// its ConfigMapping::chunk. Values that the launch doesn't fix are assumed: a
/// block of the usual size, and a row's length for any other.
double threadsShared(const Problem &problem, LaunchId leader,
                     const Polynomial &chunk);

/// Returns the polynomial's value if it is a constant that isn't negative;
/// nullopt otherwise.
std::optional<double> constantOf(const Polynomial &polynomial);

} // namespace kfuse

#endif
