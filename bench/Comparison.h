//===- Comparison.h - Two programs, run in turns --------------------------===//
#ifndef KFUSE_BENCH_COMPARISON_H
#define KFUSE_BENCH_COMPARISON_H

#include <functional>
#include <string>
#include <vector>

namespace kfuse {

/// Says which programs are compared, and when that ends.
struct ComparisonPlan {
  std::string original, fused;        ///< programs that can be started
  std::vector<std::string> arguments; ///< of both
  unsigned leastPairs = 5;
  unsigned mostPairs = 1000;
  double seconds = 30; ///< that measuring takes, after leastPairs pairs
  /// Ends once the ratio is known this well: the half-width of its interval, as
  /// a part of it.
  double precision = 0.01;
};

/// The times of both programs, in seconds: of one index, one after the other.
struct Comparison {
  std::vector<double> original, fused;
  std::string error;      ///< why a program couldn't be run; else empty
  std::string difference; ///< in what they print or return; else empty
};

/// Runs both programs once, which warms caches and shows whether they print the
/// same and end in the same way. If they do, runs them in turns until the plan
/// is met or `isStopped` says so, and calls `progress` after each pair. Their
/// input is empty.
Comparison compare(const ComparisonPlan &plan,
                   const std::function<bool()> &isStopped,
                   const std::function<void(const Comparison &)> &progress);

} // namespace kfuse

#endif
