//===- ComparisonReport.h - A comparison as text --------------------------===//
#ifndef KFUSE_BENCH_COMPARISONREPORT_H
#define KFUSE_BENCH_COMPARISONREPORT_H

#include "bench/Comparison.h"
#include "bench/Statistics.h"

#include <string>

namespace kfuse {

/// Returns a time in the unit that suits `like`: "0.3 ms" beside 12.3 ms.
std::string timeText(double seconds, double like);
/// Returns a time in the unit that suits it: "12.3 ms".
inline std::string timeText(double seconds) {
  return timeText(seconds, seconds);
}

/// Returns the verdict on the fused program: "1.71 ± 0.02 times faster", "1.20
/// ± 0.03 times slower", or "no difference (1.00 ± 0.02)".
std::string verdictOf(const Ratio &ratio);

/// These take comparisons with at least one pair.

/// Returns three lines: of each program, and the verdict.
std::string comparisonText(const Comparison &comparison);
/// Returns a table with a row for each program.
std::string comparisonMarkdown(const ComparisonPlan &plan,
                               const Comparison &comparison);
/// Returns an object: both programs with all their times, in seconds, and the
/// ratio.
std::string comparisonJson(const ComparisonPlan &plan,
                           const Comparison &comparison);

} // namespace kfuse

#endif
