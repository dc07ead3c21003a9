//===- LogAxis.h - Logarithmic axes ---------------------------------------===//
#ifndef KFUSE_BENCH_DRAW_LOGAXIS_H
#define KFUSE_BENCH_DRAW_LOGAXIS_H

#include <vector>

namespace kfuse {

/// The values from `least` to `most`, at the pixels from `begin` to `end`,
/// which may lie before it.
struct LogAxis {
  double least = 1, most = 10; ///< both above zero, and apart
  double begin = 0, end = 1;

  double at(double value) const;
  /// Returns the distance of two values of which one is `factor` times the
  /// other.
  double pixelsOf(double factor) const;
  bool holds(double value) const { return value >= least && value <= most; }

  /// Returns the powers of `base` on the axis, or each second, third and so on
  /// of them if they would be closer than `apart`.
  std::vector<double> powers(double base, double apart) const;
  /// Returns powers of ten; if there are only one or two of them, also twice
  /// and five times each.
  std::vector<double> decimals(double apart) const;
};

} // namespace kfuse

#endif
