//===- FullWriteProofTest.cpp - Accesses of whole arrays ------------------===//

#include "World.h"

#include "fusion/dependence/FullWriteProof.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

using namespace test;

/// Describes a store by a launch with enough 16x16 blocks for nx x ny elements.
struct Store {
  Polynomial index;
  Guard guard;
  /// At least one of these pairs has to be equal, too.
  std::vector<std::pair<Polynomial, Polynomial>> either = {};
};

/// Checks whether the stores cover nx x ny elements. Scalars 0 and 1 are nx and
/// ny.
bool covers(const std::vector<Store> &stores, bool isGridShort = false) {
  PlanBuilder builder;
  const Polynomial nx = builder.value("nx"), ny = builder.value("ny");
  const ArrayId array = builder.array("A");
  const auto blocksFor = [&](const Polynomial &width) {
    return Polynomial(builder.program().terms.intern(
        {TermKind::Divide, 0, {width + num(isGridShort ? 14 : 15), num(16)}}));
  };
  for (const Store &store : stores) {
    // The front end writes the guard this way: not all pairs differ.
    Guard guard = store.guard;
    Polynomial allDiffer(1);
    for (const auto &[a, b] : store.either)
      allDiffer =
          allDiffer * (num(1) - Polynomial(builder.program().terms.intern(
                                    {TermKind::Compare, 0, {a, b}})));
    if (!store.either.empty())
      guard.push_back({Relation::Zero, allDiffer});
    builder.launch(builder.kernel("k", 1, 2, {write(0, store.index, guard)}),
                   {{array, Polynomial{}}}, {nx, ny},
                   {blocksFor(nx), blocksFor(ny), num(1)},
                   {num(16), num(16), num(1)});
  }
  builder.problem();
  std::vector<AccessRange> reaches;
  for (std::uint32_t i = 0; i < stores.size(); ++i) {
    const auto stage = std::make_shared<const Stage>(
        makeStage(builder.program(), LaunchId{i}, SymbolSpace::Launch));
    reaches.push_back({&stage->accesses[0], &stage->accesses[0].guard, stage});
  }
  return coversArray(builder.program(), reaches, nx * ny * num(4),
                     knownOf(builder.program()));
}

TEST(FullWriteProof, EitherEdge) {
  const Polynomial x = global(0), y = global(1), nx = param(0), ny = param(1);
  const Polynomial cell = y * nx + x, none;
  const Guard inside = {less(x, nx), less(y, ny)};
  const Store rows{cell, inside, {{y, none}, {y, ny - num(1)}}};
  const Store columns{cell, inside, {{x, none}, {x, nx - num(1)}}};
  const Store interior{cell,
                       {atLeast(x, num(1)), less(x, nx - num(1)),
                        atLeast(y, num(1)), less(y, ny - num(1))}};
  EXPECT_TRUE(covers({interior, rows, columns}));
  EXPECT_FALSE(covers({interior, rows}));
  EXPECT_FALSE(covers({rows, columns}));
  EXPECT_TRUE(
      covers({interior,
              {cell,
               inside,
               {{x, none}, {x, nx - num(1)}, {y, none}, {y, ny - num(1)}}}}));
  EXPECT_FALSE(
      covers({interior, rows, {cell, inside, {{x, none}, {x, nx - num(2)}}}}));
  EXPECT_FALSE(
      covers({interior, rows, {cell, inside, {{x, none}, {y, nx - num(1)}}}}));
}

