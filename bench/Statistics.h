//===- Statistics.h - What repeated measurements say ----------------------===//
#ifndef KFUSE_BENCH_STATISTICS_H
#define KFUSE_BENCH_STATISTICS_H

#include <cstddef>
#include <vector>

namespace kfuse {

/// Measurements of one thing, all in the unit of the samples.
struct Summary {
  std::size_t count = 0;
  double mean = 0, median = 0, least = 0, most = 0;
  double deviation = 0; ///< standard deviation of a sample; 0 if there is one
};

/// Summarises the samples, of which there is at least one.
Summary summarise(std::vector<double> samples);

/// How many times longer one thing takes than another, with the half-width of
/// the interval in which the true ratio lies with 95 % confidence.
struct Ratio {
  double value = 1;
  double halfWidth = 0; ///< infinite for less than two pairs
  /// Checks whether the interval holds 1, so that nothing can be said.
  bool isUndecided() const {
    return value - halfWidth <= 1 && value + halfWidth >= 1;
  }
};

/// Returns the geometric mean of `slower[i] / faster[i]`. Samples of one index
/// were measured one after the other, so that what slows the machine for a
/// while slows both. Both lists are of one length, and positive.
Ratio pairedRatio(const std::vector<double> &slower,
                  const std::vector<double> &faster);

} // namespace kfuse

#endif
