//===- Bounds.h - Bounds of values where an access runs -------------------===//
//
// Upper and lower bounds, over the threads and iterations that an access runs
// in, of values that differ between them: of coordinates and counters, of
// quotients and remainders of these, and of sums that a guard bounds as a
// whole, though none of their terms.
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
  /// Of the threads of `stage` that the guard, already split, lets pass;
  /// `given` holds for the whole grid.
  Bounds(const Stage &stage, Guard guard, const AxisSplit &split,
         KnownFacts given, const std::vector<std::uint32_t> &loops);

  /// What holds wherever the access runs at all.
  const KnownFacts &facts() const { return Known; }

  /// Of a coordinate, a counter or a term; it may have none.
  Range of(Symbol symbol);
  /// Of a polynomial, each entry one that differs between no threads.
  /// `mostSums` guards of sums are taken together.
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
