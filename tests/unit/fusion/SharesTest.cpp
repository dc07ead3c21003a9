//===- tests/unit/fusion/SharesTest.cpp - Members shared out among blocks -===//

#include "PlanBuilder.h"

#include <gtest/gtest.h>

#include <functional>

namespace kfuse {
namespace {

using namespace test;

/// A→B element by element, and B→C by rows of `length` elements, whose threads
/// are those of `block`.
struct Rows {
  PlanBuilder builder;
  Polynomial n = builder.value("n"), rows = builder.value("rows"),
             length = builder.value("length");
  Polynomial element = global();        ///< of B that a thread writes
  Polynomial row = global() * param(1); ///< where a thread's row begins
  Polynomial place = row + counter(0);
  Guard guard = {less(global(), param(0)), less(counter(0), param(1))};
  bool isBehind = false; ///< rows come first
  std::int64_t block = 32;
  bool isBlocks = false;   ///< a row is of all threads of a block
  std::int64_t planes = 1; ///< of threads that do the same
  std::function<void(Kernel &)> change = [](Kernel &) {};

  std::string plan() {
    const ArrayId a = builder.array("A"), b = builder.array("B"),
                  c = builder.array("C");
    const Guard below = {less(global(), param(0))};
    const auto each = [&](ArrayId from, ArrayId to) {
      const KernelId kernel = builder.kernel(
          "each", 2, 1, {read(0, global(), below), write(1, element, below)});
      change(builder[kernel]);
      const LaunchId launch = builder.launch(kernel, {from, to}, {n});
      at(launch).block.extent[0] = num(128);
      at(launch).grid.extent[0] = quotient(n + num(127), 128);
      at(launch).grid.extent[1] = num(planes);
      return launch;
    };
    const auto byRows = [&](ArrayId from, ArrayId to) {
      const KernelId kernel = builder.kernel(
          "rows", 2, 2, {read(0, place, guard), write(1, place, guard)});
      builder[kernel].loops = {{param(1), {}}};
      for (Access &access : builder[kernel].accesses)
        access.loops = {0};
      const LaunchId launch =
          builder.launch(kernel, {from, to}, {rows, length});
      at(launch).block.extent[0] = num(block);
      at(launch).grid.extent[0] =
          isBlocks ? rows : quotient(rows + num(block - 1), block);
      return launch;
    };
    const LaunchId first = isBehind ? byRows(a, b) : each(a, b);
    const LaunchId second = isBehind ? each(b, c) : byRows(b, c);
    const std::string verdict = builder.verdict({first, second});
    if (verdict != "fused")
      return verdict;
    const FusedKernel kernel = builder.plan({first, second});
    const auto &share = kernel.fits[isBehind ? 1 : 0].share;
    return (share ? print(*share) : "none") + " if " +
           std::to_string(kernel.conditions.size()) +
           (kernel.schedule == Schedule::Block ? "" : " not block") +
           (kernel.placements[1].kind == PlacementKind::Memory ? ""
                                                               : " not memory");
  }

private:
  Launch &at(LaunchId id) { return builder.program().launches[indexOf(id)]; }
  Polynomial quotient(const Polynomial &value, std::int64_t divisor) {
    return makeTerm(builder.program().terms,
                    {TermKind::Divide, 0, {value, num(divisor)}});
  }
};

std::string planOf(const std::function<void(Rows &)> &change) {
  Rows rows;
  change(rows);
  return rows.plan();
}

void makeBlocksRows(Rows &r) {
  r.isBlocks = true;
  r.place = block() * param(1) + thread() + num(32) * counter(0);
  r.guard = {less(thread() + num(32) * counter(0), param(1))};
}

// Asked are that all elements are in rows, and that an index is an `int`.
TEST(Shares, ABlockMakesTheRowsOfItsThreads) {
  EXPECT_EQ(planOf([](Rows &) {}), "32*param1 if 2");
  EXPECT_EQ(planOf([](Rows &r) { r.block = 64; }), "64*param1 if 2");
  EXPECT_EQ(planOf([](Rows &r) { r.isBehind = true; }), "32*param1 if 2");
  // A row for all threads of a block.
  EXPECT_EQ(planOf(makeBlocksRows), "param1 if 2");
}

TEST(Shares, RowsOfWarpsAreToldByBlocks) {
  const auto plan = [](std::int64_t block, std::int64_t warp) {
    return planOf([&](Rows &r) {
      const auto term = [&](TermKind kind, const Polynomial &value) {
        return makeTerm(r.builder.program().terms,
                        {kind, 0, {value, num(warp)}});
      };
      const Polynomial row = term(TermKind::Divide, global());
      const Polynomial column =
          term(TermKind::Remainder, thread()) + num(warp) * counter(0);
      r.block = block;
      r.place = row * param(1) + column;
      r.guard = {less(row, param(0)), less(column, param(1))};
    });
  };
  EXPECT_EQ(plan(128, 32), "4*param1 if 2");
  EXPECT_EQ(plan(256, 64), "4*param1 if 2");
  // A row across blocks.
  EXPECT_EQ(plan(48, 32), "NeighbourRead");
}

TEST(Shares, ElementsMayLieBehindEachOther) {
  EXPECT_EQ(planOf([](Rows &r) {
              r.element = r.element + num(5), r.place = r.place + num(5);
            }),
            "32*param1 if 2");
  EXPECT_EQ(planOf([](Rows &r) { r.element = r.element + num(1); }),
            "NeighbourRead");
  EXPECT_EQ(planOf([](Rows &r) { r.element = num(2) * r.element; }),
            "NeighbourRead");
}

TEST(Shares, RowsMustBeTheBlocksOwn) {
  for (const Polynomial &more : {num(1), num(-1), num(32)})
    EXPECT_EQ(planOf([&](Rows &r) { r.place = r.place + more; }),
              "NeighbourRead");
  // By columns; and longer than they are apart.
  EXPECT_EQ(planOf([](Rows &r) { r.place = global() + counter(0) * param(0); }),
            "NeighbourRead");
  EXPECT_EQ(
      planOf([](Rows &r) { r.guard[1] = less(counter(0), param(1) + num(1)); }),
      "NeighbourRead");
}

// A sum that threads add to, and an index that nobody knows, meet any row.
TEST(Shares, WhatIsntAnElementOfEachThreadCantBeShared) {
  const auto last = [](Access change(Access)) {
    return [change](Kernel &kernel) {
      kernel.accesses.push_back(change(kernel.accesses.back()));
    };
  };
  EXPECT_EQ(planOf([&](Rows &r) {
              r.change = last([](Access access) {
                access.kind = AccessKind::Atomic;
                return access;
              });
            }),
            "NeighbourRead");
  EXPECT_EQ(planOf([&](Rows &r) {
              r.change = last([](Access access) {
                access.index = NotPolynomial::Unsupported;
                return access;
              });
            }),
            "NeighbourRead");
}

TEST(Shares, WhoKnowsItsBlockCantBeSharedOut) {
  for (KernelFeature feature :
       {KernelFeature::BlockPlace, KernelFeature::SharedAddress,
        KernelFeature::GridShape, KernelFeature::CoordinatesInCallee,
        KernelFeature::WarpOperation})
    EXPECT_NE(planOf([&](Rows &r) {
                r.change = [&](Kernel &kernel) {
                  kernel.features.push_back({feature, {}, ""});
                };
              }),
              "32*param1 if 2");
  const std::vector<std::function<void(Kernel &)>> bindings = {
      [](Kernel &k) { k.barriers = 1; },
      [](Kernel &k) { k.staticSharedBytes = 64; },
      [](Kernel &k) { k.maxThreads = 64; },
      [](Kernel &k) { k.integersToFloating = true; }};
  for (const auto &bind : bindings)
    EXPECT_EQ(planOf([&](Rows &r) { r.change = bind; }), "NeighbourRead");
}

TEST(Shares, OnlyLinesInOneGridAreShared) {
  EXPECT_NE(planOf([](Rows &r) { r.planes = 2; }), "32*param1 if 2");
  EXPECT_EQ(
      planOf([](Rows &r) { r.builder.program().language = Language::OpenCL; }),
      "NeighbourRead");
}

TEST(Shares, WithoutConditionsNothingIsKnownOfLengths) {
  const auto plans = [](const std::function<void(Rows &)> &change) {
    const auto without = [&](Rows &r) {
      change(r);
      r.builder.options().conditions = false;
    };
    return planOf(change) + ", " + planOf(without);
  };
  EXPECT_EQ(plans([](Rows &) {}), "32*param1 if 2, NeedsCondition");
  // All elements are in rows, but there may be too many.
  EXPECT_EQ(plans([](Rows &r) {
              makeBlocksRows(r);
              r.n = r.rows * r.length;
            }),
            "param1 if 1, DifferentShape");
  // There are few, but not all may be in rows.
  const auto makeFew = [](Rows &r) {
    makeBlocksRows(r);
    r.rows = num(64);
    r.length = num(128);
  };
  EXPECT_EQ(plans(makeFew), "128 if 1, DifferentShape");
  EXPECT_EQ(plans([&](Rows &r) {
              makeFew(r);
              r.n = r.rows * r.length;
            }),
            "128 if 0, 128 if 0");
}

} // namespace
} // namespace kfuse
