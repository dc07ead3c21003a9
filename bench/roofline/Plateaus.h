//===- Plateaus.h - The levels of a memory in a curve ---------------------===//
//
// A curve over working sets is flat while the set fits a cache, and slopes
// where it begins not to. The curve is divided, in logarithms of both axes,
// into flat and sloping pieces so that the squared residuals and a charge for
// each piece are least (Bellman's dynamic program). The charge is that of the
// Bayesian information criterion, in units of the noise.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_BENCH_ROOFLINE_PLATEAUS_H
#define KFUSE_BENCH_ROOFLINE_PLATEAUS_H

#include "bench/roofline/Estimates.h"

#include <cstddef>
#include <vector>

namespace kfuse {

/// A point of a curve; both coordinates are positive.
struct CurvePoint {
  double x = 0, y = 0;
  double spread = 0; ///< relative, of y
};

/// A flat piece of a curve.
struct Plateau {
  std::size_t first = 0, last = 0; ///< points, inclusive
  double value = 0;                ///< the median of y
};

/// Returns the plateaus of a curve that falls along x, at most `most` of them;
/// they fall, too. Its points ascend in x. If the curve rises, give 1 / y.
std::vector<Plateau> plateausOf(const std::vector<CurvePoint> &curve,
                                std::size_t most);

/// Returns the x at which the curve has fallen half the way, in logarithms,
/// from one plateau to the next: the size of the cache that the first is of.
/// The spread is half of what lies between the points beside it.
Estimate edgeOf(const std::vector<CurvePoint> &curve, const Plateau &above,
                const Plateau &below);

} // namespace kfuse

#endif