TEST(FullWriteProof, Boxes) {
  const Polynomial x = global(0), y = global(1), nx = param(0), ny = param(1);
  const Polynomial cell = y * nx + x;
  const Guard inside = {less(x, nx), less(y, ny)};
  const Store whole{cell, inside};
  EXPECT_TRUE(covers({whole}));
  EXPECT_FALSE(covers({whole}, true));
  EXPECT_FALSE(covers({}));
  EXPECT_TRUE(covers({{cell, {less(x, nx), less(y, ny), atLeast(x, num(0))}}}));
  EXPECT_TRUE(covers({{y + x * ny, inside}}));
  // The grid has at least ny threads.
  EXPECT_TRUE(covers({{cell, {less(x, nx)}}}));
  EXPECT_FALSE(covers({{cell, {less(x, nx)}}}, true));
  EXPECT_FALSE(covers({{cell, {less(x, nx - num(1)), less(y, ny)}}}));
  EXPECT_FALSE(covers({{cell, {less(x, nx), less(y, ny), unknown()}}}));
  EXPECT_FALSE(covers({{cell, {less(x, nx), less(y, ny), equal(x, y)}}}));
  EXPECT_FALSE(covers({{cell + num(1), inside}}));
  EXPECT_FALSE(covers({{y * nx * num(2) + x, inside}}));
  EXPECT_FALSE(covers({{x, inside}}));

  // These are an interior, and edges by row and by column.
  const Store interior{cell + nx + num(1),
                       {less(x, nx - num(2)), less(y, ny - num(2))}};
  const Store guarded{cell,
                      {atLeast(x, num(1)), less(x, nx - num(1)),
                       atLeast(y, num(1)), less(y, ny - num(1))}};
  const Store top{x, {less(x, nx)}};
  const Store bottom{(ny - num(1)) * nx + x, {less(x, nx)}};
  const Store left{y * nx, {less(y, ny)}};
  const Store right{y * nx + nx - num(1), {less(y, ny)}};
  for (const bool isGuarded : {false, true}) {
    SCOPED_TRACE(isGuarded);
    const Store &core = isGuarded ? guarded : interior;
    EXPECT_TRUE(covers({core, top, bottom, left, right}));
    EXPECT_TRUE(covers({right, bottom, core, left, top}));
    EXPECT_FALSE(covers({core, bottom, left, right}));
    EXPECT_FALSE(covers({core, top, left, right}));
    EXPECT_FALSE(covers({core, top, bottom, right}));
    EXPECT_FALSE(covers({core, top, bottom, left}));
    EXPECT_FALSE(covers({top, bottom, left, right}));
  }
}

struct Launched {
  Access access;
  std::array<Polynomial, 3> grid, block;
  std::optional<std::uint32_t> loopAxis = {};
};

struct Covering {
  PlanBuilder builder;
  Polynomial n = builder.value("n"), m = builder.value("m");
  ArrayId array = builder.array("A");

  Polynomial term(TermKind kind, std::vector<Polynomial> operands,
                  std::int64_t detail = 0) {
    return Polynomial(
        builder.program().terms.intern({kind, detail, std::move(operands)}));
  }
  LaunchId launch(const Launched &store) {
    const KernelId kernel = builder.kernel("k", 1, 2, {store.access});
    if (store.loopAxis) {
      builder[kernel].gridStride.emplace();
      builder[kernel].gridStride->axis = *store.loopAxis;
    }
    return builder.launch(kernel, {{array, Polynomial{}}}, {n, m}, store.grid,
                          store.block);
  }
  /// Checks whether the stores, in launches of their own, cover the bytes.
  bool covers(const std::vector<Launched> &stores, const Polynomial &bytes) {
    std::vector<LaunchId> launches;
    for (const Launched &store : stores)
      launches.push_back(launch(store));
    builder.problem();
    std::vector<AccessRange> reaches;
    for (const LaunchId id : launches) {
      const auto stage = std::make_shared<const Stage>(
          makeStage(builder.program(), id, SymbolSpace::Launch));
      reaches.push_back(
          {&stage->accesses[0], &stage->accesses[0].guard, stage});
    }
    return coversArray(builder.program(), reaches, bytes,
                       knownOf(builder.program()));
  }
  /// Checks whether `blocks` blocks of `threads` threads cover n elements, one
  /// per thread.
  bool coversIn(const Polynomial &blocks, const Polynomial &threads = num(16)) {
    return covers({{write(0, global(), {less(global(), param(0))}),
                    {blocks, num(1), num(1)},
                    {threads, num(1), num(1)}}},
                  n * num(4));
  }
};

