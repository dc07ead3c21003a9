//===- EstimatesTest.cpp - A number and how well it is known --------------===//

#include "bench/roofline/Estimates.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

TEST(Estimates, ValueAndSpread) {
  struct {
    const char *what;
    Estimate found;
    double value, spread;
  } const cases[] = {{"one sample", medianOf({3}), 3, 0},
                     {"median", medianOf({5, 1, 3, 2, 4}), 3, 1.0 / 3},
                     {"median of two", medianOf({1, 2}), 1.5, 0.25 / 1.5},
                     {"an outlier", medianOf({10, 10, 10, 10, 1000}), 10, 0},
                     {"highest", highestOf({8, 10, 9}), 10, 0.1},
                     {"lowest", lowestOf({1, 1.5, 4}), 1, 0.5},
                     {"nothing but zero", lowestOf({0, 0}), 0, 0}};
  for (const auto &test : cases) {
    EXPECT_DOUBLE_EQ(test.found.value, test.value) << test.what;
    EXPECT_DOUBLE_EQ(test.found.spread, test.spread) << test.what;
  }
}

} // namespace
} // namespace kfuse
