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

/// Returns a line with the time of all kernels, and one for each row.
std::string kernelText(const KernelTable &table);
/// Returns a table with a row for each, and one for all.
std::string kernelMarkdown(const KernelTable &table);
/// Returns an array of objects; times are seconds.
nlohmann::ordered_json kernelJson(const KernelTable &table);

} // namespace kfuse

#endif
