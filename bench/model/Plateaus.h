//===- Plateaus.h - Where a curve is level ------------------------------===//
#ifndef KFUSE_BENCH_MODEL_PLATEAUS_H
#define KFUSE_BENCH_MODEL_PLATEAUS_H

#include <array>
#include <vector>

namespace kfuse {

/// Neighbouring points of a curve with about one value: what one level of
/// memory does.
struct Plateau {
  double first = 0, last = 0; ///< bytes
  double value = 0;           ///< the median
};

/// Returns the plateaus of a curve: the longest runs of at least three points
/// of which the largest is at most 15 % above the smallest. They don't overlap,
/// and come in the order of the points.
std::vector<Plateau>
plateausOf(const std::vector<std::array<double, 2>> &points);

} // namespace kfuse

#endif
