//===- Neighbourhoods.h - Several groups, solved exactly ------------------===//
#ifndef KFUSE_GA_GENETIC_NEIGHBOURHOODS_H
#define KFUSE_GA_GENETIC_NEIGHBOURHOODS_H

#include "ga/genetic/LocalSearch.h"

#include <cstddef>

namespace kfuse {

/// Improves groups together with some neighbours, as long as they have few
/// items, to the best that these can be.
class NeighbourhoodSearch {
public:
  explicit NeighbourhoodSearch(Costs &costs);
  /// Starts at the groups of the queued items, and goes on where something
  /// changed.
  void improve(Grouping &grouping, ItemQueue &queue, Random &random);
  /// Returns whether a neighbourhood was the whole problem, so that nothing is
  /// better than what it found.
  bool hasSolvedAll() const { return HasSolvedAll; }

private:
  Costs &Ask;
  bool MayTakeAll, HasSolvedAll = false;
  /// Items of a neighbourhood: fewer after dense ones, and more after many
  /// thin ones.
  std::size_t Most;
  std::size_t Thin = 0;
};

} // namespace kfuse

#endif
