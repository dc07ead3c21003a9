//===- tests/unit/fusion/FittingTest.cpp - Members in the shapes of others ===//
//
// Threads of another grid, lines in volumes, and indices that are quotients.
//
//===----------------------------------------------------------------------===//

#include "PlanBuilder.h"

#include "fusion/Fitting.h"
#include "fusion/Folding.h"
#include "fusion/Injective.h"
#include "fusion/Quotients.h"
#include "fusion/Shapes.h"

#include <gtest/gtest.h>

#include <functional>

namespace kfuse {
namespace {

using namespace test;

using Extents = std::array<Polynomial, 3>;

constexpr std::int64_t Large = std::int64_t{1} << 40;

//===----------------------------------------------------------------------===//
// Quotients
//===----------------------------------------------------------------------===//

/// Terms of values a and b, which needn't be positive, and a divisor d; 64
/// blocks of 256 threads.
struct Divisions {
  TermTable terms;
  Polynomial a = sym(SymbolKind::HostValue, 0),
             b = sym(SymbolKind::HostValue, 1),
             d = sym(SymbolKind::HostValue, 2);
  Polynomial index = block() * num(256) + thread(); ///< as in the text
  Kernel kernel;
  Stage stage;

  Divisions() {
    stage.kernel = &kernel;
    stage.grid = {num(64), num(1), num(1)};
    stage.block = {num(256), num(1), num(1)};
  }
  Polynomial term(TermKind kind, const Polynomial &x, const Polynomial &y) {
    return makeTerm(terms, {kind, 0, {x, y}});
  }
  Polynomial over(const Polynomial &x, const Polynomial &y) {
    return term(TermKind::Divide, x, y);
  }
  Polynomial rest(const Polynomial &x, const Polynomial &y) {
    return term(TermKind::Remainder, x, y);
  }
  std::string recombined(const Polynomial &value) const {
    return print(recombine(value, terms));
  }
  bool isDigit(const Polynomial &value) const {
    return digitOf(*value.asSymbol(), stage, {}, terms).has_value();
  }
  std::string apart(const Polynomial &value) {
    const auto result = apartFromBlocks(value, stage, terms);
    return !result            ? "unknown"
           : *result == value ? "as it was"
                              : print(*result);
  }
  bool isInjective(const Polynomial &value) const {
    Facts facts;
    facts.terms = &terms;
    const Guard all;
    const Domain domain{stage, all};
    return tellsThreadsApart(value, domain, domain, facts);
  }
};

TEST(Quotients, OnlyAQuotientAndItsRemainderAreTheirDividend) {
  const auto isWhole = [](const std::function<Polynomial(Divisions &)> &make) {
    Divisions v;
    const Polynomial value = make(v);
    return recombine(value, v.terms) != value;
  };
  EXPECT_TRUE(isWhole(
      [](Divisions &v) { return v.d * v.over(v.a, v.d) + v.rest(v.a, v.d); }));
  // Nested ones, (a/b)/d and (a/b)%d.
  EXPECT_TRUE(isWhole([](Divisions &v) {
    const Polynomial row = v.over(v.a, v.b);
    return v.d * v.over(row, v.d) + v.rest(row, v.d);
  }));
  // (a%b)/d is no a/(b*d).
  EXPECT_FALSE(isWhole([](Divisions &v) {
    return v.d * v.over(v.over(v.a, v.b), v.d) + v.rest(v.rest(v.a, v.b), v.d);
  }));
  // Of another number, and other terms of the same one.
  EXPECT_FALSE(isWhole(
      [](Divisions &v) { return v.d * v.over(v.b, v.d) + v.rest(v.a, v.d); }));
  EXPECT_FALSE(isWhole([](Divisions &v) {
    return v.d * v.over(v.a, v.d) + v.term(TermKind::Minimum, v.a, v.d);
  }));
  EXPECT_FALSE(isWhole([](Divisions &v) {
    return v.d * v.term(TermKind::Minimum, v.a, v.d) + v.rest(v.a, v.d);
  }));
}

TEST(Quotients, CoordinatesAreNoTerms) {
  // Symbols have numbers of their own in each kind: threadIdx.x and threadIdx.y
  // are no terms 0 and 1.
  Divisions v;
  const Polynomial rest = v.rest(v.a, v.d), quotient = v.over(v.a, v.d);
  ASSERT_EQ(rest, sym(SymbolKind::Opaque, 0));
  ASSERT_EQ(quotient, sym(SymbolKind::Opaque, 1));
  const Polynomial one = v.d * quotient + thread(0),
                   two = v.d * thread(1) + rest;
  EXPECT_EQ(recombine(one, v.terms), one);
  EXPECT_EQ(recombine(two, v.terms), two);
}

TEST(Quotients, WhatOverflowsStaysApart) {
  Divisions v;
  const Polynomial large = num(Large);
  // Two divisors whose product is too large say nothing of the dividends.
  const Polynomial nested = large * v.over(v.over(v.b, large), large) +
                            v.rest(v.over(v.a, large), large);
  EXPECT_EQ(recombine(nested, v.terms), nested);
  // What would be divided is too large, or what the quotient is to be taken by.
  const Polynomial dividend = large * v.a;
  const Polynomial whole = large * num(2) * v.over(dividend, num(2)) +
                           large * v.rest(dividend, num(2));
  EXPECT_EQ(recombine(whole, v.terms), whole);
  const Polynomial needed = large * v.over(v.a, large) * v.rest(v.a, large);
  EXPECT_EQ(recombine(needed, v.terms), needed);
}

TEST(Quotients, DigitsDifferBetweenThreadsByWhatDoesNot) {
  Divisions v;
  EXPECT_TRUE(v.isDigit(v.over(v.index, num(32))));
  EXPECT_TRUE(v.isDigit(v.rest(v.index, v.d)));
  EXPECT_FALSE(v.isDigit(v.over(v.a, num(32))));
  EXPECT_FALSE(v.isDigit(v.rest(v.a, v.index)));
  EXPECT_FALSE(v.isDigit(v.rest(v.index, v.index + num(1))));
  EXPECT_FALSE(v.isDigit(v.rest(v.index + counter(0), num(32))));
  // Each thread may have a number of its own.
  const Polynomial own(v.terms.unique());
  EXPECT_FALSE(v.isDigit(v.rest(v.index + own, num(32))));
  const auto places = [&](const Polynomial &value) {
    return v.over(value, num(64)) * num(128) + v.rest(value, num(64));
  };
  EXPECT_TRUE(v.isInjective(places(v.index)));
  EXPECT_FALSE(v.isInjective(places(v.index + own)));
}

TEST(Quotients, BlocksAreToldWhereTheyAreWholeNumbers) {
  const auto apart = [](const std::function<Polynomial(Divisions &)> &make) {
    Divisions v;
    return v.apart(make(v));
  };
  EXPECT_EQ(apart([](Divisions &v) { return v.over(v.index, num(32)); }),
            "8*blockIdx.x + term1");
  EXPECT_EQ(apart([](Divisions &v) { return v.rest(v.index, num(32)); }),
            "term1");
  const std::string same = "as it was";
  // Blocks that begin within a quotient, go down, or begin below 0.
  EXPECT_EQ(apart([](Divisions &v) { return v.over(v.index, num(100)); }),
            same);
  EXPECT_EQ(apart([](Divisions &v) {
              return v.over(thread() - block() * num(256), num(32));
            }),
            same);
  EXPECT_EQ(
      apart([](Divisions &v) { return v.over(v.index - num(1), num(32)); }),
      same);
  EXPECT_EQ(apart([](Divisions &v) { return v.over(v.index, num(0)); }), same);
  EXPECT_EQ(apart([](Divisions &v) {
              return v.term(TermKind::Minimum, v.index, num(32));
            }),
            same);
}

TEST(Quotients, BlocksAreToldInCoordinatesOfTheStage) {
  const auto apart = [](const std::function<void(Stage &)> &change) {
    Divisions v;
    change(v.stage);
    return v.apart(v.over(v.index, num(32)));
  };
  const std::string same = "as it was";
  // In another shape the text's block isn't the stage's.
  EXPECT_EQ(apart([](Stage &stage) { stage.hasOwnTerms = false; }), same);
  // One block, or one thread in each, has no symbol for the block.
  EXPECT_EQ(apart([](Stage &stage) { stage.grid[0] = num(1); }), same);
  EXPECT_EQ(apart([](Stage &stage) { stage.block[0] = num(1); }), same);
}

//===----------------------------------------------------------------------===//
// Fitting
//===----------------------------------------------------------------------===//

TEST(Fitting, BlocksAreNoLargerThanTheirKernelSays) {
  Kernel kernel;
  const auto allows = [&](const Extents &block) {
    return allowsBlock(kernel, block);
  };
  EXPECT_TRUE(allows({num(256), num(4), num(1)}));
  kernel.maxThreads = 128;
  EXPECT_TRUE(allows({num(32), num(4), num(1)}));
  EXPECT_FALSE(allows({num(32), num(4), num(2)}));
  EXPECT_FALSE(allows({sym(SymbolKind::HostValue, 0), num(1), num(1)}));
  EXPECT_FALSE(allows({num(0), num(1), num(1)}));
  EXPECT_FALSE(allows({num(-8), num(-8), num(1)}));
  // Their product is 0 in 64 bits.
  EXPECT_FALSE(allows({num(Large), num(Large), num(1)}));
}

TEST(Fitting, AWideBlockIsWide) {
  Stage stage;
  stage.grid = {num(64), num(1), num(1)};
  stage.block = {num(1), num(8), num(1)};
  EXPECT_FALSE(isOneWide(stage, 0));
  EXPECT_FALSE(isOneWide(stage, 1));
  EXPECT_TRUE(isOneWide(stage, 2));
}

/// A stage of one access, as its kernel's text has it.
struct OneAccess {
  Kernel kernel;
  Stage stage;
  OneAccess(IndexExpr index, Guard guard) {
    stage.kernel = &kernel;
    StageAccess access;
    access.index = std::move(index);
    access.guard = std::move(guard);
    stage.accesses.push_back(std::move(access));
  }
};

TEST(Fitting, ThreadsOfAnyBlockKnowTheirGlobalIndexAlone) {
  const auto isFree = [](const IndexExpr &index, const Guard &guard) {
    return isFreeOfBlocks(OneAccess(index, guard).stage);
  };
  const Polynomial place = sym(SymbolKind::GlobalIdx, 0);
  EXPECT_TRUE(isFree(place, {less(place, num(100))}));
  EXPECT_TRUE(isFree(NotPolynomial::Indirect, {}));
  for (const Polynomial &own : {thread(), block(), place - block() * num(32)}) {
    EXPECT_FALSE(isFree(own, {}));
    EXPECT_FALSE(isFree(place, {less(own, num(100))}));
    EXPECT_FALSE(isFree(NotPolynomial::Indirect, {less(own, num(100))}));
  }
}

TEST(Fitting, IterationsOverflowAsThreads) {
  // The coefficients of both are one of the thread's, which is too large.
  const Polynomial half = num(std::int64_t{1} << 62);
  const Polynomial loop = sym(SymbolKind::StrideIdx, 0);
  const Polynomial both = half * loop + half * sym(SymbolKind::GlobalIdx, 0);
  const auto unrolls = [](const IndexExpr &index, const Guard &guard) {
    OneAccess one(index, guard);
    one.stage.strideAxis = 0;
    return unrollLoop(one.stage);
  };
  EXPECT_TRUE(unrolls(loop, {less(loop, num(100))}));
  EXPECT_FALSE(unrolls(both, {}));
  EXPECT_FALSE(unrolls(loop, {{Relation::NonNegative, both}}));
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

const Polynomial X = test::global(0), Y = test::global(1), Z = test::global(2);
/// Of a kernel whose first parameters are a row's length and a plane's.
const Polynomial Cell = (Z * param(1) + Y) * param(0) + X;

struct Member {
  std::vector<Access> accesses;
  std::vector<Polynomial> scalars;
  Extents grid, block;
};

/// A volume of nx * ny * nz cells, and a line along all of it.
struct Folded {
  PlanBuilder builder;
  Polynomial other = builder.value("other");
  Polynomial nx = builder.value("nx"), ny = builder.value("ny"),
             nz = builder.value("nz");
  Member volume, line;
  std::optional<std::uint32_t> maxThreads;

  Folded() {
    volume = {{read(0, Cell)},
              {nx, ny, nz},
              {blocks(nx, 16), blocks(ny, 4), blocks(nz, 2)},
              {num(16), num(4), num(2)}};
    line = {{read(0, X, {less(X, param(0))})},
            {nx * ny * nz, nx, ny},
            {blocks(nx * ny * nz, 128), num(1), num(1)},
            {num(128), num(1), num(1)}};
  }
  Polynomial term(TermKind kind, const Polynomial &a, const Polynomial &b) {
    return makeTerm(builder.program().terms, {kind, 0, {a, b}});
  }
  Polynomial blocks(const Polynomial &cells, std::int64_t width) {
    return term(TermKind::Divide, cells + num(width - 1), num(width));
  }
  /// The line as a plane of nx * ny by nz.
  void makePlane(const Polynomial &index) {
    line.accesses = {read(0, index, {less(X, param(0)), less(Y, param(3))})};
    line.scalars = {nx * ny, nx, ny, nz};
    line.grid = {blocks(nx * ny, 32), blocks(nz, 4), num(1)};
    line.block = {num(32), num(4), num(1)};
  }
  /// The volume's axes along which the line's run and what the host asks, or
  /// `none`.
  std::string fit() {
    std::vector<LaunchId> launches;
    for (const Member *member : {&volume, &line}) {
      const KernelId id = builder.kernel(
          "kernel", 1, static_cast<unsigned>(member->scalars.size()),
          member->accesses);
      if (member == &line)
        builder[id].maxThreads = maxThreads;
      launches.push_back(builder.launch(
          id, std::vector<PointerValue>{{builder.array("A"), Polynomial{}}},
          member->scalars, member->grid, member->block));
    }
    Group group;
    group.problem = &builder.problem();
    for (const LaunchId launch : launches)
      group.stages.add(makeStage(builder.program(), launch, Frame::Bound));
    const auto fitted = fitFolded(group, group.stages[1], group.stages[0]);
    if (!fitted)
      return "none";
    std::string text;
    for (const std::vector<std::uint32_t> &along : fitted->fit.axes) {
      text += along.empty() || text.empty() ? "" : " ";
      for (const std::uint32_t axis : along)
        text += "xyz"[axis];
    }
    text += fitted->fit.isBounded() ? " bounded" : "";
    for (const Condition &condition : fitted->conditions)
      text +=
          "; " + print(condition.polynomial) + " >= " + print(condition.other);
    return text;
  }
};

std::string fitOf(const std::function<void(Folded &)> &change) {
  Folded folded;
  change(folded);
  return folded.fit();
}

TEST(Folding, RowsAndPlanesAreThoseOfTheVolume) {
  EXPECT_EQ(fitOf([](Folded &) {}),
            "xyz; 1073741824 >= blockDim.z*gridDim.z*param0*param1");
  // Both axes of a plane may be the folded one, though rows of a cube are as
  // long as its planes.
  const Polynomial n = sym(SymbolKind::HostValue, 1);
  const auto fitOfCube = [&](const Polynomial &x, const Polynomial &y) {
    return fitOf([&](Folded &v) {
      ASSERT_EQ(v.nx, n);
      v.volume.accesses = {read(0, (Z * param(0) + Y) * param(0) + X)};
      v.volume.grid = {v.blocks(n, 16), v.blocks(n, 4), v.blocks(n, 2)};
      v.line = {
          {read(0, Y * param(0) + X, {less(X, param(0)), less(Y, param(1))})},
          {x, y},
          {v.blocks(x, 32), v.blocks(y, 4), num(1)},
          {num(32), num(4), num(1)}};
    });
  };
  EXPECT_EQ(fitOfCube(n * n, n).substr(0, 5), "xy z;");
  EXPECT_EQ(fitOfCube(n, n * n).substr(0, 5), "x yz;");
  // Arrays of one length of rows have planes of more than one size.
  EXPECT_EQ(fitOf([](Folded &v) {
              v.volume.accesses = {read(0, (Z * param(2) + Y) * param(0) + X),
                                   read(0, Cell)};
              v.makePlane(Y * param(1) * param(2) + X);
            }),
            "xy z; 1073741824 >= blockDim.y*gridDim.y*param0");
}

TEST(Folding, WhatTellsNoRowsFoldsNothing) {
  const auto plane = [](Folded &v, const Polynomial &index) {
    v.volume.accesses = {read(0, index)};
    v.volume.grid[2] = v.volume.block[2] = num(1);
  };
  EXPECT_NE(fitOf([&](Folded &v) { plane(v, Y * param(0) + X); }), "none");
  // Rows of another length in each iteration, and rows that go back.
  EXPECT_EQ(fitOf([&](Folded &v) { plane(v, Y * counter(0) + X); }), "none");
  EXPECT_EQ(fitOf([&](Folded &v) { plane(v, X - num(16) * Y); }), "none");
  // Rows of other * nx / other elements, for which the kernel has no name.
  EXPECT_EQ(fitOf([&](Folded &v) {
              plane(v, Y * param(1) + X * param(0));
              v.volume.scalars = {v.other, v.other * v.nx};
              v.line.accesses = {read(0, X * param(1), {less(X, param(0))})};
              v.line.scalars = {v.nx * v.ny, v.other};
            }),
            "none");
  // Each z has the same plane, so that a line of planes has none.
  EXPECT_EQ(fitOf([](Folded &v) {
              v.makePlane(X);
              v.volume.accesses = {read(0, Y * param(0) + X)};
            }),
            "none");
}

TEST(Folding, WhoHasBlocksForRowsHasRows) {
  const auto asks = [](const std::function<void(Folded &)> &change,
                       const std::string &what) {
    const std::string fit = fitOf(change);
    EXPECT_EQ(fit.substr(0, 3), "xyz");
    return fit.find("; " + what + " >= 1;") != std::string::npos;
  };
  // There are (nx + 15) / 16 blocks, so that nx is positive.
  EXPECT_FALSE(asks([](Folded &) {}, "param0"));
  // A value that has the number of that term.
  EXPECT_TRUE(asks(
      [](Folded &v) {
        ASSERT_EQ(v.other.asSymbol()->index,
                  v.blocks(v.nx, 16).asSymbol()->index);
        v.volume.grid[0] = v.other;
      },
      "param0"));
  EXPECT_TRUE(asks(
      [](Folded &v) {
        v.volume.grid[0] = v.term(TermKind::Maximum, v.nx, num(16));
      },
      "param0"));
  // Of nx / other both may be negative.
  EXPECT_TRUE(asks(
      [](Folded &v) {
        const Polynomial row = param(0) - param(3) + num(1);
        v.volume.accesses = {read(0, (Z * param(1) + Y) * row + X)};
        v.volume.scalars = {v.nx, v.ny, v.nz, v.other};
        v.volume.grid[0] = v.term(TermKind::Divide, v.nx, v.other);
      },
      "param0 - param3 + 1"));
}

TEST(Folding, ThreadsThatCannotBeCountedStay) {
  const Polynomial most = num(std::int64_t{1} << 62);
  EXPECT_EQ(fitOf([&](Folded &v) {
              v.line.accesses = {read(0, X)};
              v.line.grid[0] = most * v.nx;
            }),
            "none");
  EXPECT_EQ(fitOf([&](Folded &v) { v.volume.grid[0] = most * v.nx; }), "none");
  // 2^32 threads, of which each has an index, and a quarter of them.
  const auto fit = [](std::int64_t planes) {
    return fitOf([&](Folded &v) {
      v.volume.scalars = {num(4096), num(4096)};
      v.volume.grid = {num(256), num(1024), num(planes / 2)};
    });
  };
  EXPECT_EQ(fit(256), "none");
  EXPECT_NE(fit(64), "none");
}

TEST(Folding, LaunchBoundsAreThoseOfTheVolumesBlocks) {
  EXPECT_EQ(fitOf([](Folded &v) { v.maxThreads = 64; }), "none");
  EXPECT_NE(fitOf([](Folded &v) { v.maxThreads = 128; }), "none");
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Two grid-stride loops over the elements of A.
struct Loops {
  struct Shape {
    std::uint32_t axis;
    Extents grid, block;
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

const Extents Line = {num(64), num(1), num(1)},
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
  // Of two axes, though all launches have one grid and block.
  EXPECT_EQ(verdict({0, Line, Line}, {1, Line, Line}), "DifferentShape");
  EXPECT_EQ(verdict({0, Plane, Plane}, {1, Plane, Plane}), "DifferentShape");
  // All of the threads along y do the same, so many times.
  EXPECT_EQ(verdict({0, Plane, Line}, {0, Line, Line}), "DifferentShape");
  EXPECT_EQ(verdict({0, Line, Plane}, {0, Line, Line}), "DifferentShape");
  EXPECT_EQ(verdict({0, Line, Line}, {0, Plane, Line}), "DifferentShape");
}

TEST(Shapes, TheAxesOfLoopsAreNamed) {
  // The grids and blocks are the same: to change them wouldn't help.
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
    Stage stage = makeStage(loops.builder.program(), launch, Frame::Bound);
    ASSERT_TRUE(unrollLoop(stage));
    group.stages.add(std::move(stage));
  }
  ASSERT_FALSE(settleShapes(group));
  // The larger leads, and the other's end is tested.
  EXPECT_EQ(group.leader, 1U);
  EXPECT_TRUE(group.fits[0].isBounded());
}

TEST(Shapes, ALoopIsNoShapeForOthers) {
  // What is missing is a test at run time, not a shape.
  Loops loops;
  loops.add({0, Line, Line});
  const ArrayId c = loops.builder.array("C");
  loops.launches.push_back(
      loops.builder.launch(loops.builder.pointwise("other", 1),
                           std::vector<ArrayId>{loops.a, c}, {loops.n}));
  loops.builder.options().conditions = false;
  EXPECT_EQ(loops.verdict(), "NeedsCondition");
}

/// A, B, C pass from one launch to the next.
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
                  std::vector<Polynomial> scalars, Extents grid,
                  Extents block) {
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

TEST(Folding, AGuardThatOverflowsKeepsNoThreadOut) {
  // Threads of the volume have lines' indices up to 2^30: 4 * i is then no
  // int. Where the line has the volume's number of axes, its end is tested.
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

// Both are of 256 threads a block. Of one block alone, threadIdx is the global
// index: in a grid of more blocks each has a thread that the guard lets in.
TEST(Fitting, OneBlockAmongOthersIsLeftToOne) {
  const auto isBounded = [](const Polynomial &place) {
    PlanBuilder builder;
    const ArrayId a = builder.array("A"), b = builder.array("B"),
                  c = builder.array("C");
    const Guard first = {less(place, num(100))},
                below = {less(global(), param(0))};
    const KernelId all = builder.kernel(
        "all", 2, 1, {read(0, global(), below), write(1, global(), below)});
    const KernelId few = builder.kernel(
        "few", 2, 1, {read(0, place, first), write(1, place, first)});
    if (place == thread())
      builder[few].features.push_back({KernelFeature::BlockPlace, {}, ""});
    const LaunchId x = builder.launch(all, {a, b}, {num(16384)});
    const LaunchId y = builder.launch(few, {b, c}, {num(0)});
    builder.program().launches[1].grid.extent[0] = num(1);
    return builder.plan({x, y}).fits[1].isBounded();
  };
  EXPECT_FALSE(isBounded(global()));
  EXPECT_TRUE(isBounded(thread()));
}

// i * 4 of an index that the kernel never had may be no `int`.
TEST(Folding, OfMoreIndicesOnlyTheBareOneIsKnown) {
  const auto isBounded = [](std::int64_t factor) {
    PlanBuilder builder;
    std::vector<PointerValue> p(3);
    for (const char *name : {"A", "B", "C"})
      p[name[0] - 'A'].array = builder.array(name);
    const Polynomial flat = global(0) + num(32768) * global(1);
    const Guard below = {less(global(0), num(32768)),
                         less(global(1), num(32768))},
                few = {less(num(factor) * global(0), num(1000))};
    const KernelId all = builder.kernel(
        "all", 2, 1, {read(0, flat, below), write(1, flat, below)});
    const KernelId line = builder.kernel(
        "line", 2, 1, {read(0, global(), few), write(1, global(), few)});
    const LaunchId x = builder.launch(all, {p[0], p[1]}, {num(0)},
                                      {num(1024), num(4096), num(1)},
                                      {num(32), num(8), num(1)});
    const LaunchId y =
        builder.launch(line, {p[1], p[2]}, {num(0)}, {num(4), num(1), num(1)},
                       {num(256), num(1), num(1)});
    const auto plan = builder.plan({x, y});
    EXPECT_TRUE(plan.fits[1].hasRows());
    return plan.fits[1].isBounded();
  };
  EXPECT_FALSE(isBounded(1));
  EXPECT_TRUE(isBounded(4));
}

} // namespace
} // namespace kfuse
