//===- StatisticsTest.cpp - What repeated measurements say ----------------===//

#include "bench/Statistics.h"
#include "bench/TimeText.h"
#include "bench/compare/ComparisonReport.h"

#include <gtest/gtest.h>

#include <cmath>

namespace kfuse {
namespace {

TEST(Statistics, SummaryOfSamples) {
  const Summary odd = summarise({3, 1, 2});
  EXPECT_EQ(odd.count, 3u);
  EXPECT_DOUBLE_EQ(odd.mean, 2);
  EXPECT_DOUBLE_EQ(odd.median, 2);
  EXPECT_DOUBLE_EQ(odd.deviation, 1);
  EXPECT_DOUBLE_EQ(odd.least, 1);
  EXPECT_DOUBLE_EQ(odd.most, 3);
  EXPECT_DOUBLE_EQ(summarise({4, 1, 2, 3}).median, 2.5);
  EXPECT_DOUBLE_EQ(summarise({7}).deviation, 0);
}

TEST(Statistics, RatioOfPairs) {
  // A factor that slows both doesn't matter.
  const Ratio steady = pairedRatio({2, 4, 20}, {1, 2, 10});
  EXPECT_DOUBLE_EQ(steady.value, 2);
  EXPECT_NEAR(steady.halfWidth, 0, 1e-12);
  EXPECT_FALSE(steady.isUndecided());

  // Two pairs: the quantile of one degree of freedom is 12.706, the deviation
  // of the logarithms log(4)/2 * sqrt(2).
  const Ratio two = pairedRatio({1, 4}, {1, 1});
  EXPECT_DOUBLE_EQ(two.value, 2);
  const double half = 12.7062047 * std::log(4) / 2;
  EXPECT_NEAR(two.halfWidth, 2 * std::expm1(half), 1e-3 * two.halfWidth);
  EXPECT_TRUE(two.isUndecided());

  EXPECT_TRUE(std::isinf(pairedRatio({3}, {1}).halfWidth));
}

TEST(Statistics, TimesInTheirUnits) {
  EXPECT_EQ(timeText(12.3456), "12.346 s");
  EXPECT_EQ(timeText(0.0123), "12.3 ms");
  EXPECT_EQ(timeText(12e-6), "12.0 us");
  EXPECT_EQ(timeText(0), "0.0 us");
  EXPECT_EQ(timeText(0.00026, 0.0123), "0.3 ms");
}

TEST(Statistics, Verdicts) {
  struct {
    Ratio ratio;
    const char *expected;
  } const cases[] = {{{1.714, 0.02}, "1.71 ± 0.02 times faster"},
                     {{0.5, 0.01}, "2.00 ± 0.04 times slower"},
                     {{1.01, 0.03}, "no difference (1.01 ± 0.03)"},
                     {{0.98, 0.03}, "no difference (0.98 ± 0.03)"},
                     {{2, INFINITY}, "not known from one pair of runs"}};
  for (const auto &each : cases)
    EXPECT_EQ(verdictOf(each.ratio), each.expected);
}

} // namespace
} // namespace kfuse
