//===- KernelComparison.h - Kernels beside what they became ---------------===//
#ifndef KFUSE_BENCH_COMPARE_KERNELCOMPARISON_H
#define KFUSE_BENCH_COMPARE_KERNELCOMPARISON_H

#include "bench/compare/ProjectedPlan.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kfuse {

/// All launches of one kernel in one run.
struct KernelTotal {
  double seconds = 0;
  unsigned launches = 0;
};
/// The totals of one run, by the kernel's name without template arguments.
using KernelTotals = std::map<std::string, KernelTotal>;

/// Kernels of one program that run for others of the other program, in a run.
struct RowSide {
  std::vector<std::string> kernels; ///< sorted
  double seconds = 0;               ///< of all launches, median over runs
  double least = 0, most = 0;       ///< of the runs
  unsigned runs = 0;                ///< that were measured
  unsigned launches = 0;
  std::optional<double> projected; ///< seconds of as many launches
  /// Each of the kernels alone, if there are several.
  std::vector<RowSide> members = {};
};
struct KernelRow {
  RowSide original, fused;
};

/// Pairs the kernels of both programs. A kernel that is launched at several
/// places may have become part of several others: all of them are one row. The
/// rows that take longest in the original come first. Without a plan kernels
/// of one name are a row, and all others another.
std::vector<KernelRow> compareKernels(const std::vector<KernelTotals> &original,
                                      const std::vector<KernelTotals> &fused,
                                      const std::optional<ProjectedPlan> &plan);

} // namespace kfuse

#endif
