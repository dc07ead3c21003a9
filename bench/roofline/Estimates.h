//===- Estimates.h - A number and how well it is known --------------------===//
#ifndef KFUSE_BENCH_ROOFLINE_ESTIMATES_H
#define KFUSE_BENCH_ROOFLINE_ESTIMATES_H

#include <vector>

namespace kfuse {

/// A value and its relative half-width.
struct Estimate {
  double value = 0;
  double spread = 0;
};

/// These take at least one sample.

/// Returns the median, and half the interquartile range.
Estimate medianOf(std::vector<double> samples);
/// Returns the most, and how far the median is below it: for rates, which
/// whatever else the machine does only lowers.
Estimate highestOf(const std::vector<double> &samples);
/// Returns the least, and how far the median is above it: for times.
Estimate lowestOf(const std::vector<double> &samples);

} // namespace kfuse

#endif
