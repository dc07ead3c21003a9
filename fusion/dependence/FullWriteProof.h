//===- FullWriteProof.h - Accesses that reach a whole array ---------------===//
//
// Proves that accesses together reach every element of an array. An access
// whose index is a number in mixed radix, and whose guard only bounds its
// coordinates, reaches a box of elements. Boxes are taken off the array's sides
// until nothing is left: an interior, say, two rows and two columns.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_FULLWRITEPROOF_H
#define KFUSE_FUSION_DEPENDENCE_FULLWRITEPROOF_H

#include "fusion/dependence/Coordinates.h"
#include "fusion/dependence/KnownFacts.h"

#include <memory>
#include <vector>

namespace kfuse {

/// Returns what is known of the host values of one launch, if it runs.
KnownFacts factsOf(const Program &program, const Stage &stage);
/// Returns what is known of the host values whatever runs.
KnownFacts knownOf(const Program &program);

/// An access that runs wherever `guard` holds. The stage has the symbols of its
/// launch.
struct AccessRange {
  const StageAccess *access = nullptr;
  const Guard *guard = nullptr;
  std::shared_ptr<const Stage> stage;
};

/// Checks whether the accesses together touch each element of an array of
/// `bytes` bytes. A launch of no blocks fails, and the program may go on:
/// launches aren't assumed to have blocks, except those without which the array
/// has no elements.
bool coversArray(const Program &program,
                 const std::vector<AccessRange> &reaches,
                 const Polynomial &bytes, const KnownFacts &known);

} // namespace kfuse

#endif
