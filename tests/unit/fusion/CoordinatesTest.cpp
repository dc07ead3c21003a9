//===- CoordinatesTest.cpp - Coordinates of threads and their extents -----===//
//
// Tests how the indices of threads are written, what follows from their bounds,
// and how far they reach.
//
//===----------------------------------------------------------------------===//

#include "PlanBuilder.h"

#include "fusion/cost/CoordinateExtents.h"
#include "fusion/dependence/Coordinates.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kfuse {
namespace {

using namespace test;

//===----------------------------------------------------------------------===//
// Coordinates
//===----------------------------------------------------------------------===//

TEST(Coordinates, IndicesOfAShape) {
  struct Case {
    std::int64_t grid, block;
    SymbolKind kind;
    const char *canonical;
  };
  // A global index is known to be 0 only for a single thread in a single block.
  const std::vector<Case> cases = {
      {1, 1, SymbolKind::GlobalIdx, "0"},
      {1, 8, SymbolKind::GlobalIdx, "global.x"},
      {4, 1, SymbolKind::GlobalIdx, "global.x"},
      {4, 8, SymbolKind::GlobalIdx, "global.x"},
      {1, 1, SymbolKind::ThreadIdx, "0"},
      {1, 8, SymbolKind::ThreadIdx, "global.x"},
      {4, 1, SymbolKind::ThreadIdx, "0"},
      {1, 1, SymbolKind::BlockIdx, "0"},
      {1, 8, SymbolKind::BlockIdx, "0"},
      {4, 1, SymbolKind::BlockIdx, "global.x"},
      {4, 8, SymbolKind::BlockIdx, "block.x"},
  };
  const auto name = [](Symbol symbol) {
    return std::string(symbol.kind == SymbolKind::GlobalIdx  ? "global."
                       : symbol.kind == SymbolKind::BlockIdx ? "block."
                                                             : "other.") +
           "xyz"[symbol.index];
  };
  const TermTable terms;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Stage stage;
    stage.grid = {num(cases[i].grid), num(1), num(1)};
    stage.block = {num(cases[i].block), num(1), num(1)};
    const auto value = canonical(sym(cases[i].kind, 0), stage, terms);
    ASSERT_TRUE(value) << i;
    EXPECT_EQ(print(*value, name), cases[i].canonical) << i;
  }
}

TEST(Coordinates, WhatIsEqualOnlyToItselfIsUnknown) {
  // The value may differ between the two launches, so B[u] isn't the element
  // that was written.
  PlanBuilder builder;
  const ArrayId a = builder.array("A"), b = builder.array("B"),
                c = builder.array("C");
  const Polynomial u(builder.program().terms.unique());
  const Guard guard = {less(global(), param(0))};
  const KernelId kernel = builder.kernel(
      "k", 2, 1, {read(0, global() + u, guard), write(1, global() + u, guard)});
  const LaunchId first = builder.launch(kernel, {a, b}, {num(9)});
  const LaunchId second = builder.launch(kernel, {b, c}, {num(9)});
  EXPECT_EQ(builder.verdict({first, second}), "NonPolynomialIndex");
}

TEST(Coordinates, WhatFollowsFromBounds) {
  const Symbol n{SymbolKind::HostValue, 0};
  struct Case {
    Polynomial value; ///< a value that isn't negative
    bool isPositive;  ///< whether this implies that n is at least 1
  };
  const std::vector<Case> cases = {
      {Polynomial(n) - num(1), true},
      {num(2) * Polynomial(n) - num(1), true},
      {Polynomial(n), false},
      {Polynomial(n) + num(3), false},
      {num(0) - Polynomial(n), false},
      {num(0) - Polynomial(n) - num(1), false},
      {Polynomial(n) + sym(SymbolKind::HostValue, 1) - num(1), false},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    KnownFacts facts;
    assumeNonNegative(facts, cases[i].value);
    EXPECT_EQ(isPositive(facts, n), cases[i].isPositive) << i;
  }
  // An empty interval says nothing about other values.
  KnownFacts facts;
  assumeNonEmpty(facts, {{num(5)}, {num(3)}});
  EXPECT_FALSE(provesNonNegative(facts, global() - num(5)));
}

