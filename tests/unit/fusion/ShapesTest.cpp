//===- ShapesTest.cpp - Members of different shapes -----------------------===//

#include "PlanBuilder.h"

#include "fusion/dependence/Names.h"
#include "fusion/shapes/ShapeMapping.h"
#include "fusion/shapes/Shapes.h"

#include <gtest/gtest.h>

#include <functional>

namespace kfuse {
namespace {

using namespace test;

/// Builds A→B→C, pointwise below n, with one member in a shape of its own.
struct Pair {
  PlanBuilder builder;
  Polynomial n = builder.value("n");
  LaunchId x, y;

  explicit Pair(unsigned loops = 0) {
    const ArrayId a = builder.array("A"), b = builder.array("B"),
                  c = builder.array("C");
    x = builder.launch(make("one", (loops & 1) != 0), {a, b}, {n});
    y = builder.launch(make("two", (loops & 2) != 0), {b, c}, {n});
  }
  KernelId make(const char *name, bool isLoop) {
    const Polynomial index = isLoop ? sym(SymbolKind::StrideIdx, 0) : global();
    const Guard guard = {less(index, param(0))};
    const KernelId id = builder.kernel(
        name, 2, 1, {read(0, index, guard), write(1, index, guard)});
    if (isLoop) {
      GridStrideLoop loop;
      loop.variable = "i";
      loop.bound = param(0);
      builder[id].gridStride = loop;
    }
    return id;
  }
  Launch &launch(unsigned i) { return builder.program().launches[i]; }
  Kernel &kernel(unsigned i) { return builder[KernelId{i}]; }
  /// Gives member i (n + threads - 1) / threads blocks.
  void cover(unsigned i, std::int64_t threads) {
    launch(i).block.extent[0] = num(threads);
    launch(i).grid.extent[0] =
        makeTerm(builder.program().terms,
                 {TermKind::Divide, 0, {n + num(threads - 1), num(threads)}});
  }
  void shape(unsigned i, std::int64_t grid, std::int64_t block) {
    launch(i).grid.extent[0] = num(grid);
    launch(i).block.extent[0] = num(block);
  }
  void dropGuards() {
    for (unsigned i : {0U, 1U})
      for (auto *accesses : {&kernel(i).accesses, &launch(i).accesses})
        for (Access &access : *accesses)
          access.guard.clear();
  }

