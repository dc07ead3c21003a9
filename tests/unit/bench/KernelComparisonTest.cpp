//===- KernelComparisonTest.cpp -------------------------------------------===//

#include "bench/compare/KernelComparison.h"
#include "bench/compare/KernelReport.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

/// Returns "a, b: 3 us -> f: 1 us" for each row, with launches in brackets and
/// projections in parentheses.
std::string rowsOf(const std::vector<KernelRow> &rows) {
  const auto sideText = [](const RowSide &side) {
    std::string text;
    for (const std::string &name : side.kernels)
      text += (text.empty() ? "" : ", ") + name;
    text += " [" + std::to_string(side.launches) + "] " +
            std::to_string(static_cast<int>(side.seconds * 1e6 + 0.5));
    if (side.projected)
      text += " (" +
              std::to_string(static_cast<int>(*side.projected * 1e6 + 0.5)) +
              ")";
    return text;
  };
  std::string text;
  for (const KernelRow &row : rows)
    text += sideText(row.original) + " -> " + sideText(row.fused) + "\n";
  return text;
}

TEST(KernelComparison, PairsAGroupWithItsMembers) {
  const ProjectedPlan plan{"h200",
                           {{{"kfuse_a_b", 4e-6}, {{"a", 3e-6}, {"b", 2e-6}}},
                            {{"c", 7e-6}, {{"c", 7e-6}}}},
                           {}};
  EXPECT_EQ(rowsOf(compareKernels(
                {{{"a", {6e-6, 2}}, {"b", {4e-6, 2}}, {"c", {20e-6, 2}}}},
                {{{"kfuse_a_b", {8e-6, 2}}, {"c", {20e-6, 2}}}}, plan)),
            "c [2] 20 (14) -> c [2] 20 (14)\n"
            "a, b [4] 10 (10) -> kfuse_a_b [2] 8 (8)\n");
}

TEST(KernelComparison, JoinsGroupsThatShareAKernel) {
  const ProjectedPlan plan{"h200",
                           {{{"f", 1e-6}, {{"a", 1e-6}, {"b", 1e-6}}},
                            {{"g", 1e-6}, {{"a", 3e-6}, {"c", 1e-6}}}},
                           {}};
  // `a` costs 1 us at one place and 3 us at the other.
  EXPECT_EQ(rowsOf(compareKernels(
                {{{"a", {4e-6, 2}}, {"b", {1e-6, 1}}, {"c", {1e-6, 1}}}},
                {{{"f", {1e-6, 1}}, {"g", {2e-6, 1}}}}, plan)),
            "a, b, c [4] 6 (6) -> f, g [2] 3 (2)\n");
}

TEST(KernelComparison, MembersMayRunThemselves) {
  // The test at run time didn't hold.
  const ProjectedPlan plan{
      "h200", {{{"f", 4e-6}, {{"a", 3e-6}, {"b", 2e-6}}}}, {}};
  EXPECT_EQ(
      rowsOf(compareKernels({{{"a", {3e-6, 1}}, {"b", {2e-6, 1}}}},
                            {{{"a", {3e-6, 1}}, {"b", {2e-6, 1}}}}, plan)),
      "a, b [2] 5 (5) -> a, b [2] 5 (5)\n");
}

TEST(KernelComparison, KernelsWithoutAPlanArePairedByName) {
  EXPECT_EQ(rowsOf(compareKernels(
                {{{"a", {3e-6, 1}}, {"b", {2e-6, 1}}, {"same", {1e-6, 1}}}},
                {{{"mine", {4e-6, 1}}, {"same", {1e-6, 1}}}}, {})),
            "a, b [2] 5 -> mine [1] 4\n"
            "same [1] 1 -> same [1] 1\n");
}

TEST(KernelComparison, TakesTheMedianOfRuns) {
  EXPECT_EQ(rowsOf(compareKernels(
                {{{"a", {3e-6, 1}}}, {{"a", {90e-6, 1}}}, {{"a", {5e-6, 1}}}},
                {{{"a", {4e-6, 1}}}}, {})),
            "a [1] 5 -> a [1] 4\n");
}

TEST(KernelComparison, TextAlignsMeasuredAndProjected) {
  KernelTable table;
  table.device = "h200";
  table.rows = {
      {{{"a", "b", "c", "d", "e"}, 10e-6, 5, 12e-6}, {{"f"}, 4e-6, 1, 3e-6}}};
  EXPECT_EQ(kernelText(table),
            "kernels : 10.0 us -> 4.0 us, 2.50x; 5 launches -> 1; projected on "
            "h200: 12.0 us -> 3.0 us, 4.00x\n\n"
            "  measured                  projected on h200         launches  "
            "kernels\n"
            "  10.0 us -> 4.0 us  2.50x  12.0 us -> 3.0 us  4.00x  5 -> 1    "
            "a, b, c, d and 1 more -> f\n");
}

} // namespace
} // namespace kfuse