TEST(Coordinates, BareIndicesAreComparedWithOneNumber) {
  const auto isBare = [](const Constraint &constraint) {
    PlanBuilder builder;
    const ArrayId array = builder.array("A");
    const Polynomial n = builder.value("n"), m = builder.value("m");
    const LaunchId launch = builder.launch(
        builder.kernel("k", 1, 2, {write(0, global(), {constraint})}),
        std::vector<ArrayId>{array}, {n, m});
    builder.problem();
    const Stage stage =
        makeStage(builder.program(), launch, SymbolSpace::Launch);
    EXPECT_EQ(stage.accesses[0].guard.size(), 1U);
    return !stage.accesses[0].bare.empty();
  };
  const Polynomial i = global(), n = param(0);
  EXPECT_TRUE(isBare(less(i, n)));
  EXPECT_TRUE(isBare(less(i + num(1), n)));
  EXPECT_TRUE(isBare(less(i, num(1 << 30))));
  EXPECT_TRUE(isBare(equal(n, i)));
  EXPECT_FALSE(isBare(less(i, n - param(1)))); // may be i + m < n
  EXPECT_FALSE(isBare(less(i + num(1 << 30), n)));
  EXPECT_FALSE(isBare(less(num(2) * i, n)));
  EXPECT_FALSE(isBare(atLeast(i, n)));
  EXPECT_FALSE(isBare(less(i + counter(0), n)));
}

TEST(Coordinates, NumbersThatMayDifferBoundNobody) {
  PlanBuilder builder;
  const Polynomial loaded(builder.program().terms.unique());
  const LaunchId launch = builder.launch(
      builder.kernel("k", 1, 0, {write(0, global(), {less(global(), loaded)})}),
      std::vector<ArrayId>{builder.array("A")}, {});
  builder.problem();
  EXPECT_TRUE(makeStage(builder.program(), launch, SymbolSpace::Launch)
                  .accesses[0]
                  .bare.empty());
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

TEST(CoordinateExtents, ConstantsOfSizes) {
  EXPECT_EQ(constantOf(num(0)), 0.0);
  EXPECT_EQ(constantOf(num(7)), 7.0);
  EXPECT_EQ(constantOf(num(-1)), std::nullopt);
  EXPECT_EQ(constantOf(param(0)), std::nullopt);
}

TEST(CoordinateExtents, TermsOfCoordinates) {
  TermTable terms;
  const auto quotient = [&](const Polynomial &value) {
    return terms.intern({TermKind::Divide, 0, {value, num(4)}});
  };
  EXPECT_TRUE(isTermOfCoordinates(quotient(global()), terms));
  EXPECT_TRUE(isTermOfCoordinates(
      quotient(Polynomial(quotient(thread(1))) + param(0)), terms));
  EXPECT_FALSE(isTermOfCoordinates(quotient(param(0)), terms));
  EXPECT_FALSE(isTermOfCoordinates({SymbolKind::GlobalIdx, 0}, terms));
  EXPECT_TRUE(isCoordinate({SymbolKind::GlobalIdx, 2}));
  EXPECT_FALSE(isCoordinate({SymbolKind::GlobalIdx, 3}));
  EXPECT_FALSE(isCoordinate({SymbolKind::GridDim, 0}));
}

TEST(CoordinateExtents, WhatLeadsAroundAnEdge) {
  TermTable terms;
  Extents extents;
  extents.block = {128, 1, 1};
  extents.grid = {8, 1, 1};
  const auto term = [&](TermKind kind, const Polynomial &divisor) {
    return Polynomial(terms.intern({kind, 0, {global() + num(1), divisor}}));
  };
  const Polynomial around = term(TermKind::Remainder, num(1024)),
                   aroundAny = term(TermKind::Remainder, param(0)),
                   again = term(TermKind::Remainder, num(32)),
                   row = term(TermKind::Divide, num(1024));
  EXPECT_EQ(unwrapped(num(3) * around + param(1), extents, terms),
            num(3) * (global() + num(1)) + param(1));
  EXPECT_EQ(unwrapped(aroundAny, extents, terms), global() + num(1));
  // Most threads wrap around to elements of other threads.
  EXPECT_EQ(unwrapped(again, extents, terms), again);
  EXPECT_EQ(unwrapped(row, extents, terms), row);
}

} // namespace
} // namespace kfuse
