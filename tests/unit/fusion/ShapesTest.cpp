//===- tests/unit/fusion/ShapesTest.cpp - Members of different shapes -----===//

#include "PlanBuilder.h"

#include <gtest/gtest.h>

#include <functional>

namespace kfuse {
namespace {

using namespace test;

/// A→B→C, pointwise below n, one member in a shape of its own.
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
  /// (n + threads - 1) / threads blocks.
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

  /// `leader 0, bounds 1, conditions 0`, or the obstacle.
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
  // n is 1000: both blocks are of 128 threads, and 8 of them hold all.
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
  // All of the smaller grid's threads are in the larger.
  EXPECT_EQ(planOf([](Pair &p) { p.shape(0, 65, 256); }), "leader 0 blocks 1");
  EXPECT_EQ(planOf([](Pair &p) { p.shape(1, 65, 256); }),
            "leader 1 blocks 0 partial");
  EXPECT_EQ(planOf([](Pair &p) { p.shape(1, 64, 128); }), "leader 0 threads 1");
  EXPECT_EQ(planOf([](Pair &p) { p.shape(1, 128, 128); }), "leader 0");
}

TEST(Shapes, GridsWithoutGuardsAreComparedAtRunTime) {
  auto exact = [](Pair &p) {
    p.dropGuards();
    for (unsigned i : {0U, 1U}) {
      p.launch(i).block.extent[0] = num(i == 0 ? 32 : 64);
      p.launch(i).grid.extent[0] =
          makeTerm(p.builder.program().terms,
                   {TermKind::Divide, 0, {p.n, num(i == 0 ? 32 : 64)}});
    }
  };
  EXPECT_EQ(planOf(exact), "leader 0 threads 1 if");
  EXPECT_EQ(planOf([&](Pair &p) {
              exact(p);
              p.builder.options().conditions = false;
            }),
            "NeedsCondition");
}

TEST(Shapes, WhoKnowsItsBlockLeads) {
  const std::vector<std::function<void(Kernel &)>> bindings = {
      [](Kernel &k) {
        k.features.push_back({KernelFeature::BlockPlace, {}, ""});
      },
      [](Kernel &k) {
        k.features.push_back({KernelFeature::SharedAddress, {}, ""});
      },
      [](Kernel &k) { k.barriers = 1; },
      [](Kernel &k) { k.staticSharedBytes = 64; },
      [](Kernel &k) { k.usesDynamicShared = true; }};
  for (const auto &bind : bindings) {
    auto plan = [&](bool both) {
      return planOf([&](Pair &p) {
        p.cover(0, 256), p.cover(1, 128), bind(p.kernel(1));
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
  // The other's grid may be smaller than the loop's bound.
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
  // The last value of C, a sum in one place, and the previous iteration's B.
  for (const Access &ordered :
       {write(1, num(0), within), atomic(0, num(0), within),
        read(1, i - num(1), within)}) {
    EXPECT_EQ(plan(ordered, 3, 7), "DifferentShape");
    EXPECT_EQ(plan(ordered, 1, 64), "DifferentShape");
  }
  EXPECT_EQ(plan(read(1, i, within), 3, 7), "leader 1");
}

} // namespace
} // namespace kfuse