  /// Returns the leader and the members with bounds, like `leader 0 blocks 1`;
  /// or the obstacle.
  std::string plan() {
    const std::string verdict = builder.verdict({x, y});
    if (verdict != "fused")
      return verdict;
    const FusedKernel kernel = builder.plan({x, y});
    std::string bounded;
    for (std::size_t i = 0; i < kernel.fits.size(); ++i)
      if (kernel.fits[i].isBounded())
        bounded += (kernel.fits[i].hasBlocks ? " blocks " : " threads ") +
                   std::to_string(i);
    for (const Condition &condition : kernel.conditions)
      EXPECT_EQ(condition.kind, ConditionKind::AtLeast);
    return "leader " + std::to_string(kernel.leader) + bounded +
           (kernel.conditions.empty() ? "" : " if") +
           (kernel.placements[1].isPartial() ? " partial" : "");
  }
};

std::string planOf(const std::function<void(Pair &)> &change,
                   unsigned loops = 0) {
  Pair pair(loops);
  change(pair);
  return pair.plan();
}

TEST(Shapes, GuardsWithinTheirGridsNeedNoTest) {
  EXPECT_EQ(planOf([](Pair &p) { p.cover(0, 256), p.cover(1, 128); }),
            "leader 0");
  EXPECT_EQ(planOf([](Pair &p) { p.cover(0, 128), p.cover(1, 256); }),
            "leader 0");
}

TEST(Shapes, TheLeaderHasAThreadForEveryElement) {
  // n is 1000: both have blocks of 128 threads, and 8 of them suffice.
  auto plan = [](std::int64_t first, std::int64_t second) {
    return planOf([&](Pair &p) {
      p.shape(0, first, 128), p.shape(1, second, 128);
      for (unsigned i : {0U, 1U}) {
        p.launch(i).scalars[0] = num(1000);
        p.launch(i).accesses =
            bindAccesses(p.kernel(i), p.launch(i), p.builder.program().terms);
      }
    });
  };
  EXPECT_EQ(plan(9, 8), "leader 0");
  EXPECT_EQ(plan(8, 9), "leader 0");
  EXPECT_EQ(plan(9, 7), "leader 0 blocks 1");
  EXPECT_EQ(plan(7, 9), "leader 1 blocks 0 partial");
}

TEST(Shapes, ThreadsThatAMemberHasNotStayOut) {
  // The larger grid has all threads of the smaller one.
  EXPECT_EQ(planOf([](Pair &p) { p.shape(0, 65, 256); }), "leader 0 blocks 1");
  EXPECT_EQ(planOf([](Pair &p) { p.shape(1, 65, 256); }),
            "leader 1 blocks 0 partial");
  EXPECT_EQ(planOf([](Pair &p) { p.shape(1, 64, 128); }), "leader 0 threads 1");
  EXPECT_EQ(planOf([](Pair &p) { p.shape(1, 128, 128); }), "leader 0");
}

TEST(Shapes, GridsWithoutGuardsAreCompared) {
  // Whole blocks of 64 threads hold no more elements than whole blocks of 32.
  auto exact = [](Pair &p) {
    p.dropGuards();
    for (unsigned i : {0U, 1U}) {
      p.launch(i).block.extent[0] = num(i == 0 ? 32 : 64);
      p.launch(i).grid.extent[0] =
          makeTerm(p.builder.program().terms,
                   {TermKind::Divide, 0, {p.n, num(i == 0 ? 32 : 64)}});
    }
  };
  EXPECT_EQ(planOf(exact), "leader 0 threads 1");
  EXPECT_EQ(planOf([&](Pair &p) {
              exact(p);
              p.builder.options().conditions = false;
            }),
            "RequiresRuntimeCheck");
}

TEST(Shapes, WhoKnowsItsBlockLeads) {
  struct Binding {
    const char *name;
    std::function<void(Kernel &)> bind;
  };
  const Binding bindings[] = {
      {"block index",
       [](Kernel &k) {
         k.features.push_back({KernelFeature::BlockPlace, {}, ""});
       }},
      {"shared address",
       [](Kernel &k) {
         k.features.push_back({KernelFeature::SharedAddress, {}, ""});
       }},
      {"barriers", [](Kernel &k) { k.barriers = 1; }},
      {"shared memory", [](Kernel &k) { k.staticSharedBytes = 64; }},
      {"dynamic shared memory", [](Kernel &k) { k.usesDynamicShared = true; }}};
  for (const Binding &binding : bindings) {
    SCOPED_TRACE(binding.name);
    auto plan = [&](bool both) {
      return planOf([&](Pair &p) {
        p.cover(0, 256), p.cover(1, 128), binding.bind(p.kernel(1));
        if (both)
          p.kernel(0).barriers = 1;
      });
    };
    EXPECT_EQ(plan(false), "leader 1");
    EXPECT_EQ(plan(true), "DifferentShape");
  }
  EXPECT_EQ(planOf([](Pair &p) {
              p.cover(0, 256), p.cover(1, 128), p.kernel(1).maxThreads = 128;
            }),
            "leader 1");
}

TEST(Shapes, WhoKnowsItsGridStays) {
  for (KernelFeature feature :
       {KernelFeature::GridShape, KernelFeature::CoordinatesInCallee}) {
    SCOPED_TRACE(featureText(feature));
    auto plan = [&](unsigned member) {
      return planOf([&](Pair &p) {
        p.shape(0, 65, 256);
        p.kernel(member).features.push_back({feature, {}, ""});
      });
    };
    EXPECT_EQ(plan(0), "leader 0 blocks 1");
    EXPECT_EQ(plan(1), "DifferentShape");
  }
}

TEST(Shapes, GridStrideLoopsFitAnyShape) {
  EXPECT_EQ(planOf([](Pair &p) { p.cover(1, 128); }, 1), "leader 1");
  EXPECT_EQ(planOf([](Pair &p) { p.cover(0, 128); }, 2), "leader 0");
  EXPECT_EQ(planOf([](Pair &p) { p.shape(0, 7, 32); }, 3), "leader 1");
  // The other member's grid may be smaller than the loop's bound.
  EXPECT_EQ(planOf([](Pair &) {}, 1), "leader 1 if");
}

TEST(Shapes, LoopsWithAnOrderKeepTheirShape) {
  const Polynomial i = sym(SymbolKind::StrideIdx, 0);
  auto plan = [&](const Access &more, unsigned loops, std::int64_t grid) {
    return planOf(
        [&](Pair &p) {
          p.shape(0, grid, 256);
          p.kernel(0).accesses.push_back(more);
          p.launch(0).accesses =
              bindAccesses(p.kernel(0), p.launch(0), p.builder.program().terms);
        },
        loops);
  };
  const Guard within = {less(i, param(0))};
  // The access is to the last value of C, to a sum in one place, or to the
  // previous iteration's B.
  for (const Access &ordered :
       {write(1, num(0), within), atomic(0, num(0), within),
        read(1, i - num(1), within)}) {
    SCOPED_TRACE(static_cast<int>(ordered.kind));
    EXPECT_EQ(plan(ordered, 3, 7), "DifferentShape");
    EXPECT_EQ(plan(ordered, 1, 64), "DifferentShape");
  }
  EXPECT_EQ(plan(read(1, i, within), 3, 7), "leader 1");
}

/// Builds two grid-stride loops over the elements of A.
struct Loops {
  struct Shape {
    std::uint32_t axis;
    PerAxis grid, block;
  };
  PlanBuilder builder;
  Polynomial n = builder.value("n");
  ArrayId a = builder.array("A");
  std::vector<LaunchId> launches;

