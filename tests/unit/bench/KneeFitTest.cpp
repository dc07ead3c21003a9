//===- KneeFitTest.cpp - Bandwidth over the bytes in flight ---------------===//

#include "bench/roofline/KneeFit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace kfuse {
namespace {

std::vector<CurvePoint> curveOf(const KneeFit &law, double from, double to,
                                double noise, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, noise);
  std::vector<CurvePoint> curve;
  for (double bytes = from; bytes <= to; bytes *= 2)
    curve.push_back(
        {bytes, bandwidthAt(law, bytes) * std::exp(normal(random)), 0});
  return curve;
}

TEST(KneeFit, FindsTheLawThatMadeTheCurve) {
  const KneeFit laws[] = {{4.2e12, 680e-9, 2.7, 0},
                          {3.0e12, 600e-9, 1.5, 0},
                          {450e9, 400e-9, 6, 0},
                          {10e9, 90e-9, 3, 0}};
  for (const KneeFit &law : laws) {
    const double knee = law.bandwidth * law.latency;
    for (unsigned seed = 1; seed <= 10; ++seed)
      for (const double noise : {0.0, 0.02}) {
        SCOPED_TRACE(testing::Message() << law.bandwidth << ' ' << noise);
        const auto fit =
            fitKnee(curveOf(law, knee / 64, knee * 16, noise, seed));
        ASSERT_TRUE(fit);
        const double slack = noise == 0 ? 0.002 : 0.05;
        EXPECT_NEAR(fit->bandwidth / law.bandwidth, 1, slack);
        EXPECT_NEAR(fit->latency / law.latency, 1, slack);
        EXPECT_NEAR(std::log(fit->knee / law.knee), 0, 10 * slack);
        EXPECT_NEAR(fit->residual, noise, noise / 2 + 1e-3);
      }
  }
}

TEST(KneeFit, ADisturbedPointPullsLittle) {
  const KneeFit law{4.2e12, 680e-9, 2.7, 0};
  std::vector<CurvePoint> curve = curveOf(law, 4e4, 4e7, 0, 1);
  curve[3].y /= 2;
  const auto fit = fitKnee(curve);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->latency / law.latency, 1, 0.06);
  EXPECT_NEAR(fit->bandwidth / law.bandwidth, 1, 0.03);
}

TEST(KneeFit, SaysWhenThePointsDontShowIt) {
  const KneeFit law{4e12, 600e-9, 2.5, 0};
  const double knee = law.bandwidth * law.latency;
  struct {
    const char *what;
    std::vector<CurvePoint> curve;
  } const cases[] = {
      {"nothing", {}},
      {"few points", curveOf(law, knee / 4, knee * 2, 0, 1)},
      {"only many bytes in flight", curveOf(law, knee * 2, knee * 256, 0, 1)},
      {"only few", curveOf(law, knee / 4096, knee / 8, 0, 1)}};
  for (const auto &test : cases)
    EXPECT_FALSE(fitKnee(test.curve)) << test.what;
}

} // namespace
} // namespace kfuse
