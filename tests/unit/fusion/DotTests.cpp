//===- DotTests.cpp - The graphs as pictures ------------------------------===//

#include "fusion/report/Dot.h"
#include "fusion/report/DotWriter.h"
#include "tests/unit/graphs/Build.h"

#include <gtest/gtest.h>

using namespace kfuse;
using namespace kfuse::test;

namespace {

struct World {
  World() {
    ArrayId a = build.array("a\"quoted\\"), b = build.array("b");
    ArrayId c = build.array("c");
    first = build.launch({a}, {b});
    second = build.launch({b}, {c});
    build.step(StepKind::CopyToHost, {{c, true, false}});
    third = build.launch({c}, {});
    kernel.launches = {first, second};
    kernel.name = "fused";
    kernel.placements = {{b, PlacementKind::RegisterOnly, {0}, {1}}};
    deps = dependencies(build.program());
    order = executionOrder(build.program(), deps);
    FusedKernel single;
    single.launches = {third};
    plan.kernels = {kernel, single};
  }
  Problem problem() const {
    return {build.program(), deps, order, loadDevice("h200").device, {}};
  }
  mutable Builder build;
  LaunchId first{}, second{}, third{};
  FusedKernel kernel;
  FusionPlan plan;
  DependencyGraph deps;
  ExecutionGraph order;
};

bool has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST(Dot, NumbersHaveThreeDigits) {
  EXPECT_EQ(timeText(12.34e-6), "12.3 µs");
  EXPECT_EQ(timeText(999.4e-6), "999 µs");
  EXPECT_EQ(timeText(999.9e-6), "1 ms");
  EXPECT_EQ(timeText(0.9996), "1 s");
  EXPECT_EQ(sizeText(999), "999 B");
  EXPECT_EQ(sizeText(1010), "0.986 KiB");
  EXPECT_EQ(sizeText(1015. * 1024), "0.991 MiB");
}

TEST(Dot, DrawsArraysByTheirFate) {
  World world;
  std::string text = dataDependencyDot(world.problem(), world.plan);
  EXPECT_TRUE(has(text, "digraph G_ddg {"));
  EXPECT_TRUE(has(text, "subgraph cluster_f0 {"));
  EXPECT_TRUE(has(text, "b #1\\nnever stored")) << text;
  EXPECT_TRUE(has(text, "a\\\"quoted\\\\")) << text;
  EXPECT_TRUE(has(text, "step 2"));
  EXPECT_EQ(text, dataDependencyDot(world.problem(), world.plan));
}

TEST(Dot, DrawsWhoWaitsForWhom) {
  World world;
  std::string text = orderOfExecutionDot(world.problem(), world.plan);
  EXPECT_TRUE(has(text, "k0 -> k1 [label=\" b\"")) << text;
  EXPECT_TRUE(has(text, "k1 -> s2")) << text;
  // Edges that follow from the copy aren't drawn.
  EXPECT_FALSE(has(text, "k1 -> k2")) << text;
  EXPECT_FALSE(has(text, "k0 -> k2")) << text;
}

TEST(Dot, DrawsWhatKeptKinApart) {
  World world;
  Remark remark;
  remark.name = "HostDependence";
  remark.launches = {world.second, world.third};
  std::string text = fusedOrderDot(world.problem(), world.plan, {remark});
  EXPECT_TRUE(
      has(text, "k1 -> k2 [label=\" HostDependence\", style=\"dashed\""))
      << text;
  EXPECT_TRUE(has(text, "ltail=\"cluster_f0\"")) << text;
}

TEST(Dot, ShortensAndMeasures) {
  EXPECT_EQ(shortText("a  b\n\tc", 9), "a b c");
  EXPECT_EQ(shortText("abcdef", 3), "abc…");
  EXPECT_EQ(shortText("aµb", 2), "a…");
  EXPECT_EQ(timeText(3.4e-6), "3.4 µs");
  EXPECT_EQ(timeText(0.25), "250 ms");
  EXPECT_EQ(sizeText(64.0 * 1024 * 1024), "64 MiB");
  EXPECT_EQ(sizeText(12), "12 B");
}

} // namespace
