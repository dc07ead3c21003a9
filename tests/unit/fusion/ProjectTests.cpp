//===- ProjectTests.cpp - The cost model ----------------------------------===//

#include "fusion/cost/Project.h"
#include "fusion/cost/Traffic.h"
#include "fusion/plan/Problem.h"
#include "tests/unit/graphs/Build.h"

#include <gtest/gtest.h>

using namespace kfuse;
using namespace kfuse::test;

namespace {

const double Threads = 65536.0 * 256;
const Symbol ThreadX{SymbolKind::ThreadIdx, 0}, BlockX{SymbolKind::BlockIdx, 0};
const Symbol X{SymbolKind::GlobalIdx, 0}, Y{SymbolKind::GlobalIdx, 1},
    Counter{SymbolKind::LoopCounter, 0}, Width{SymbolKind::HostValue, 0};

Polynomial scaled(Symbol symbol, std::int64_t factor, std::int64_t offset = 0) {
  return *add(*multiply(Polynomial(symbol), Polynomial(factor)),
              Polynomial(offset));
}

/// Keeps the graphs alive as long as the problem that refers to them.
struct World {
  explicit World(Program value)
      : program(std::move(value)), deps(dependencies(program)),
        order(executionOrder(program, deps)),
        problem{program, deps, order, loadDevice("h200").device, {}} {}
  Program program;
  DependencyGraph deps;
  ExecutionGraph order;
  Problem problem;
};

/// Returns the bytes read by one launch of 2^24 threads that load at these
/// indices.
double bytesRead(const std::vector<IndexExpr> &indices, std::uint32_t trips = 0,
                 const Guard &guard = {}) {
  Builder build;
  LaunchId launch = build.launch({build.array("a")}, {});
  Program &program = build.program();
  Access access = program.launches[0].accesses[0];
  access.guard = guard;
  if (trips > 0) {
    program.kernels[0].loops.push_back(
        {Polynomial(static_cast<std::int64_t>(trips)), {}});
    access.loops = {0};
  }
  program.launches[0].accesses.clear();
  for (const IndexExpr &index : indices) {
    access.index = index;
    program.launches[0].accesses.push_back(access);
  }
  World world(program);
  return projectSingle(world.problem, launch).bytesRead;
}

TEST(Traffic, CountsElementsOnce) {
  const double once = 4 * Threads;
  Polynomial row = *add(Polynomial(X), Polynomial(Width));
  struct Case {
    const char *name;
    std::vector<IndexExpr> indices;
    std::uint32_t trips;
    double bytes;
  };
  const Case cases[] = {
      {"a[i]", {Polynomial(X)}, 0, once},
      {"a[i] twice", {Polynomial(X), Polynomial(X)}, 0, once},
      {"a[i], a[i+1]", {Polynomial(X), scaled(X, 1, 1)}, 0, once},
      {"a[i], a[i+w]", {Polynomial(X), row}, 0, once},
      {"a[2i]", {scaled(X, 2)}, 0, 2 * once},
      {"a[2i], a[2i+1]", {scaled(X, 2), scaled(X, 2, 1)}, 0, 2 * once},
      {"a[64i] moves a sector", {scaled(X, 64)}, 0, 8 * once},
      {"a[i], a[i+n]",
       {Polynomial(X), scaled(X, 1, static_cast<std::int64_t>(Threads))},
       0,
       2 * once},
      {"a[i] in a loop", {Polynomial(X)}, 7, once},
      {"a[i+k]", {*add(Polynomial(X), Polynomial(Counter))}, 7, once},
      {"a[7i+k]", {*add(scaled(X, 7), Polynomial(Counter))}, 7, 7 * once},
      {"a[2i], the index spelled out",
       {*add(scaled(ThreadX, 2), scaled(BlockX, 512))},
       0,
       2 * once},
      {"a[0]", {Polynomial(0)}, 0, 4},
      {"a[k]", {Polynomial(Counter)}, 7, 28},
      {"a[b[i]]", {NotPolynomial::Indirect}, 0, once},
  };
  for (const Case &test : cases)
    EXPECT_DOUBLE_EQ(bytesRead(test.indices, test.trips), test.bytes)
        << test.name;
}

TEST(Traffic, AGuardOfOneValueTakesAnAxisAway) {
  EXPECT_DOUBLE_EQ(
      bytesRead({Polynomial(X)}, 0, {{Relation::Zero, Polynomial(X)}}), 4);
  Polynomial spelled = *add(Polynomial(ThreadX), scaled(BlockX, 256));
  EXPECT_DOUBLE_EQ(bytesRead({spelled}, 0, {{Relation::Zero, spelled}}), 4);
  EXPECT_DOUBLE_EQ(
      bytesRead({Polynomial(X)}, 0, {{Relation::Zero, Polynomial(Y)}}),
      4 * Threads);
}

TEST(Traffic, IsNoMoreThanTheArray) {
  Builder build;
  ArrayId a = build.array("a");
  build.program().arrays[0].bytes = Polynomial(1000);
  LaunchId launch = build.launch({a}, {});
  World world(build.program());
  EXPECT_DOUBLE_EQ(projectSingle(world.problem, launch).bytesRead, 1000);
}

TEST(Traffic, AssumesThreadsOfAnUnknownGrid) {
  Builder build;
  LaunchId launch = build.launch({build.array("a")}, {});
  build.program().launches[0].grid.extent[0] = Polynomial(Width);
  World world(build.program());
  EXPECT_DOUBLE_EQ(trafficOf(world.problem, launch).threads,
                   world.problem.options.assumedThreads);
}

/// Builds a -> b -> c as one kernel, with b forwarded.
struct Chain {
  Chain() {
    ArrayId a = build.array("a"), b = build.array("b"), c = build.array("c");
    kernel.launches = {build.launch({a}, {b}), build.launch({b}, {c})};
    kernel.schedule = Schedule::Register;
    kernel.placements = {{a, PlacementKind::Global, {}, {}},
                         {b, PlacementKind::RegisterOnly, {0}, {1}},
                         {c, PlacementKind::Global, {}, {}}};
  }
  Builder build;
  FusedKernel kernel;
};

TEST(Project, BytesThatAKernelStoredItselfCountOnce) {
  Builder build;
  ArrayId a = build.array("a"), b = build.array("b");
  FusedKernel kernel;
  kernel.launches = {build.launch({a}, {a}), build.launch({a}, {b})};
  kernel.schedule = Schedule::Register;
  World world(build.program());
  const Projection fused = project(world.problem, kernel);
  EXPECT_DOUBLE_EQ(fused.distinctRead(), 4 * Threads);
  EXPECT_DOUBLE_EQ(fused.bytesWritten, 8 * Threads);
  // The threads wait for both loads.
  EXPECT_DOUBLE_EQ(fused.bytesRead, 8 * Threads);
}

TEST(Project, ForwardedArraysMoveNothing) {
  Chain chain;
  World world(chain.build.program());
  Projection fused = project(world.problem, chain.kernel);
  EXPECT_DOUBLE_EQ(fused.bytesRead, 4 * Threads);
  EXPECT_DOUBLE_EQ(fused.bytesWritten, 4 * Threads);
  chain.kernel.placements[1].kind = PlacementKind::Register;
  EXPECT_DOUBLE_EQ(project(world.problem, chain.kernel).bytesWritten,
                   8 * Threads);
  Projection single = projectSingle(world.problem, chain.kernel.launches[0]);
  EXPECT_LT(fused.seconds, 2 * single.seconds);
  EXPECT_EQ(single.bound, "bandwidth");
}

TEST(Project, MoreElementsAThreadFillTheMemory) {
  Chain chain;
  World world(chain.build.program());
  Projection one = project(world.problem, chain.kernel);
  chain.kernel.elementsPerThread = 4;
  Projection four = project(world.problem, chain.kernel);
  EXPECT_LT(four.seconds, one.seconds);
  EXPECT_GT(four.registers, one.registers);
}

TEST(Project, RegistersCostOccupancy) {
  Chain chain;
  chain.build.program().kernels[0].registers = 128;
  World world(chain.build.program());
  Projection fused = project(world.problem, chain.kernel);
  EXPECT_EQ(fused.registers, 128U);
  EXPECT_DOUBLE_EQ(fused.occupancy, 0.25);
  EXPECT_EQ(fused.bound, "latency");
}

TEST(Project, SharedMemoryAddsUp) {
  Chain chain;
  chain.build.program().kernels[0].staticSharedBytes = 4096;
  chain.build.program().kernels[1].staticSharedBytes = 1024;
  chain.build.program().launches[1].sharedBytes.text = "512";
  chain.build.program().launches[1].sharedBytes.value = Polynomial(512);
  World world(chain.build.program());
  EXPECT_EQ(project(world.problem, chain.kernel).sharedBytes, 5632U);
}

TEST(Project, SmallKernelsAreLaunchesOnly) {
  Chain chain;
  for (Launch &launch : chain.build.program().launches)
    launch.grid.extent[0] = Polynomial(64);
  World world(chain.build.program());
  Projection fused = project(world.problem, chain.kernel);
  EXPECT_EQ(fused.bound, "launch");
  EXPECT_GT(fused.seconds, world.problem.device.launchSeconds);
  EXPECT_LT(fused.seconds, 2 * world.problem.device.launchSeconds);
}

TEST(Project, ArithmeticBounds) {
  Chain chain;
  chain.build.program().kernels[0].operations[ArithmeticUnit::Fp32] = 1e5;
  World world(chain.build.program());
  EXPECT_EQ(project(world.problem, chain.kernel).bound, "flops");
}

TEST(Project, AnIntermediateInTheL2IsCheapToRead) {
  auto secondsOfReader = [](std::int64_t blocks) {
    Chain chain;
    for (Launch &launch : chain.build.program().launches)
      launch.grid.extent[0] = Polynomial(blocks);
    for (Launch &launch : chain.build.program().launches)
      launch.block.extent[0] = Polynomial(1024);
    World world(chain.build.program());
    const Device &device = world.problem.device;
    return (projectSingle(world.problem, chain.kernel.launches[1]).seconds -
            device.launchSeconds) /
           (projectSingle(world.problem, chain.kernel.launches[0]).seconds -
            device.launchSeconds);
  };
  EXPECT_LT(secondsOfReader(1L << 12), 0.85);
  EXPECT_DOUBLE_EQ(secondsOfReader(1L << 16), 1);
}

} // namespace
