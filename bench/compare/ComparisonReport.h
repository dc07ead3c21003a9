//===- ComparisonReport.h - A comparison as text --------------------------===//
#ifndef KFUSE_BENCH_COMPARISONREPORT_H
#define KFUSE_BENCH_COMPARISONREPORT_H

#include "bench/Statistics.h"
#include "bench/compare/Comparison.h"
#include "bench/compare/KernelReport.h"

#include <string>

namespace kfuse {

/// Returns the verdict on the fused program: "1.71 ± 0.02 times faster", "1.20
/// ± 0.03 times slower", or "no difference (1.00 ± 0.02)".
std::string verdictOf(const Ratio &ratio);

/// A comparison with at least one pair of runs, for people and for programs.
struct ComparisonResult {
  std::string original, fused; ///< as the user named them
  std::vector<std::string> arguments;
  Comparison comparison;
  KernelTable kernels; ///< without rows if kernels weren't measured
};

/// Returns three lines, of each program and the verdict, and the kernels.
std::string comparisonText(const ComparisonResult &result);
/// Returns a table with a row for each program, and one of the kernels.
std::string comparisonMarkdown(const ComparisonResult &result);
/// Returns an object: both programs with all their times, in seconds, the
/// ratio, and the kernels.
std::string comparisonJson(const ComparisonResult &result);

} // namespace kfuse

#endif
