//===- KnownFactsTest.cpp - Facts known about values ----------------------===//

#include "World.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

using namespace test;

TEST(KnownFacts, TablesMayBeMissingOrShort) {
  const Polynomial term = sym(SymbolKind::Opaque, 0);
  const TermTable noTerms;
  const std::vector<HostValue> noValues;
  KnownFacts none, empty;
  empty.terms = &noTerms;
  empty.values = &noValues;
  for (const KnownFacts &facts : {none, empty})
    for (const Polynomial &asked :
         {N, term, num(3) - N, num(3) - term, term * N, term - num(1)})
      EXPECT_FALSE(provesNonNegative(facts, asked)) << print(asked);
}

TEST(KnownFacts, TermsThatLackOperandsTellNothing) {
  World world;
  for (const TermKind kind :
       {TermKind::Divide, TermKind::Remainder, TermKind::Minimum,
        TermKind::Maximum, TermKind::ShiftRight, TermKind::BitAnd}) {
    SCOPED_TRACE(static_cast<int>(kind));
    const Polynomial term = world.term(kind, {});
    EXPECT_FALSE(provesNonNegative(world.facts(), term));
    EXPECT_FALSE(provesPositive(world.facts(), term));
    EXPECT_FALSE(provesNonNegative(world.facts(), num(3) - term));
  }
  EXPECT_FALSE(
      provesNonNegative(world.facts(), world.term(TermKind::Select, {num(1)})));
}

TEST(KnownFacts, TermsOfTheTextAreNotOfTheGroup) {
  World world;
  // The polynomial's block is that of the group, but the term's block is that
  // of the text.
  const Polynomial excess =
      world.quotient(Text, num(32)) * num(32) + num(31) - Text;
  EXPECT_FALSE(provesNonNegative(world.facts(), excess));
  const Polynomial size = world.quotient(N, num(32)) * num(32) + num(31) - N;
  EXPECT_TRUE(provesNonNegative(world.facts(), size));
}

TEST(KnownFacts, OthersTakeNoSteps) {
  const World world;
  // A size is at least m, which is at least the thread's index. These facts
  // come after many others about other values, and about sums with the thread's
  // index.
  for (const bool isSum : {false, true}) {
    SCOPED_TRACE(isSum);
    KnownFacts facts = world.facts();
    for (std::uint32_t i = 3; i < 40; ++i)
      facts.notNegative.push_back(isSum ? value(i) + G : value(i) - num(2));
    facts.notNegative.push_back(Size - M);
    facts.notNegative.push_back(M - G);
    EXPECT_TRUE(provesNonNegative(facts, Size - G));
    EXPECT_FALSE(provesNonNegative(facts, M - Size));
  }
}

//===----------------------------------------------------------------------===//
// Bounds, intervals, one thread for each element
//===----------------------------------------------------------------------===//

TEST(Intervals, InnerGuardsComeFirst) {
  const World world;
  // Inner guards are usually the tighter ones.
  EXPECT_EQ(world.ends(G, {atLeast(G, N), less(G, N), atLeast(G, M),
                           less(G, M + num(9))}),
            "value1..value1 + 8");
}

TEST(Intervals, ProductsOfCoordinatesHaveNone) {
  const World world(8);
  EXPECT_EQ(world.ends(G * Row), "unknown");
  // Thread (1, 1) conflicts with thread (8, 0).
  EXPECT_FALSE(
      world.areApart(world.at(G * Row, {less(G, num(8))}),
                     world.at(G * Row + num(1), {atLeast(G, num(8))})));
}

TEST(Intervals, WhatNeverRunsMeetsNothing) {
  const World world(8);
  const StageAccess all = world.at(G);
  const StageAccess none = world.at(G, {atLeast(Row, num(8))});
  const StageAccess some = world.at(G, {atLeast(Row, num(7))});
  EXPECT_TRUE(world.areApart(none, all));
  EXPECT_TRUE(world.areApart(all, none));
  EXPECT_FALSE(world.areApart(some, all));
  EXPECT_FALSE(world.areApart(all, some));
}

