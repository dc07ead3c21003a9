//===- RooflineModelTest.cpp - The roofline model -------------------------===//

#include "bench/model/Kernels.h"
#include "bench/model/Roofline.h"
#include "bench/model/Roofs.h"

#include <gtest/gtest.h>

#include <cmath>

namespace kfuse {
namespace {

constexpr double Giga = 1e9;

TEST(RooflineModel, LoopsOnAV100) {
  // 900 GB/s and 7000 GF/s in double precision; sums alone reach a half.
  const Roofline fused = Roofline::of(900 * Giga, 7000 * Giga);
  const Roofline sums = Roofline::of(900 * Giga, 3500 * Giga);
  const double n = 8192;
  struct {
    const char *loop;
    const Roofline &roofline;
    Workload work;
    double expected; // GF/s
    double tolerance;
  } const cases[] = {
      {"vector sum", sums, {n, 24 * n}, 37.5, 1e-9},
      {"matrix times vector", fused, {2 * n * n, 8 * n * n}, 225, 1e-9},
      {"with its vectors", fused, {2 * n * n, 8 * n * n + 16 * n}, 225, 0.1},
      {"matrix product", fused, {2 * n * n * n, 24 * n * n}, 7000, 1e-9},
      {"without a cache", fused, {2 * n * n * n, 16 * n * n * n}, 112.5, 1e-9},
  };
  for (const auto &each : cases) {
    SCOPED_TRACE(each.loop);
    const double intensity = intensityOf(each.work);
    EXPECT_NEAR(each.roofline.performanceAt(intensity) / Giga, each.expected,
                each.tolerance);
    // P = W / T.
    EXPECT_NEAR(each.work.operations / each.roofline.secondsOf(each.work) /
                    Giga,
                each.expected, each.tolerance);
  }
}

TEST(RooflineModel, BalanceIsTheRidge) {
  const Roofline roofline = Roofline::of(900 * Giga, 7000 * Giga);
  EXPECT_DOUBLE_EQ(roofline.balance(), 7000.0 / 900);
  EXPECT_DOUBLE_EQ(roofline.tauMem, 1 / (900 * Giga));
  EXPECT_DOUBLE_EQ(roofline.performanceAt(roofline.balance()), 7000 * Giga);
  EXPECT_DOUBLE_EQ(roofline.performanceAt(roofline.balance() / 2), 3500 * Giga);
  EXPECT_DOUBLE_EQ(roofline.performanceAt(0), 0);
  EXPECT_TRUE(std::isinf(intensityOf({1, 0})));
  EXPECT_DOUBLE_EQ(roofline.performanceAt(intensityOf({1, 0})), 7000 * Giga);
  EXPECT_DOUBLE_EQ(roofline.secondsOf({0, 900 * Giga}), 1);
}

DeviceRoof memory(const char *level, double value, bool isMeasured = true) {
  DeviceRoof roof;
  roof.name = level;
  roof.place = level;
  roof.value = value;
  roof.isMeasured = isMeasured;
  return roof;
}

DeviceRoof unit(const char *name, double value, bool isMeasured = true) {
  DeviceRoof roof = memory(name, value, isMeasured);
  roof.kind = RoofKind::Compute;
  return roof;
}

TEST(RooflineModel, MeasurementsBoundBeforeTheory) {
  const std::vector<DeviceRoof> roofs = {
      memory("DRAM", 90),       memory("DRAM", 95), memory("DRAM", 120, false),
      memory("L2", 300, false), unit("fp64", 50),   unit("half", 200)};
  EXPECT_EQ(boundingRoof(roofs, RoofKind::Memory, "DRAM")->value, 95);
  EXPECT_EQ(boundingRoof(roofs, RoofKind::Memory, "L2")->value, 300);
  EXPECT_EQ(boundingRoof(roofs, RoofKind::Memory, "L1"), nullptr);
  EXPECT_EQ(boundingRoof(roofs, RoofKind::Memory, "fp64"), nullptr);
  EXPECT_EQ(usualLevel(roofs), "DRAM");
  EXPECT_EQ(usualUnit(roofs), "half"); // there is no fp32
  EXPECT_EQ(usualUnit({unit("half", 200), unit("fp32", 100)}), "fp32");
  EXPECT_EQ(usualLevel({memory("L1", 9), memory("L2", 5)}), "L2");
  EXPECT_EQ(placesOf(roofs, RoofKind::Memory),
            (std::vector<std::string>{"DRAM", "L2"}));
}

TEST(RooflineModel, BoundsOfKernels) {
  const std::vector<DeviceRoof> roofs = {memory("DRAM", 100), memory("L2", 400),
                                         unit("fp32", 1000), unit("fp64", 500)};
  const auto kernel = [](double seconds, double operations, double bytes) {
    RoofKernel each;
    each.seconds = seconds;
    each.operations = operations;
    each.bytes = bytes;
    return each;
  };
  RoofKernel cached = kernel(1, 10, 20);
  cached.l2Bytes = 380;
  RoofKernel wide = kernel(1, 450, 10);
  wide.unit = "fp64";
  RoofKernel elsewhere = kernel(1, 450, 10);
  elsewhere.unit = "matrix"; // no roof is known
  struct {
    const char *what;
    RoofKernel kernel;
    const char *place;
    double share;
    bool isNear, isAbove;
  } const cases[] = {
      {"memory", kernel(1, 10, 80), "DRAM", 0.8, true, false},
      {"arithmetic", kernel(1, 900, 80), "fp32", 0.9, true, false},
      {"the L2", cached, "L2", 0.95, true, false},
      {"another unit", wide, "fp64", 0.9, true, false},
      {"a unit without a roof", elsewhere, "DRAM", 0.1, false, false},
      {"latency", kernel(1, 10, 20), "DRAM", 0.2, false, false},
      {"no operations", kernel(1, 0, 100), "DRAM", 1, true, false},
      {"as measurements differ", kernel(1, 0, 101), "DRAM", 1.01, true, false},
      {"above", kernel(1, 0, 130), "DRAM", 1.3, true, true},
  };
  for (const auto &each : cases) {
    SCOPED_TRACE(each.what);
    const KernelBound bound = boundOf(roofs, each.kernel);
    ASSERT_NE(bound.roof, nullptr);
    EXPECT_EQ(bound.roof->place, each.place);
    EXPECT_DOUBLE_EQ(bound.share, each.share);
    EXPECT_EQ(bound.isNear(), each.isNear);
    EXPECT_EQ(bound.isAbove(), each.isAbove);
  }
  const KernelBound none = boundOf(roofs, kernel(1, 0, 0));
  EXPECT_EQ(none.roof, nullptr);
  EXPECT_FALSE(none.isNear() || none.isAbove());
}

TEST(RooflineModel, ANoisyRoofIsNotSoonPassed) {
  DeviceRoof noisy = memory("DRAM", 100);
  noisy.spread = 0.1;
  RoofKernel kernel;
  kernel.seconds = 1;
  kernel.bytes = 115;
  EXPECT_FALSE(boundOf({noisy}, kernel).isAbove());
  kernel.bytes = 125;
  EXPECT_TRUE(boundOf({noisy}, kernel).isAbove());
}

TEST(RooflineModel, OneLineShowsRoofsThatAreNear) {
  DeviceRoof latency = memory("DRAM", 1);
  latency.kind = RoofKind::Latency;
  const std::vector<DeviceRoof> roofs = {memory("DRAM", 90),
                                         memory("DRAM", 100),
                                         memory("DRAM", 80),
                                         memory("DRAM", 60),
                                         memory("DRAM", 50),
                                         memory("DRAM", 95, false),
                                         memory("L2", 99),
                                         unit("DRAM", 98),
                                         memory("DRAM", 100),
                                         latency,
                                         latency};
  std::string values;
  for (const DeviceRoof &roof : distinctRoofs(roofs))
    values += std::to_string(std::lround(roof.value)) + " ";
  // 60 is 40 % below, and 50 is shown by 60. Latencies stay.
  EXPECT_EQ(values, "100 60 95 99 98 1 1 ");
}

TEST(RooflineModel, ChosenRoofs) {
  DeviceRoof transfer = memory("", 5);
  transfer.kind = RoofKind::Transfer;
  const std::vector<DeviceRoof> roofs = {memory("DRAM", 100), memory("L2", 400),
                                         unit("fp32", 1000), unit("fp64", 500),
                                         transfer};
  const auto chosen = [&](const std::vector<std::string> &levels,
                          const std::vector<std::string> &units) {
    const auto result = chooseRoofs(roofs, levels, units);
    if (const auto *why = std::get_if<std::string>(&result))
      return *why;
    std::string names;
    for (const RoofKind kind : {RoofKind::Memory, RoofKind::Compute})
      for (const std::string &place :
           placesOf(std::get<std::vector<DeviceRoof>>(result), kind))
        names += place + " ";
    return names;
  };
  EXPECT_EQ(chosen({}, {}), "DRAM L2 fp32 fp64 ");
  EXPECT_EQ(chosen({"L2"}, {"fp64"}), "L2 fp64 ");
  EXPECT_EQ(chosen({"DRAM", "transfer"}, {"fp32"}), "DRAM transfer fp32 ");
  EXPECT_EQ(chosen({"L7"}, {}),
            "there is no roof of the level 'L7'; there is DRAM, L2");
  EXPECT_EQ(chosen({}, {""}),
            "there is no roof of the unit ''; there is fp32, fp64");
  EXPECT_EQ(std::get<std::string>(chooseRoofs({memory("DRAM", 1)}, {}, {})),
            "there is no roof of computing");
  EXPECT_EQ(std::get<std::string>(chooseRoofs({unit("fp32", 1)}, {}, {})),
            "there is no roof of memory");
}

} // namespace
} // namespace kfuse
