//===- MeasuredLaunchesTest.cpp - A profile's entries by launch -----------===//

#include "fusion/cost/MeasuredLaunches.h"
#include "fusion/cost/CoordinateExtents.h"
#include "fusion/cost/Project.h"
#include "tests/unit/graphs/Build.h"

#include <gtest/gtest.h>

using namespace kfuse;
using namespace kfuse::test;

namespace {

const Symbol Unknown{SymbolKind::HostValue, 0};

/// Keeps the graphs alive as long as the problem that refers to them.
struct MeasuredWorld {
  MeasuredWorld(Program value, const std::vector<MeasuredLaunch> &entries)
      : program(std::move(value)), deps(dependencies(program)),
        order(executionOrder(program, deps)),
        problem{program, deps, order, loadDevice("h200").device, {}} {
    for (const MeasuredLaunch &entry : entries)
      problem.evidence.measured[entry.name].push_back(entry);
  }
  Program program;
  DependencyGraph deps;
  ExecutionGraph order;
  Problem problem;
};

MeasuredLaunch entryOf(std::uint64_t grid, std::uint64_t first) {
  MeasuredLaunch entry;
  entry.name = "k1";
  entry.first = first;
  entry.grid = LaunchExtents{grid, 1, 1};
  entry.block = LaunchExtents{128, 1, 1};
  entry.threads = static_cast<double>(grid) * 128;
  entry.seconds = {1e-5, 5e-6, 2e-5, 3e-5};
  return entry;
}

/// Returns a program that launches a kernel with an integer parameter `times`
/// times. The grid and the integer aren't known; the block may be.
Program launches(std::size_t times, bool hasBlock) {
  Builder build;
  build.launch({build.array("a")}, {build.array("b")});
  Program &program = build.program();
  Kernel &kernel = program.kernels[0];
  kernel.parameters.push_back({"n", "int", {}, false});
  kernel.scalars.push_back({2, "", {32, false}});
  Launch &launch = program.launches[0];
  launch.scalars = {Polynomial(Unknown)};
  launch.grid.extent[0] = Polynomial(Unknown);
  launch.block.extent[0] = hasBlock ? Polynomial(128) : Polynomial(Unknown);
  for (std::size_t i = 1; i < times; ++i) {
    build.launch({ArrayId{0}}, {ArrayId{1}});
    const StepId step = program.launches.back().step;
    program.launches.back() = program.launches[0];
    program.launches.back().step = step;
  }
  return program;
}

TEST(MeasuredLaunches, SizesReplaceAssumedOnes) {
  const MeasuredWorld none(launches(1, false), {});
  EXPECT_EQ(sizeOrigin(none.problem, LaunchId{0}), SizeOrigin::Assumed);
  EXPECT_EQ(measuredLaunch(none.problem, LaunchId{0}), nullptr);
  const MeasuredWorld world(launches(1, false), {entryOf(300, 0)});
  EXPECT_EQ(sizeOrigin(world.problem, LaunchId{0}), SizeOrigin::Measured);
  const Extents extents = extentsOf(world.problem, LaunchId{0});
  EXPECT_EQ(extents.grid[0], 300);
  EXPECT_EQ(extents.block[0], 128);
  EXPECT_EQ(extents.threads(), 300 * 128);
}

TEST(MeasuredLaunches, TheSourceComesFirst) {
  Program program = launches(1, true);
  program.launches[0].grid.extent[0] = Polynomial(7);
  const MeasuredWorld world(program, {entryOf(300, 0)});
  EXPECT_EQ(sizeOrigin(world.problem, LaunchId{0}), SizeOrigin::Source);
  EXPECT_EQ(extentsOf(world.problem, LaunchId{0}).grid[0], 7);
}

TEST(MeasuredLaunches, TimesHaveTheirRange) {
  const MeasuredWorld world(launches(1, false), {entryOf(300, 0)});
  const Projection projection = projectSingle(world.problem, LaunchId{0});
  ASSERT_TRUE(projection.measured);
  EXPECT_EQ(projection.measured->min, 5e-6);
  const double gap =
      world.problem.device.launchSeconds - world.problem.device.emptySeconds;
  EXPECT_DOUBLE_EQ(projection.seconds, 1e-5 + gap);
}

TEST(MeasuredLaunches, OneConfigurationForEachLaunch) {
  // Listed by their time, taken by their order.
  const MeasuredWorld world(launches(2, true),
                            {entryOf(300, 1), entryOf(20, 0)});
  EXPECT_EQ(extentsOf(world.problem, LaunchId{0}).grid[0], 20);
  EXPECT_EQ(extentsOf(world.problem, LaunchId{1}).grid[0], 300);
  // If there are more of them, the one that took longest counts.
  const MeasuredWorld more(launches(2, true),
                           {entryOf(300, 1), entryOf(20, 0), entryOf(9, 2)});
  EXPECT_EQ(extentsOf(more.problem, LaunchId{0}).grid[0], 300);
}

TEST(MeasuredLaunches, ConstantsChoose) {
  Program program = launches(1, true);
  program.launches[0].scalars = {Polynomial(5)};
  MeasuredLaunch big = entryOf(300, 0), small = entryOf(20, 1);
  big.scalars = {{2, "n", 6.0, 9.0, ""}};
  small.scalars = {{2, "n", 1.0, 5.0, ""}};
  const MeasuredWorld world(program, {big, small});
  EXPECT_EQ(extentsOf(world.problem, LaunchId{0}).grid[0], 20);
  // And so does the signature.
  program.kernels[0].signature = "k1<float>(float*, float*, int)";
  small.function = "void space::k1<double>(double*, double*, int)";
  big.function = "void space::k1<float>(float*, float*, int)";
  const MeasuredWorld instances(program, {small, big});
  EXPECT_EQ(extentsOf(instances.problem, LaunchId{0}).grid[0], 300);
}

TEST(MeasuredLaunches, Scalars) {
  const auto valueOf = [](const MeasuredScalar &scalar) {
    MeasuredLaunch entry = entryOf(1, 0);
    entry.scalars = {scalar};
    const MeasuredWorld world(launches(1, true), {entry});
    return measuredScalar(world.problem, LaunchId{0}, 0);
  };
  EXPECT_EQ(valueOf({2, "n", 7.0, 7.0, ""}), 7);
  EXPECT_EQ(valueOf({2, "n", 4.0, 10.0, ""}), 7);
  EXPECT_EQ(valueOf({2, "n", std::nullopt, std::nullopt, "feffffff"}), -2);
  EXPECT_EQ(valueOf({2, "n", std::nullopt, std::nullopt, ""}), std::nullopt);
  EXPECT_EQ(valueOf({1, "p", 7.0, 7.0, ""}), std::nullopt);
}

TEST(MeasuredLaunches, ArraysAreNoLargerThanTheirMemory) {
  MeasuredLaunch entry = entryOf(1 << 16, 0);
  entry.arrays = {{0, "a", 4096, 8192}};
  const MeasuredWorld world(launches(1, true), {entry});
  EXPECT_EQ(measuredBytes(world.problem, LaunchId{0}, ArrayId{0}), 8192);
  EXPECT_EQ(measuredBytes(world.problem, LaunchId{0}, ArrayId{1}),
            std::nullopt);
  EXPECT_EQ(projectSingle(world.problem, LaunchId{0}).bytesRead, 8192);
}

TEST(MeasuredLaunches, FusedKernelsAreKnownByTheirThreads) {
  MeasuredLaunch whole = entryOf(64, 0), quarter = entryOf(16, 0);
  quarter.seconds.median = 2e-6;
  const Profile profile = {{"kfuse_a_b", {whole, quarter}}};
  const auto medianWith = [&](double threads) {
    const MeasuredLaunch *found = measuredAs(profile, "kfuse_a_b", threads);
    return found ? found->seconds.median : 0;
  };
  EXPECT_EQ(medianWith(64 * 128), 1e-5);
  EXPECT_EQ(medianWith(16 * 128), 2e-6);
  // Blocks that aren't full count whole.
  EXPECT_EQ(medianWith(63.5 * 128), 1e-5);
  // Two elements a thread were never measured.
  EXPECT_EQ(medianWith(32 * 128), 0);
  EXPECT_EQ(measuredAs(profile, "kfuse_a_c", 64 * 128), nullptr);
}

} // namespace
