//===- KernelReport.h - Kernels beside what they became, as text ----------===//
#ifndef KFUSE_BENCH_COMPARE_KERNELREPORT_H
#define KFUSE_BENCH_COMPARE_KERNELREPORT_H

#include "bench/compare/KernelComparison.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace kfuse {

/// The measured rows, and the device that their times are projected for; empty
/// without a plan.
struct KernelTable {
  std::vector<KernelRow> rows;
  std::string device;
};

/// These take tables with at least one row.

/// Returns a line with the time of all kernels, and one for each row. Below a
/// row that has several kernels of a program each of them has a line.
std::string kernelText(const KernelTable &table);
/// Returns the same as a table, in which all kernels are the last row.
std::string kernelMarkdown(const KernelTable &table);
/// Returns an array of objects; times are seconds. Each side of a row has its
/// kernels as `members`, also if there is only one.
nlohmann::ordered_json kernelJson(const KernelTable &table);

} // namespace kfuse

#endif
