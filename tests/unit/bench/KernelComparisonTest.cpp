//===- KernelComparisonTest.cpp -------------------------------------------===//

#include "bench/compare/KernelComparison.h"
#include "bench/compare/KernelReport.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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

TEST(KernelComparison, EachKernelOfSeveralHasATimeOfItsOwn) {
  const ProjectedPlan plan{
      "h200", {{{"f", 4e-6}, {{"a", 3e-6}, {"b", 2e-6}}}}, {}};
  const std::vector<KernelRow> rows =
      compareKernels({{{"a", {3e-6, 1}}, {"b", {20e-6, 2}}},
                      {{"a", {5e-6, 1}}, {"b", {40e-6, 2}}},
                      {{"a", {4e-6, 1}}, {"b", {30e-6, 2}}}},
                     {{{"f", {1e-6, 1}}}, {{"f", {7e-6, 1}}}}, plan);
  ASSERT_EQ(rows.size(), 1U);
  const RowSide &original = rows[0].original, &fused = rows[0].fused;
  EXPECT_DOUBLE_EQ(original.least, 23e-6);
  EXPECT_DOUBLE_EQ(original.most, 45e-6);
  EXPECT_EQ(original.runs, 3U);
  EXPECT_EQ(fused.runs, 2U);
  ASSERT_EQ(original.members.size(), 2U);
  EXPECT_EQ(rowsOf({{original.members[0], original.members[1]}}),
            "a [1] 4 (3) -> b [2] 30 (4)\n");
  EXPECT_DOUBLE_EQ(original.members[1].least, 20e-6);
  EXPECT_DOUBLE_EQ(original.members[1].most, 40e-6);
  EXPECT_TRUE(fused.members.empty());
}

/// A row of two kernels that became one, measured several times.
KernelTable fusedTable() {
  KernelTable table;
  table.device = "h200";
  RowSide a{{"a"}, 7e-6, 6.3e-6, 7.7e-6, 3, 2, 8e-6};
  RowSide b{{"b"}, 3e-6, 3e-6, 3e-6, 3, 3, 4e-6};
  RowSide both{{"a", "b"}, 10e-6, 9.5e-6, 10.5e-6, 3, 5, 12e-6, {a, b}};
  table.rows = {{both, {{"f"}, 4e-6, 4e-6, 4e-6, 1, 1, 3e-6}}};
  return table;
}

TEST(KernelComparison, TextAlignsMeasuredAndProjected) {
  EXPECT_EQ(kernelText(fusedTable()),
            "kernels : 10.0 us -> 4.0 us, 2.50x; 5 launches -> 1; projected on "
            "h200: 12.0 us -> 3.0 us, 4.00x\n\n"
            "  measured                        projected on h200         "
            "launches  kernels\n"
            "  10.0 us ± 5 % -> 4.0 us  2.50x  12.0 us -> 3.0 us  4.00x  "
            "5 -> 1    a, b -> f\n"
            "    7.0 us ± 10 %                   8.0 us                    "
            "2         a\n"
            "    3.0 us ± 0 %                    4.0 us                    "
            "3         b\n");
}

TEST(KernelComparison, TextNamesSomeKernelsInALine) {
  KernelTable table;
  table.rows = {
      {{{"a", "b", "c", "d", "e"}, 10e-6, 0, 0, 1, 5, {}},
       {{"f", "g"},
        4e-6,
        0,
        0,
        1,
        2,
        {},
        {{{"f"}, 1e-6, 0, 0, 1, 1, {}}, {{"g"}, 3e-6, 0, 0, 1, 1, {}}}}}};
  EXPECT_EQ(kernelText(table),
            "kernels : 10.0 us -> 4.0 us, 2.50x; 5 launches -> 2\n\n"
            "  measured                  launches  kernels\n"
            "  10.0 us -> 4.0 us  2.50x  5 -> 2    a, b, c, d and 1 more -> "
            "f, g\n"
            "    -> 1.0 us                 -> 1      -> f\n"
            "    -> 3.0 us                 -> 1      -> g\n");
}

TEST(KernelComparison, TablesHaveEachKernel) {
  EXPECT_EQ(kernelMarkdown(fusedTable()),
            "| measured |  | projected on h200 |  | launches | kernels |\n"
            "|---|---|---|---|---|---|\n"
            "| 10.0 us ± 5 % -> 4.0 us | 2.50x | 12.0 us -> 3.0 us | 4.00x | "
            "5 -> 1 | a, b -> f |\n"
            "| &ensp;7.0 us ± 10 % |  | &ensp;8.0 us |  | &ensp;2 | "
            "&ensp;a |\n"
            "| &ensp;3.0 us ± 0 % |  | &ensp;4.0 us |  | &ensp;3 | &ensp;b |\n"
            "| 10.0 us -> 4.0 us | 2.50x | 12.0 us -> 3.0 us | 4.00x | 5 -> 1 "
            "| all |\n");
  const auto json = kernelJson(fusedTable());
  EXPECT_EQ(
      json[0]["original"]["members"][0].dump(),
      R"({"kernel":"a","seconds":7e-06,"least":6.3e-06,"most":7.7e-06,"runs":3,"launches":2,"projected":8e-06})");
  EXPECT_EQ(json[0]["original"]["most"], 10.5e-6);
  EXPECT_EQ(
      json[0]["fused"].dump(),
      R"({"kernels":["f"],"seconds":4e-06,"least":4e-06,"most":4e-06,"runs":1,"launches":1,"projected":3e-06,"members":[{"kernel":"f","seconds":4e-06,"least":4e-06,"most":4e-06,"runs":1,"launches":1,"projected":3e-06}]})");
}

} // namespace
} // namespace kfuse