TEST(FullWriteProof, GridsMustReachTheEnd) {
  const auto covers = [](TermKind kind, std::int64_t by, std::int64_t times,
                         std::int64_t more) {
    Covering plain;
    return plain.coversIn(plain.term(kind, {plain.n + num(15), num(by)}) *
                              num(times) +
                          num(more));
  };
  EXPECT_TRUE(covers(TermKind::Divide, 16, 1, 0));
  EXPECT_TRUE(covers(TermKind::Divide, 16, 1, 1));
  EXPECT_FALSE(covers(TermKind::Divide, 16, 1, -1));
  EXPECT_FALSE(covers(TermKind::Divide, 32, 1, 0));
  EXPECT_FALSE(covers(TermKind::Divide, 16, -1, 64));
  EXPECT_FALSE(covers(TermKind::Remainder, 16, 1, 0));
  // A quotient has no operands, or a block has an unknown number of threads.
  Covering plain;
  EXPECT_FALSE(plain.coversIn(plain.term(TermKind::Divide, {}) + num(1)));
  Covering other;
  EXPECT_FALSE(other.coversIn(num(1), other.m));
}

TEST(FullWriteProof, SizesMayBeSums) {
  const auto covers = [](std::int64_t more, std::int64_t blocksFor) {
    Covering plain;
    const Polynomial width = param(0) + num(2), height = param(1) + num(3);
    return plain.covers(
        {{write(0, global(1) * width + global(0),
                {less(global(0), width), less(global(1), height)}),
          {plain.term(TermKind::Divide, {N + num(blocksFor + 15), num(16)}),
           plain.term(TermKind::Divide, {M + num(3 + 15), num(16)}), num(1)},
          {num(16), num(16), num(1)}}},
        (plain.n + num(2)) * (plain.m + num(3 + more)) * num(4));
  };
  EXPECT_TRUE(covers(0, 2));
  EXPECT_TRUE(covers(0, 3));
  EXPECT_FALSE(covers(1, 2));
  EXPECT_FALSE(covers(0, 1));
}

/// Without blocks, nothing is stored, though the array may have elements.
TEST(FullWriteProof, BlocksTellOfFactorsAlone) {
  const auto covers = [](std::int64_t more) {
    Covering plain;
    const std::array<Polynomial, 3> grid = {
        plain.term(TermKind::Divide, {N + num(15), num(16)}), num(1), num(1)};
    const std::array<Polynomial, 3> block = {num(16), num(1), num(1)};
    const Guard guard = {less(global(), param(0))};
    return plain.covers({{write(0, global(), guard), grid, block},
                         {write(0, global() + num(1), guard), grid, block}},
                        (plain.n + num(more)) * num(4));
  };
  EXPECT_TRUE(covers(0));
  EXPECT_FALSE(covers(1)); // one element for n = 0
}

TEST(FullWriteProof, StoresMustBeOfWholeElements) {
  const auto covers = [](const Access &access, std::int64_t more = 0) {
    Covering plain;
    return plain.covers(
        {{access, {num(1), num(1), num(1)}, {num(64), num(1), num(1)}}},
        num(64 * 4 + more));
  };
  Access store = write(0, global());
  EXPECT_TRUE(covers(store));
  EXPECT_FALSE(covers(store, 2)); // half an element remains
  store.loops = {0};              // which may have no iterations
  EXPECT_FALSE(covers(store));
  store.loops = {};
  store.width = 2;
  EXPECT_FALSE(covers(store));
}

TEST(FullWriteProof, CoordinatesOfOneStrideDoNotCount) {
  Covering plain;
  const std::array<Polynomial, 3> one = {num(1), num(1), num(1)};
  // The stores to A[x] for x < 3, and to A[x + y] for x from 5 to 7 and y below
  // 8, never reach A[3].
  EXPECT_FALSE(plain.covers(
      {{write(0, global(), {less(global(), num(3))}),
        one,
        {num(8), num(1), num(1)}},
       {write(0, global() + global(1), {atLeast(global(), num(5))}),
        one,
        {num(8), num(8), num(1)}}},
      num(8 * 4)));
}

