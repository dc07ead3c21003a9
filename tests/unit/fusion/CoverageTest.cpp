//===- tests/unit/fusion/CoverageTest.cpp - Accesses of whole arrays ------===//

#include "PlanBuilder.h"

#include "fusion/Coverage.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

using namespace test;

/// A store by a launch of enough 16x16 blocks for nx x ny elements.
struct Store {
  Polynomial index;
  Guard guard;
  /// One of these pairs is equal, too.
  std::vector<std::pair<Polynomial, Polynomial>> either = {};
};

/// Whether they cover nx x ny elements. Scalars 0 and 1 are nx and ny.
bool covers(const std::vector<Store> &stores, bool isGridShort = false) {
  PlanBuilder builder;
  const Polynomial nx = builder.value("nx"), ny = builder.value("ny");
  const ArrayId array = builder.array("A");
  const auto blocksFor = [&](const Polynomial &width) {
    return Polynomial(builder.program().terms.intern(
        {TermKind::Divide, 0, {width + num(isGridShort ? 14 : 15), num(16)}}));
  };
  for (const Store &store : stores) {
    // As the front end writes it: not all of them differ.
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
  std::vector<Reach> reaches;
  for (std::uint32_t i = 0; i < stores.size(); ++i) {
    const auto stage = std::make_shared<const Stage>(
        makeStage(builder.program(), LaunchId{i}, Frame::Bound));
    reaches.push_back({&stage->accesses[0], &stage->accesses[0].guard, stage});
  }
  return coverArray(builder.program(), reaches, nx * ny * num(4),
                    knownOf(builder.program()));
}

TEST(Coverage, EitherEdge) {
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

TEST(Coverage, Boxes) {
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

  // An interior, and edges by row and by column.
  const Store interior{cell + nx + num(1),
                       {less(x, nx - num(2)), less(y, ny - num(2))}};
  const Store guarded{cell,
                      {atLeast(x, num(1)), less(x, nx - num(1)),
                       atLeast(y, num(1)), less(y, ny - num(1))}};
  const Store top{x, {less(x, nx)}};
  const Store bottom{(ny - num(1)) * nx + x, {less(x, nx)}};
  const Store left{y * nx, {less(y, ny)}};
  const Store right{y * nx + nx - num(1), {less(y, ny)}};
  for (const Store &core : {interior, guarded}) {
    EXPECT_TRUE(covers({core, top, bottom, left, right}));
    EXPECT_TRUE(covers({right, bottom, core, left, top}));
    EXPECT_FALSE(covers({core, bottom, left, right}));
    EXPECT_FALSE(covers({core, top, left, right}));
    EXPECT_FALSE(covers({core, top, bottom, right}));
    EXPECT_FALSE(covers({core, top, bottom, left}));
    EXPECT_FALSE(covers({top, bottom, left, right}));
  }
}

} // namespace
} // namespace kfuse
