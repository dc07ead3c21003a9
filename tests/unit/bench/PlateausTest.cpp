//===- PlateausTest.cpp - The levels of a memory in a curve ---------------===//

#include "bench/roofline/Plateaus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace kfuse {
namespace {

/// A level: up to which size, and its value.
struct Level {
  double bytes, value;
};

/// Returns a curve at `perOctave` points that falls from level to level within
/// `slope` octaves, with noise of the standard deviation.
std::vector<CurvePoint> curveOf(const std::vector<Level> &levels, double slope,
                                double noise, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, 1);
  std::vector<CurvePoint> curve;
  constexpr int PerOctave = 3, From = 12, To = 30;
  for (int i = From * PerOctave; i <= To * PerOctave; ++i) {
    const double octave = double(i) / PerOctave;
    double y = std::log(levels.back().value);
    for (std::size_t l = levels.size() - 1; l-- > 0;) {
      const double edge = std::log2(levels[l].bytes);
      const double part = std::clamp((octave - edge) / slope + 0.5, 0.0, 1.0);
      y = part * y + (1 - part) * std::log(levels[l].value);
    }
    curve.push_back(
        {std::exp2(octave), std::exp(y + noise * normal(random)), 0});
  }
  return curve;
}

const std::vector<Level> Cpu = {
    {65e3, 290e9}, {1e6, 170e9}, {16e6, 90e9}, {0, 12e9}};
const std::vector<Level> Gpu = {{220e3, 30e12}, {40e6, 7e12}, {0, 3e12}};

TEST(Plateaus, AreFoundWithTheirValuesAndEdges) {
  struct {
    std::vector<Level> levels;
    double slope, noise;
  } const cases[] = {{Cpu, 0.1, 0},         {Cpu, 1, 0},
                     {Cpu, 0.5, 0.03},      {Cpu, 1, 0.05},
                     {Gpu, 0.1, 0},         {Gpu, 2, 0},
                     {Gpu, 1, 0.03},        {Gpu, 2, 0.05},
                     {{{0, 5e9}}, 1, 0.05}, {{{1e6, 2e9}, {0, 1e9}}, 3, 0.02}};
  for (const auto &test : cases)
    for (unsigned seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(testing::Message()
                   << test.levels.size() << " levels, slope " << test.slope
                   << ", noise " << test.noise << ", seed " << seed);
      const auto curve = curveOf(test.levels, test.slope, test.noise, seed);
      const std::vector<Plateau> found = plateausOf(curve, 4);
      ASSERT_EQ(found.size(), test.levels.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_NEAR(found[i].value / test.levels[i].value, 1, 0.06);
        if (i + 1 == found.size())
          continue;
        const double edge = edgeOf(curve, found[i], found[i + 1]).value;
        EXPECT_NEAR(std::log2(edge / test.levels[i].bytes), 0, 0.4);
      }
    }
}

TEST(Plateaus, ADisturbedPointIsNoLevel) {
  for (std::size_t where = 0; where < 55; ++where)
    for (const double factor : {0.4, 2.0}) {
      std::vector<CurvePoint> curve = curveOf(Gpu, 1, 0.02, 7);
      ASSERT_LT(where, curve.size());
      curve[where].y *= factor;
      EXPECT_EQ(plateausOf(curve, 4).size(), Gpu.size())
          << where << " times " << factor;
    }
}

TEST(Plateaus, ANoisyLevelIsOneIfItsPointsTellTheirNoise) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::vector<CurvePoint> curve = curveOf(Gpu, 1, 0, seed);
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(0, 0.15);
    for (CurvePoint &point : curve)
      if (point.x > 500e3 && point.x < 30e6) {
        point.y *= std::exp(normal(random));
        point.spread = 0.15;
      }
    EXPECT_EQ(plateausOf(curve, 4).size(), Gpu.size()) << "seed " << seed;
  }
}

TEST(Plateaus, CloseOnesAreOne) {
  EXPECT_EQ(plateausOf(curveOf({{1e6, 1.15e9}, {0, 1e9}}, 0.1, 0, 1), 4).size(),
            1U);
  // And the closest are joined if there are too many.
  const auto found = plateausOf(curveOf(Cpu, 0.1, 0, 1), 3);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_NEAR(found[2].value / 12e9, 1, 0.01);
}

TEST(Plateaus, ASlopeHasNone) {
  std::vector<CurvePoint> curve;
  for (int i = 0; i < 40; ++i)
    curve.push_back({std::exp2(12 + i / 3.0), 1e9 * std::exp2(-i / 3.0), 0});
  EXPECT_TRUE(plateausOf(curve, 4).empty());
  EXPECT_TRUE(plateausOf({}, 4).empty());
  EXPECT_TRUE(plateausOf({{4096, 1e9, 0}}, 4).empty());
}

} // namespace
} // namespace kfuse