  void add(const Shape &shape, std::optional<std::uint32_t> maxThreads = {}) {
    const Polynomial index = sym(SymbolKind::StrideIdx, shape.axis);
    const Guard guard = {less(index, param(0))};
    const KernelId id = builder.kernel(
        "loop", 2, 1, {read(0, index, guard), write(1, index, guard)});
    GridStrideLoop loop;
    loop.axis = shape.axis;
    loop.variable = "i";
    loop.bound = param(0);
    builder[id].gridStride = loop;
    builder[id].maxThreads = maxThreads;
    launches.push_back(builder.launch(
        id,
        std::vector<PointerValue>{{a, Polynomial{}},
                                  {builder.array("B"), Polynomial{}}},
        {n}, shape.grid, shape.block));
  }
  std::string verdict() { return builder.verdict(launches); }
};

const PerAxis Line = {num(64), num(1), num(1)},
              Plane = {num(8), num(8), num(1)},
              Thread = {num(1), num(1), num(1)};

TEST(Shapes, LoopsOfOneAxisRunInAnyShape) {
  const auto verdict = [](const Loops::Shape &one, const Loops::Shape &two) {
    Loops loops;
    loops.add(one), loops.add(two);
    return loops.verdict();
  };
  EXPECT_EQ(verdict({0, Line, Line}, {0, Thread, Line}), "fused");
  EXPECT_EQ(verdict({0, Plane, Plane}, {0, Plane, Plane}), "fused");
  // The loops are over different axes, although all launches have the same grid
  // and block.
  EXPECT_EQ(verdict({0, Line, Line}, {1, Line, Line}), "DifferentShape");
  EXPECT_EQ(verdict({0, Plane, Plane}, {1, Plane, Plane}), "DifferentShape");
  // All threads along y do the same, so it is done several times.
  EXPECT_EQ(verdict({0, Plane, Line}, {0, Line, Line}), "DifferentShape");
  EXPECT_EQ(verdict({0, Line, Plane}, {0, Line, Line}), "DifferentShape");
  EXPECT_EQ(verdict({0, Line, Line}, {0, Plane, Line}), "DifferentShape");
}

TEST(Shapes, TheAxesOfLoopsAreNamed) {
  // The grids and blocks are the same, so changing them wouldn't help.
  Loops loops;
  loops.add({0, Line, Line}), loops.add({1, Line, Line});
  const Obstacle obstacle = loops.builder.obstacle(loops.launches);
  EXPECT_NE(obstacle.text.find("loops over different axes"), std::string::npos)
      << obstacle.text;
}

TEST(Shapes, LoopsRunInBlocksThatTheirKernelsAllow) {
  const auto verdict = [](std::uint32_t maxThreads) {
    Loops loops;
    loops.add({0, Line, {num(32), num(1), num(1)}}, maxThreads);
    loops.add({0, Line, Line});
    return loops.verdict();
  };
  EXPECT_EQ(verdict(64), "fused");
  EXPECT_EQ(verdict(32), "DifferentShape");
}

TEST(Shapes, IterationsThatBecameThreadsAreNoLoops) {
  Loops loops;
  loops.add({0, Thread, Line}), loops.add({0, Line, Line});
  Group group;
  group.problem = &loops.builder.problem();
  for (const LaunchId launch : loops.launches) {
    Stage stage =
        makeStage(loops.builder.program(), launch, SymbolSpace::Launch);
    ASSERT_TRUE(unrollLoop(stage));
    group.stages.add(std::move(stage));
  }
  ASSERT_FALSE(alignShapes(group));
  // The larger one leads, and the other one's end is tested.
  EXPECT_EQ(group.leader, 1U);
  EXPECT_TRUE(group.fits[0].isBounded());
}

TEST(Shapes, ALoopIsNoShapeForOthers) {
  // The obstacle is a missing test at run time, not a shape.
  Loops loops;
  loops.add({0, Line, Line});
  const ArrayId c = loops.builder.array("C");
  loops.launches.push_back(
      loops.builder.launch(loops.builder.pointwise("other", 1),
                           std::vector<ArrayId>{loops.a, c}, {loops.n}));
  loops.builder.options().conditions = false;
  EXPECT_EQ(loops.verdict(), "RequiresRuntimeCheck");
}

const Polynomial X = global(0), Y = global(1), Z = global(2);
/// The index of a cell in a kernel whose first parameters are the lengths of a
/// row and of a plane.
const Polynomial Cell = (Z * param(1) + Y) * param(0) + X;

/// Builds launches that pass A, B and C from one to the next.
struct Chain {
  PlanBuilder b;
  Polynomial n = b.value("n"), nx = b.value("nx"), ny = b.value("ny"),
             nz = b.value("nz");
  ArrayId A = b.array("A"), B = b.array("B"), C = b.array("C"),
          D = b.array("D");
  Polynomial blocks(const Polynomial &cells, std::int64_t width) {
    return makeTerm(
        b.program().terms,
        {TermKind::Divide, 0, {cells + num(width - 1), num(width)}});
  }
  LaunchId launch(KernelId k, ArrayId from, ArrayId to,
                  std::vector<Polynomial> scalars, PerAxis grid,
                  PerAxis block) {
    return b.launch(
        k, std::vector<PointerValue>{{from, Polynomial{}}, {to, Polynomial{}}},
        std::move(scalars), grid, block);
  }
  KernelId copy(const char *name, const Polynomial &index, const Guard &guard,
                unsigned scalars) {
    return b.kernel(name, 2, scalars,
                    {read(0, index, guard), write(1, index, guard)});
  }
  const Guard inside = {less(X, param(0)), less(Y, param(1)),
                        less(Z, param(2))};
  LaunchId volume(ArrayId from, ArrayId to, const Polynomial &index) {
    return launch(copy("volume", index, inside, 3), from, to, {nx, ny, nz},
                  {blocks(nx, 16), blocks(ny, 4), blocks(nz, 2)},
                  {num(16), num(4), num(2)});
  }
  LaunchId line(ArrayId from, ArrayId to, const Guard &guard) {
    return launch(copy("line", X, guard, 1), from, to, {nx * ny * nz},
                  {blocks(nx * ny * nz, 128), num(1), num(1)},
                  {num(128), num(1), num(1)});
  }
};

TEST(Shapes, AGuardThatOverflowsKeepsNoThreadOut) {
  // The volume's threads have line indices up to 2^30, for which 4 * i isn't an
  // `int`. If the line has the volume's number of axes, its end is tested.
  Chain c;
  const LaunchId one = c.volume(c.A, c.B, Cell);
  const LaunchId two = c.line(c.B, c.C, {less(num(4) * X + num(3), param(0))});
  const FusedKernel kernel = c.b.plan({one, two});
  ASSERT_TRUE(kernel.fits[1].hasRows());
  EXPECT_TRUE(kernel.fits[1].isBounded());
}

TEST(Shapes, WhatALargerGroupKnowsIsNotKnownOfAPair) {
  const auto isBounded = [](bool isAskedBefore) {
    Chain c;
    const KernelId k = c.copy("k", X, {}, 0);
    const auto launch = [&](ArrayId from, ArrayId to, const Polynomial &grid,
                            std::int64_t block) {
      return c.launch(k, from, to, {}, {grid, num(1), num(1)},
                      {num(block), num(1), num(1)});
    };
    const LaunchId one = launch(c.A, c.B, num(64), 256),
                   two = launch(c.B, c.C, c.n + num(127), 128),
                   three = launch(c.C, c.D, c.n, 256);
    if (isAskedBefore)
      c.b.verdict({one, two, three});
    return c.b.plan({one, two}).fits[1].isBounded();
  };
  EXPECT_TRUE(isBounded(false));
  EXPECT_TRUE(isBounded(true));
}

TEST(Shapes, AnyVolumeOfTheShapeTellsTheRows) {
  for (const bool isPaddedFirst : {false, true}) {
    Chain c;
    const Polynomial padded = (Z * param(1) + Y) * (param(0) + num(1)) + X;
    std::vector<LaunchId> all;
    if (isPaddedFirst)
      all.push_back(c.volume(c.A, c.D, padded));
    all.push_back(c.volume(c.A, c.B, Cell));
    if (!isPaddedFirst)
      all.push_back(c.volume(c.A, c.D, padded));
    all.push_back(c.line(c.B, c.C, {less(X, param(0))}));
    EXPECT_EQ(c.b.verdict(all), "fused") << isPaddedFirst;
  }
}

} // namespace
} // namespace kfuse
