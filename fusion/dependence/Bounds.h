//===- Bounds.h - Bounds of values where an access runs -------------------===//
//
// Upper and lower bounds of values that differ between the threads and
// iterations in which an access runs. These are coordinates and counters,
// quotients and remainders of them, and sums that a guard bounds as a whole,
// though none of their terms.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_FUSION_DEPENDENCE_BOUNDS_H
#define KFUSE_FUSION_DEPENDENCE_BOUNDS_H

#include "fusion/dependence/Coordinates.h"
#include "fusion/dependence/KnownFacts.h"

#include <map>
#include <vector>

namespace kfuse {

class Bounds {
public:
  /// Bounds values over the threads of `stage` that pass `guard`, already
  /// split; `given` holds for the whole grid.
  Bounds(const Stage &stage, Guard guard, const AxisSplit &split,
         KnownFacts given, const std::vector<std::uint32_t> &loops);

  /// Returns what holds whenever the access runs at all.
  const KnownFacts &facts() const { return Known; }

  /// Returns the bounds of a coordinate, a counter or a term; it may have none.
  Range of(Symbol symbol);
  /// Returns upper bounds of `value`, none of which differs between threads.
  /// Combines up to `mostSums` guards of sums.
  std::vector<Polynomial> upper(const Polynomial &value, unsigned mostSums = 2);
  std::vector<Polynomial> lower(const Polynomial &value);

private:
  Range ofAlone(Symbol symbol);
  Range ofTerm(Symbol symbol);
  std::vector<Polynomial> upperOfTerms(Polynomial value);
  std::optional<Polynomial> quotient(const Polynomial &dividend,
                                     const Polynomial &divisor) const;
  std::vector<Polynomial> shortened(const Polynomial &value,
                                    const Polynomial &bounded) const;
  std::vector<Symbol> varying(const Polynomial &value) const;

  const Stage &TheStage;
  AxisSplit Split;
  Guard Conjuncts;
  /// Expressions that are never negative and mention more than one symbol that
  /// differs between threads.
  std::vector<Polynomial> Sums;
  KnownFacts Known;
  std::map<Symbol, Range> OfTerms; ///< empty while one is being found
};

} // namespace kfuse

#endif