TEST(FullWriteProof, BoundsAreTheSameForAllThreads) {
  Covering plain;
  const std::array<Polynomial, 3> one = {num(1), num(1), num(1)};
  const Polynomial x = sym(SymbolKind::StrideIdx, 0);
  // In 8 rows of 8 elements, one store covers the elements on and right of the
  // diagonal. The other covers those left of y in all rows z, for y below 2.
  // They never reach A[3 * 8 + 1].
  EXPECT_FALSE(plain.covers(
      {{write(0, thread(2) * num(8) + x, {less(x, thread(1))}),
        one,
        {num(8), num(2), num(8)},
        0U},
       {write(0, thread(1) * num(8) + thread(), {atLeast(thread(), thread(1))}),
        one,
        {num(8), num(8), num(1)}}},
      num(64 * 4)));
}

TEST(FullWriteProof, OnlyComparisonsAreAlternatives) {
  const auto covers = [](TermKind kind, std::int64_t detail, std::int64_t by) {
    Covering plain;
    const Polynomial x = global();
    const Polynomial isOne = num(1) - plain.term(kind, {x, num(by)}, detail);
    const std::array<Polynomial, 3> one = {num(1), num(1), num(1)};
    const std::array<Polynomial, 3> eight = {num(8), num(1), num(1)};
    return plain.covers(
        {{write(0, x, {less(x, num(2))}), one, eight},
         {write(0, x, {less(x, num(3)), {Relation::Zero, isOne}}), one, eight}},
        num(3 * 4));
  };
  EXPECT_TRUE(covers(TermKind::Compare, 0, 2));    // x == 2
  EXPECT_FALSE(covers(TermKind::Compare, 0, 1));   // x == 1
  EXPECT_TRUE(covers(TermKind::Compare, 3, 2));    // x <= 2
  EXPECT_FALSE(covers(TermKind::Compare, 2, 2));   // x < 2, and not x >= 2
  EXPECT_FALSE(covers(TermKind::Remainder, 0, 2)); // x % 2 == 1
}

TEST(FullWriteProof, OnlyQuotientsTellTheirDividend) {
  const auto tells = [](TermKind kind, const Polynomial &by) {
    Covering plain;
    const LaunchId id =
        plain.launch({write(0, global()),
                      {plain.term(kind, {N, by}), num(1), num(1)},
                      {num(16), num(1), num(1)}});
    plain.builder.problem();
    const Program &program = plain.builder.program();
    return provesNonNegative(
        factsOf(program, makeStage(program, id, SymbolSpace::Launch)), N - by);
  };
  EXPECT_TRUE(tells(TermKind::Divide, num(16)));
  // The first two fail for n = 1: n % 16 blocks, and at least 16 blocks. The
  // other two are n / m for -4 and -2.
  EXPECT_FALSE(tells(TermKind::Remainder, num(16)));
  EXPECT_FALSE(tells(TermKind::Maximum, num(16)));
  EXPECT_FALSE(tells(TermKind::Divide, num(-2)));
  EXPECT_FALSE(tells(TermKind::Divide, M));
}

TEST(FullWriteProof, SizesAreWidenedWhereTheyWereNarrowed) {
  const auto covers = [](TermKind kind, bool isTerm) {
    Covering plain;
    plain.builder.program().values[1].isPositive = true;
    std::vector<Polynomial> operands = {plain.m * num(4)};
    if (kind != TermKind::Narrow)
      operands.push_back(plain.n);
    const Polynomial size = plain.term(kind, std::move(operands), -32);
    return plain.covers({{write(0, global()),
                          {plain.m, num(1), num(1)},
                          {num(1), num(1), num(1)}}},
                        isTerm ? size : plain.n);
  };
  EXPECT_TRUE(covers(TermKind::Narrow, true));   // (int)(m * 4) bytes
  EXPECT_FALSE(covers(TermKind::Maximum, true)); // max(m * 4, n)
  EXPECT_FALSE(covers(TermKind::Narrow, false)); // n
}

} // namespace
} // namespace kfuse
