//===- AssumedSizesTest.cpp - Sizes that the source doesn't tell ----------===//

#include "fusion/cost/AssumedSizes.h"
#include "fusion/cost/CoordinateExtents.h"
#include "tests/unit/graphs/Build.h"

#include <gtest/gtest.h>

using namespace kfuse;
using namespace kfuse::test;

namespace {

constexpr double Million = 1024.0 * 1024;

const Polynomial Width(Symbol{SymbolKind::HostValue, 0}),
    Height(Symbol{SymbolKind::HostValue, 1}),
    Depth(Symbol{SymbolKind::HostValue, 2});

using Shape = std::array<Polynomial, 3>;
const Polynomial One(1);

/// Keeps the graphs alive as long as the problem that refers to them.
struct SizedWorld {
  explicit SizedWorld(Program value)
      : program(std::move(value)), deps(dependencies(program)),
        order(executionOrder(program, deps)),
        problem{program, deps, order, loadDevice("h200").device, {}} {
    problem.options.assumedThreads = 16 * Million;
  }
  Program program;
  DependencyGraph deps;
  ExecutionGraph order;
  Problem problem;
};

struct SizedLaunch {
  Shape block, grid;
};

/// Returns a program with a launch for each of these sizes.
Program sized(const std::vector<SizedLaunch> &launches) {
  Builder build;
  const ArrayId from = build.array("a"), to = build.array("b");
  for (const SizedLaunch &each : launches) {
    build.launch({from}, {to});
    build.program().launches.back().block.extent = each.block;
    build.program().launches.back().grid.extent = each.grid;
  }
  build.program().values.resize(3);
  build.program().values[0].text = "width";
  build.program().values[1].text = "height";
  return std::move(build.program());
}

/// Returns (number + 31) / 32, as a grid has it.
Polynomial blocksFor(TermTable &terms, const Polynomial &number) {
  return makeTerm(
      terms,
      {TermKind::Divide, 0, {*add(number, Polynomial(31)), Polynomial(32)}});
}

TEST(AssumedSizes, ABorderHasTheLengthOfTheSide) {
  const SizedWorld world(sized({{{One, One, One}, {Height, One, One}},
                                {{One, One, One}, {Width, Height, One}}}));
  EXPECT_EQ(extentsOf(world.problem, LaunchId{0}).threads(), 4096);
  EXPECT_EQ(extentsOf(world.problem, LaunchId{1}).threads(), 16 * Million);
  const auto variables =
      assumedVariables(world.problem, world.program.launches[1]);
  EXPECT_EQ(variables.at("width"), 4096);
  EXPECT_EQ(variables.at("height"), 4096);
}

TEST(AssumedSizes, EachNumberAloneIsAsLargeAsItCanBe) {
  const SizedWorld world(
      sized({{{Polynomial(256), One, One}, {Width, One, One}},
             {{One, One, One}, {Height, One, One}},
             {{One, One, One}, {*multiply(Height, Depth), One, One}}}));
  EXPECT_EQ(extentsOf(world.problem, LaunchId{0}).grid[0], Million / 16);
  EXPECT_EQ(extentsOf(world.problem, LaunchId{1}).threads(), 4096);
  EXPECT_EQ(extentsOf(world.problem, LaunchId{2}).threads(), 16 * Million);
}

TEST(AssumedSizes, BlocksFirst) {
  const SizedWorld world(sized({{{Width, Width, One}, {Width, Depth, One}}}));
  const Extents extents = extentsOf(world.problem, LaunchId{0});
  EXPECT_EQ(extents.block[0], 16);
  EXPECT_EQ(extents.grid[0], 16);
  EXPECT_EQ(extents.grid[1], 4096);
}

TEST(AssumedSizes, ThroughTerms) {
  Program program = sized({{{Polynomial(32), Polynomial(8), One}, {}}});
  TermTable &terms = program.terms;
  const Polynomial given(terms.unique());
  const Polynomial isGiven =
      makeTerm(terms, {TermKind::Compare, 2, {Polynomial(1), Depth}});
  const Polynomial width =
      makeTerm(terms, {TermKind::Select, 0, {isGiven, given, Polynomial(100)}});
  program.launches[0].grid.extent = {blocksFor(terms, width),
                                     blocksFor(terms, Height), One};
  const SizedWorld world(std::move(program));
  const Extents extents = extentsOf(world.problem, LaunchId{0});
  EXPECT_NEAR(extents.threads() / Million, 16, 0.2);
  EXPECT_EQ(extents.grid[0], extents.grid[1]);
  // A number that is only compared isn't a size.
  EXPECT_EQ(assumedSize(world.problem, Depth), std::nullopt);
}

TEST(AssumedSizes, WhatIsComputedBeforeAnArgument) {
  Program program = sized({{{One, One, One}, {Width, One, One}},
                           {{One, One, One}, {One, One, One}}});
  TermTable &terms = program.terms;
  const Polynomial given(terms.unique());
  program.launches[1].grid.extent[0] =
      makeTerm(terms, {TermKind::Select, 0, {Depth, given, Width}});
  const SizedWorld world(std::move(program));
  EXPECT_EQ(extentsOf(world.problem, LaunchId{0}).threads(), 16 * Million);
  EXPECT_EQ(extentsOf(world.problem, LaunchId{1}).threads(), 16 * Million);
}

TEST(AssumedSizes, AsMeasured) {
  // A measured launch tells the size of the next one.
  SizedWorld world(sized({{{Polynomial(128), One, One}, {Width, One, One}},
                          {{Polynomial(64), One, One}, {Width, Height, One}}}));
  MeasuredLaunch entry;
  entry.name = world.program.kernelOf(LaunchId{0}).name;
  entry.grid = LaunchExtents{300, 1, 1};
  entry.block = LaunchExtents{128, 1, 1};
  world.problem.evidence.measured[entry.name].push_back(entry);
  EXPECT_EQ(extentsOf(world.problem, LaunchId{0}).grid[0], 300);
  EXPECT_EQ(extentsOf(world.problem, LaunchId{1}).grid[0], 300);
  EXPECT_NEAR(extentsOf(world.problem, LaunchId{1}).threads() / Million, 16,
              0.01);
}

} // namespace
