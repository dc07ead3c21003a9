//===- BlockPartitionTest.cpp - Members distributed among blocks ----------===//

#include "PlanBuilder.h"

#include "fusion/dependence/Names.h"
#include "fusion/group/Stages.h"
#include "fusion/shapes/BlockPartition.h"

#include <gtest/gtest.h>

#include <functional>

namespace kfuse {
namespace {

using namespace test;

/// Builds A→B element by element and B→C by rows of `length` elements, in
/// blocks of `block` threads.
struct Rows {
  PlanBuilder builder;
  Polynomial n = builder.value("n"), rows = builder.value("rows"),
             length = builder.value("length");
  Polynomial element = global();        ///< element of B that a thread writes
  Polynomial row = global() * param(1); ///< start of a thread's row
  Polynomial place = row + counter(0);
  Guard guard = {less(global(), param(0)), less(counter(0), param(1))};
  bool isBehind = false; ///< the kernel by rows comes first
  std::int64_t block = 32;
  /// True if all threads of a block share a row.
  bool isBlocks = false;
  /// The number of planes of threads that do the same.
  std::int64_t planes = 1;
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
    const auto &chunk = kernel.fits[isBehind ? 1 : 0].chunk;
    return (chunk ? print(*chunk) : "none") + " if " +
           std::to_string(kernel.conditions.size()) +
           (kernel.schedule == Schedule::BlockLocal ? "" : " not block") +
           (kernel.placements[1].kind == PlacementKind::ThroughGlobal
                ? ""
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

// The host tests that all elements are in rows and that an index fits into an
// `int`.
TEST(BlockPartition, ABlockMakesTheRowsOfItsThreads) {
  EXPECT_EQ(planOf([](Rows &) {}), "32*param1 if 2");
  EXPECT_EQ(planOf([](Rows &r) { r.block = 64; }), "64*param1 if 2");
  EXPECT_EQ(planOf([](Rows &r) { r.isBehind = true; }), "32*param1 if 2");
  // All threads of a block share a row.
  EXPECT_EQ(planOf(makeBlocksRows), "param1 if 2");
}

TEST(BlockPartition, RowsOfWarpsAreToldByBlocks) {
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
  // The row would span blocks.
  EXPECT_EQ(plan(48, 32), "CrossThreadFlow");
}

TEST(BlockPartition, ElementsMayLieBehindEachOther) {
  EXPECT_EQ(planOf([](Rows &r) {
              r.element = r.element + num(5), r.place = r.place + num(5);
            }),
            "32*param1 if 2");
  EXPECT_EQ(planOf([](Rows &r) { r.element = r.element + num(1); }),
            "CrossThreadFlow");
  EXPECT_EQ(planOf([](Rows &r) { r.element = num(2) * r.element; }),
            "CrossThreadFlow");
}

TEST(BlockPartition, RowsMustBeTheBlocksOwn) {
  for (const Polynomial &more : {num(1), num(-1), num(32)})
    EXPECT_EQ(planOf([&](Rows &r) { r.place = r.place + more; }),
              "CrossThreadFlow")
        << print(more);
  // The first accesses are by columns; the second ones have rows longer than
  // the distance between rows.
  EXPECT_EQ(planOf([](Rows &r) { r.place = global() + counter(0) * param(0); }),
            "CrossThreadFlow");
  EXPECT_EQ(
      planOf([](Rows &r) { r.guard[1] = less(counter(0), param(1) + num(1)); }),
      "CrossThreadFlow");
}

// A sum to which threads add, and an unknown index, may conflict with any row.
TEST(BlockPartition, WhatIsntAnElementOfEachThreadCantBeShared) {
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
            "CrossThreadFlow");
  EXPECT_EQ(planOf([&](Rows &r) {
              r.change = last([](Access access) {
                access.index = NotPolynomial::Unsupported;
                return access;
              });
            }),
            "CrossThreadFlow");
}

TEST(BlockPartition, WhoKnowsItsBlockCantBeSharedOut) {
  for (KernelFeature feature :
       {KernelFeature::BlockPlace, KernelFeature::SharedAddress,
        KernelFeature::GridShape, KernelFeature::CoordinatesInCallee,
        KernelFeature::WarpOperation})
    EXPECT_NE(planOf([&](Rows &r) {
                r.change = [&](Kernel &kernel) {
                  kernel.features.push_back({feature, {}, ""});
                };
              }),
              "32*param1 if 2")
        << featureText(feature);
  struct Binding {
    const char *name;
    std::function<void(Kernel &)> bind;
  };
  const Binding bindings[] = {
      {"barriers", [](Kernel &k) { k.barriers = 1; }},
      {"shared memory", [](Kernel &k) { k.staticSharedBytes = 64; }},
      {"most threads", [](Kernel &k) { k.maxThreads = 64; }},
      {"integers", [](Kernel &k) { k.integersToFloating = true; }}};
  for (const auto &[name, bind] : bindings)
    EXPECT_EQ(planOf([&](Rows &r) { r.change = bind; }), "CrossThreadFlow")
        << name;
}

TEST(BlockPartition, OnlyLinesInOneGridAreShared) {
  EXPECT_NE(planOf([](Rows &r) { r.planes = 2; }), "32*param1 if 2");
  EXPECT_EQ(
      planOf([](Rows &r) { r.builder.program().language = Language::OpenCL; }),
      "CrossThreadFlow");
}

TEST(BlockPartition, WithoutConditionsNothingIsKnownOfLengths) {
  const auto plans = [](const std::function<void(Rows &)> &change) {
    const auto without = [&](Rows &r) {
      change(r);
      r.builder.options().conditions = false;
    };
    return planOf(change) + ", " + planOf(without);
  };
  EXPECT_EQ(plans([](Rows &) {}), "32*param1 if 2, RequiresRuntimeCheck");
  // All elements are in rows, but there may be too many of them.
  EXPECT_EQ(plans([](Rows &r) {
              makeBlocksRows(r);
              r.n = r.rows * r.length;
            }),
            "param1 if 1, DifferentShape");
  // There are few elements, but they may not all be in rows.
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

/// Builds A→B element by element and B→C by rows, one for each block.
struct BlockRows {
  PlanBuilder builder;
  Polynomial n = builder.value("n"), rows = builder.value("rows"),
             length = builder.value("length"), wide = builder.value("wide");
  Polynomial column = thread() + num(32) * counter(0);
  Guard below = {less(global(), param(0))}, inRow = {less(column, param(1))};
  std::vector<Access> elements = {read(0, global(), below),
                                  write(1, global(), below)};
  std::vector<Access> byRows = {read(0, row(param(1)), inRow),
                                write(1, row(param(1)), inRow)};
  /// The named arrays. Both kernels also have D, E and an unknown array.
  std::vector<ArrayId> arrays;
  std::int64_t planes = 1;
  std::function<void(Kernel &, Kernel &)> change = [](Kernel &, Kernel &) {};

  /// Returns the index of an element in rows of `length` elements.
  Polynomial row(const Polynomial &length) { return block() * length + column; }

  BlockRows() {
    for (const char *name : {"A", "B", "C", "D", "E"})
      arrays.push_back(builder.array(name));
  }

  std::vector<LaunchId> launches() {
    const KernelId one = builder.kernel("each", 5, 1, elements);
    const KernelId two = builder.kernel("rows", 5, 3, byRows);
    builder[two].loops = {{param(1), {}}};
    for (Access &access : builder[two].accesses)
      access.loops = {0};
    change(builder[one], builder[two]);
    const auto pointers = [&](std::uint32_t first) {
      std::vector<PointerValue> result;
      for (const std::uint32_t i : {first, first + 1, 3u, 4u})
        result.push_back({arrays[i], Polynomial{}});
      result.push_back({noneOf<ArrayId>(), Polynomial{}});
      return result;
    };
    const Polynomial blocks =
        makeTerm(builder.program().terms,
                 {TermKind::Divide, 0, {n + num(127), num(128)}});
    return {builder.launch(one, pointers(0), {n}, {blocks, num(1), num(planes)},
                           {num(128), num(1), num(1)}),
            builder.launch(two, pointers(1), {rows, length, wide},
                           {rows, num(1), num(planes)},
                           {num(32), num(1), num(1)})};
  }
  /// Returns the share of a block, or the obstacle.
  std::string plan() {
    const auto members = launches();
    const std::string verdict = builder.verdict(members);
    if (verdict != "fused")
      return verdict;
    const auto chunk = builder.plan(members).fits[0].chunk;
    return chunk ? print(*chunk) : "none";
  }
  /// Returns the group before any accesses are compared.
  std::optional<Group> group() {
    Group result;
    const auto members = launches();
    result.problem = &builder.problem();
    for (const LaunchId member : members)
      result.stages.add(stageOf(*result.problem, member, SymbolSpace::Launch));
    return withChunks(std::move(result));
  }
  std::string chunk() {
    const auto shared = group();
    return shared ? print(shared->chunk) : "none";
  }
  /// Returns how the read of B by rows depends on the write of B.
  std::string dependence(const Polynomial &chunk) {
    // The accesses to D make shares for the blocks, whatever those to B are.
    elements.push_back(write(2, global(), below));
    byRows.push_back(read(2, row(param(1)), inRow));
    const auto shared = group();
    const Stage &one = shared->stages[0], &two = shared->stages[1];
    const AccessDependence dependence =
        meetInBlock({one, one.accesses[1]}, {two, two.accesses[0]}, true, chunk,
                    factsOf(*shared));
    return dependence.kind == AccessDependence::Kind::SameBlock ? "in the block"
           : dependence.kind == AccessDependence::Kind::Conflict
               ? obstacleName(dependence.obstacle)
               : "otherwise";
  }
};

std::string blocksOf(const std::function<void(BlockRows &)> &change) {
  BlockRows rows;
  change(rows);
  return rows.plan();
}

TEST(BlockPartition, AreOfLinesAlone) {
  EXPECT_EQ(blocksOf([](BlockRows &) {}), "param1");
  // The threads of two planes do the same.
  EXPECT_EQ(blocksOf([](BlockRows &r) { r.planes = 2; }), "CrossThreadFlow");
  // The first member has a loop over the whole grid, which a block can't run.
  EXPECT_EQ(blocksOf([](BlockRows &r) {
              const Polynomial i = sym(SymbolKind::StrideIdx, 0);
              r.elements.push_back(write(2, i, {less(i, param(0))}));
              r.change = [](Kernel &k, Kernel &) {
                k.gridStride.emplace().bound = param(0);
              };
            }),
            "CrossThreadFlow");
}

TEST(BlockPartition, VariablesThatFloatMayBeComputedWithOnce) {
  const auto plan = [](bool isFloating) {
    return blocksOf([&](BlockRows &r) {
      r.change = [=](Kernel &k, Kernel &) {
        k.pointers[0].global = ArrayId{0};
        k.pointers[0].element.hasFloatingPoint = isFloating;
      };
    });
  };
  EXPECT_EQ(plan(false), "param1");
  EXPECT_EQ(plan(true), "CrossThreadFlow");
}

TEST(BlockPartition, AreNumbersThatTheHostKnows) {
  const auto plan = [](const std::function<Polynomial(TermTable &)> &more) {
    return blocksOf([&](BlockRows &r) {
      TermTable &terms = r.builder.program().terms;
      const Polynomial begin = block() * (param(1) + more(terms));
      for (Access &access : r.byRows)
        access.index = begin + r.column;
    });
  };
  const auto term = [](TermKind kind, const Polynomial &one,
                       const Polynomial &two) {
    return [=](TermTable &terms) {
      return makeTerm(terms, {kind, 0, {one, two}});
    };
  };
  EXPECT_EQ(plan([](TermTable &) { return num(0); }), "param1");
  EXPECT_EQ(plan([](TermTable &) { return num(3); }), "param1 + 3");
  EXPECT_EQ(plan(term(TermKind::Divide, param(2), num(2))), "CrossThreadFlow");
  EXPECT_EQ(plan(term(TermKind::Minimum, param(1), num(0))), "CrossThreadFlow");
  // No thread adds anything to the term, but its text depends on the thread.
  const Polynomial none = sym(SymbolKind::BlockDim, 0) - num(32);
  EXPECT_EQ(plan(term(TermKind::Divide, thread() * none, num(2))),
            "CrossThreadFlow");
}

TEST(BlockPartition, AreOfElementsThatPass) {
  const auto chunk = [](auto change) {
    BlockRows r;
    change(r);
    return r.chunk();
  };
  const std::string length = print(BlockRows().length);
  EXPECT_EQ(chunk([](BlockRows &) {}), length);
  // The rows of other arrays are wider: an array that nobody writes, two
  // different arrays, unknown arrays, and an array with every second element.
  const Polynomial twice = num(2) * global();
  const std::vector<std::array<std::uint32_t, 2>> others = {
      {2, 2}, {2, 3}, {4, 4}};
  for (const auto &[one, two] : others)
    EXPECT_EQ(chunk([&](BlockRows &r) {
                const Access mine = one == 2 && two == 2
                                        ? read(one, global(), r.below)
                                        : write(one, global(), r.below);
                r.elements.insert(r.elements.begin(), mine);
                r.byRows.insert(r.byRows.begin(),
                                read(two, r.row(param(2)), r.inRow));
              }),
              length)
        << one << " " << two;
  EXPECT_EQ(chunk([&](BlockRows &r) {
              r.elements.insert(r.elements.begin(), write(2, twice, r.below));
              r.byRows.insert(r.byRows.begin(),
                              read(2, r.row(param(2)), r.inRow));
            }),
            length);
}

TEST(BlockPartition, AsManyElementsAsNoNumberHasAreNotShared) {
  EXPECT_EQ(blocksOf([](BlockRows &r) {
              r.rows = r.length = num(std::int64_t{1} << 40);
            }),
            "CrossThreadFlow");
}

TEST(BlockPartition, AccessesMeetInTheBlockWhoseShareItIs) {
  const auto dependence =
      [](const std::function<void(Kernel &, Kernel &)> &change,
         bool isWide = false) {
        BlockRows r;
        r.change = change;
        return r.dependence(isWide ? num(2) * r.length : r.length);
      };
  const auto none = [](Kernel &, Kernel &) {};
  EXPECT_EQ(dependence(none), "in the block");
  // The blocks' shares are wider than their rows.
  EXPECT_EQ(dependence(none, true), "CrossThreadFlow");
  EXPECT_EQ(dependence([](Kernel &, Kernel &k) {
              k.accesses[0] =
                  atomic(0, k.accesses[0].index, k.accesses[0].guard);
            }),
            "AtomicConflict");
  EXPECT_EQ(dependence([](Kernel &, Kernel &k) {
              k.accesses[0].elementBytes = k.accesses[0].width = 8;
            }),
            "NonPolynomialIndex");
  EXPECT_EQ(dependence([](Kernel &, Kernel &k) {
              k.accesses[0].index = NotPolynomial::Indirect;
            }),
            "NonPolynomialIndex");
}

// A distributed member passes B to rows through memory. D passes from a thread
// to itself: between stages outside the loop over the shares, or within this
// loop.
TEST(BlockPartition, ThreadsKeepTheirOwnValues) {
  const auto way = [](bool isOfRows) {
    BlockRows r;
    const auto launch = [&](bool isRows, const std::vector<std::uint32_t> &used,
                            std::vector<Access> accesses) {
      const KernelId kernel = r.builder.kernel(
          "k", static_cast<unsigned>(used.size()), 2, std::move(accesses));
      r.builder[kernel].loops = {{param(1), {}}};
      for (Access &access : r.builder[kernel].accesses)
        if (std::get<Polynomial>(access.index) == r.row(param(1)))
          access.loops = {0};
      std::vector<PointerValue> pointers;
      for (const std::uint32_t i : used)
        pointers.push_back({r.arrays[i], Polynomial{}});
      const Polynomial blocks =
          makeTerm(r.builder.program().terms,
                   {TermKind::Divide, 0, {r.n + num(127), num(128)}});
      return r.builder.launch(kernel, pointers,
                              {isRows ? r.rows : r.n, r.length},
                              {isRows ? r.rows : blocks, num(1), num(1)},
                              {num(isRows ? 32 : 128), num(1), num(1)});
    };
    const Access wholeRow = read(0, r.row(param(1)), r.inRow);
    std::vector<LaunchId> members;
    if (isOfRows) {
      members = {launch(true, {4, 3}, {read(0, global()), write(1, global())}),
                 launch(false, {0, 1}, r.elements)};
      members.push_back(launch(
          true, {1, 3, 2}, {wholeRow, read(1, global()), write(2, global())}));
    } else {
      members = {launch(false, {0, 3}, r.elements),
                 launch(false, {3, 1}, r.elements)};
      members.push_back(launch(true, {1, 2}, {wholeRow, write(1, global())}));
    }
    const std::string verdict = r.builder.verdict(members);
    if (verdict != "fused")
      return verdict;
    const FusedKernel kernel = r.builder.plan(members);
    return std::string(scheduleName(kernel.schedule)) + ", " +
           placementOf(kernel, r.arrays[3]) + ", " +
           placementOf(kernel, r.arrays[1]);
  };
  EXPECT_EQ(way(true), "block, never stored 0->2, memory 1->2");
  EXPECT_EQ(way(false), "block, never stored 0->1, memory 1->2");
}

} // namespace
} // namespace kfuse
