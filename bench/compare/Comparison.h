//===- Comparison.h - Two programs, run in turns --------------------------===//
#ifndef KFUSE_BENCH_COMPARE_COMPARISON_H
#define KFUSE_BENCH_COMPARE_COMPARISON_H

#include "bench/DeviceChoice.h"
#include "bench/compare/Agreement.h"
#include "bench/compare/ProgramBuild.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kfuse {

/// Says which programs are compared, and when that ends.
struct ComparisonPlan {
  BuiltProgram original, fused;
  std::vector<std::string> arguments;    ///< of both
  std::optional<VisibleDevices> devices; ///< that both see; else all
  std::optional<TraceRules> rules;       ///< by which their traces are equal
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
  Agreement agreement;
  std::string error; ///< why a program couldn't be run; else empty
};

/// Runs both programs once, which warms caches and shows whether they do the
/// same. If they do, calls `beforePairs`, runs them in turns until the plan is
/// met or `isStopped` says so, and calls `progress` after each pair. Their
/// input is empty.
Comparison compare(const ComparisonPlan &plan,
                   const std::function<bool()> &isStopped,
                   const std::function<void()> &beforePairs,
                   const std::function<void(const Comparison &)> &progress);

} // namespace kfuse

#endif