TEST(Intervals, SpansEndWhereTheHostCanTell) {
  World world;
  const Polynomial k = counter(0);
  const auto span = [&](const Polynomial &index, const Polynomial &end) {
    return spanOf(world.at(index, {less(k, end)}), world.stage, world.facts());
  };
  const Polynomial half = world.quotient(param(0), num(2));
  ASSERT_TRUE(span(k, param(0)));
  EXPECT_EQ(span(k, param(0))->high, std::vector{param(0) - num(1)});
  ASSERT_TRUE(span(num(0) - k, param(0)));
  EXPECT_FALSE(span(k, half));
  EXPECT_FALSE(span(num(0) - k, half));
  world.access.elementBytes = 0; // the size in bytes isn't known
  EXPECT_FALSE(span(k, param(0)));
}

TEST(Injective, StridesThatVaryTellNobodyApart) {
  const World world(8);
  EXPECT_TRUE(world.isInjective(num(8) * G + Row));
  // Row 4 of thread 1 and row 0 of thread 2 both have the index 16.
  EXPECT_FALSE(world.isInjective((num(8) + Row) * G + Row));
}

TEST(Injective, GuardsOfSumsBoundWhatIsBelow) {
  const World world(8);
  const Polynomial k = counter(0);
  // Elements of a thread are a block apart, in rows of N.
  const Polynomial column = thread() + num(256) * k + num(1024) * block();
  const auto isInjective = [&](std::int64_t elements, const Polynomial &end) {
    return world.isInjective(column + N * Row,
                             {less(k, num(elements)), less(column, end)});
  };
  EXPECT_TRUE(isInjective(4, N));
  EXPECT_TRUE(isInjective(3, N - num(1)));
  // Column N of a row is column 0 of the next.
  EXPECT_FALSE(isInjective(4, N + num(1)));
  // The fifth element of a block is the first one of the next.
  EXPECT_FALSE(isInjective(5, N));
  EXPECT_FALSE(world.isInjective(column + N * Row, {less(k, num(4))}));
}

TEST(Injective, OnlyNumbersFromZeroAreTheirOwnRemainder) {
  World world;
  // The value is below the divisor, but 800 and 900 both give 0.
  const Polynomial place = world.rest(Text - num(1000), num(100));
  EXPECT_FALSE(world.isInjective(place, {less(G, num(1050))}));
  EXPECT_TRUE(
      world.isInjective(place, {less(G, num(1050)), atLeast(G, num(1000))}));
  // Thread 105 of one stage conflicts with thread 5 of the other.
  const Polynomial rest = world.rest(Text, num(100));
  const Guard all, below = {less(G, num(100))};
  const Domain whole{world.stage, all}, begin{world.stage, below};
  EXPECT_FALSE(tellsThreadsApart(rest, whole, begin, world.facts()));
  EXPECT_FALSE(tellsThreadsApart(rest, begin, whole, world.facts()));
  EXPECT_TRUE(tellsThreadsApart(rest, begin, begin, world.facts()));
}

TEST(Injective, OnlyTheHostsValuesCanBeMissing) {
  World world(8, 8);
  const Polynomial threads = num(64 * 256);
  const auto missing = [&](const Polynomial &index, const Guard &guard = {}) {
    return missingRoom(index, {world.stage, guard}, world.facts());
  };
  using Rooms = std::vector<Polynomial>;
  const Polynomial row = param(0), plane = param(1);
  EXPECT_EQ(missing(G + row * Row + plane * Plane),
            (Rooms{row - threads, plane - num(8) * row}));
  // The host computes quotients, too.
  const Polynomial half = world.quotient(param(2), num(2));
  EXPECT_EQ(missing(G + row * Row + plane * Plane, {less(G, half)}),
            (Rooms{row - half, plane - num(8) * row}));
  EXPECT_EQ(missing(G + row * Row + half * Plane),
            (Rooms{row - threads, half - num(8) * row}));
}

} // namespace
} // namespace kfuse
