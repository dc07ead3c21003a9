//===- MeasureKernels.h - The kernels of both programs, timed -------------===//
#ifndef KFUSE_BENCH_COMPARE_MEASUREKERNELS_H
#define KFUSE_BENCH_COMPARE_MEASUREKERNELS_H

#include "bench/collect/Record.h"
#include "bench/compare/Comparison.h"
#include "bench/compare/KernelComparison.h"

#include <functional>
#include <string>
#include <vector>

namespace kfuse {

/// The kernels of one run of each program for each index.
struct MeasuredKernels {
  std::vector<KernelTotals> original, fused;
  std::vector<std::vector<LaunchRecord>> records; ///< of all runs, the
                                                  ///< original's first
  /// Why kernels of a program weren't measured, or not all of them.
  std::vector<std::string> problems;
};

/// Adds up the launches of a run by kernel.
KernelTotals totalsOf(const std::vector<LaunchRecord> &records);

/// Runs the programs in turns, `runs` times each, with what records their
/// launches, and adds their kernels. That slows them, so these aren't the runs
/// that are compared.
void measureKernels(MeasuredKernels &measured, const ComparisonPlan &plan,
                    unsigned runs, const std::function<bool()> &isStopped);

} // namespace kfuse

#endif
