//===- BoundsTest.cpp - Proofs about indices ------------------------------===//
//
// Tests proofs about single accesses: signs, ends, and one thread per element.
// Each table has statements that must be proved and similar ones that must not
// be.
//
//===----------------------------------------------------------------------===//

#include "World.h"

#include "fusion/dependence/Injective.h"
#include "fusion/dependence/Intervals.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

using namespace test;

TEST(KnownFacts, AreTakenAsOftenAsTheyAreNeeded) {
  const Polynomial sum = N + M, k = counter(0);
  struct Case {
    std::vector<Polynomial> facts;
    Polynomial asked;
    bool isProved;
  };
  const Case cases[] = {
      {{sum - num(1)}, sum * num(3), true},
      {{sum - num(1)}, sum * num(3) - num(3), true},
      {{sum - num(1)}, sum * num(3) - num(4), false},
      {{sum - num(1)}, N * num(3) + M * num(2), false},
      {{sum * num(2) - num(5)}, sum, true},
      {{sum * num(2) - num(5)}, sum - num(3), false}, // true of integers only
      {{N - num(1), M - N}, M, true},
      {{N - num(1), M - N}, M * num(2) + N * num(3) - num(5), true},
      {{N - num(1), M - N}, M * num(2) + N * num(3) - num(6), false},
      {{N - M}, M - N, false},
      // k < n and n <= m: a row of m elements has room for the k-th one.
      {{N - k - num(1), M - N}, M - k - num(1), true},
      {{N - k - num(1), M - N}, M - k - num(2), false},
      {{N - k - num(1)}, N * Size - k * Size - Size, true},
      {{N - k - num(1)}, N * M - k * M - M, false}, // m may be negative
      {{num(-1) - N}, N * N - num(1), false},
  };
  for (const Case &row : cases) {
    KnownFacts facts = World().facts();
    const World world;
    facts.terms = &world.terms;
    facts.values = &world.values;
    facts.notNegative = row.facts;
    EXPECT_EQ(provesNonNegative(facts, row.asked), row.isProved)
        << print(row.asked);
  }
}

TEST(KnownFacts, QuotientsReachTheirDividend) {
  World world;
  const Polynomial blocks = world.quotient(N + num(255), num(256));
  const KnownFacts facts = world.facts();
  EXPECT_TRUE(provesNonNegative(facts, blocks * num(256) - N));
  EXPECT_FALSE(provesNonNegative(facts, blocks * num(256) - N - num(1)));
  EXPECT_FALSE(provesNonNegative(facts, N - blocks));
  const Polynomial lane = world.rest(thread(), num(32));
  EXPECT_TRUE(provesNonNegative(world.facts(), num(31) - lane));
  EXPECT_FALSE(provesNonNegative(world.facts(), num(30) - lane));
  EXPECT_FALSE(
      provesNonNegative(world.facts(), N - world.rest(thread(), N) - num(1)));
}

TEST(Intervals, GuardsOfSumsBoundSums) {
  const World world(8);
  const Polynomial step = counter(0) * num(256) + thread();
  const Guard sum = {less(G + Row, N)}, both = {less(G + counter(0) * M, N)};
  EXPECT_EQ(world.ends(G + Row, sum), "0..value0 - 1");
  EXPECT_EQ(world.ends(G + Row + num(3), sum), "3..value0 + 2");
  EXPECT_EQ(world.ends(num(4) * (G + Row), sum), "0..4*value0 - 4");
  EXPECT_EQ(world.ends(G * num(2) + Row, sum), "0..2*value0 - 2");
  EXPECT_EQ(world.ends(num(5) - G - Row, sum), "-value0 + 6..5");
  EXPECT_EQ(world.ends(G + counter(0) * M, both), "unknown"); // no lower bound
  EXPECT_EQ(world.ends(G + counter(0) * Size, {less(G + counter(0) * Size, N)}),
            "0..value0 - 1");
  EXPECT_EQ(world.ends(G + counter(0) * Size * num(2),
                       {less(G + counter(0) * Size, N)}),
            "0..2*value0 - 2");
  // These are reversed, or have a guard that says nothing about the sum.
  EXPECT_EQ(world.ends(G + counter(0), {atLeast(G + counter(0), N)}),
            "unknown");
  EXPECT_EQ(world.ends(G + counter(0), {less(G - counter(0), N)}), "unknown");
}

TEST(Intervals, RemaindersAndQuotientsHaveEnds) {
  World world;
  const Guard below = {less(G, N * M)};
  const auto rest = [&](const Polynomial &a, const Polynomial &b) {
    return world.ends(world.rest(a, b), below);
  };
  const auto quotient = [&](const Polynomial &a, const Polynomial &b) {
    return world.ends(world.quotient(a, b), below);
  };
  EXPECT_EQ(rest(Text, num(100)), "0..99");
  EXPECT_EQ(rest(Text, Size), "0..value2 - 1");
  EXPECT_EQ(rest(Text, N), "unknown"); // may be negative
  EXPECT_EQ(rest(Text, num(-5)), "unknown");
  EXPECT_EQ(rest(Text - num(7), num(100)), "-99..99");
  EXPECT_EQ(rest(N - Text, num(100)), "-99..99");
  EXPECT_EQ(quotient(Text, num(256)), "0..63");
  EXPECT_EQ(quotient(thread(), num(32)), "0..7");
  EXPECT_EQ(quotient(thread(), num(100)), "0..2");
  EXPECT_EQ(quotient(Text - num(7), num(100)), "unknown");
  EXPECT_EQ(quotient(Text, N), "unknown");
  const Polynomial row = world.quotient(Text, Size);
  EXPECT_EQ(world.ends(row, {less(G, Size * M)}), "0..value1 - 1");
  EXPECT_EQ(world.ends(row, {less(G, Size * M + num(1))}), "0..value1");
  EXPECT_EQ(world.ends(row, {less(row, N), atLeast(row, num(2))}),
            "2..value0 - 1");
  // In another shape the text's coordinates aren't those of the stage.
  world.stage.hasOwnTerms = false;
  EXPECT_EQ(world.ends(row, {less(G, Size * M)}), "unknown");
}

TEST(Injective, QuotientAndRemainderTellWhatWasDivided) {
  World world;
  const Polynomial row = world.quotient(Text, Size),
                   column = world.rest(Text, Size);
  const Polynomial line = world.quotient(Text, num(100)),
                   place = world.rest(Text, num(100));
  const Guard all = {less(G, Size * M)};
  EXPECT_TRUE(world.isInjective(line * num(100) + place));
  EXPECT_TRUE(world.isInjective(line * num(128) + place));
  EXPECT_FALSE(world.isInjective(line * num(99) + place));

  EXPECT_FALSE(world.isInjective(line * N + place));
  EXPECT_TRUE(world.isInjective(row * Size * num(2) + column));
  EXPECT_FALSE(world.isInjective(line));
  EXPECT_FALSE(world.isInjective(place));
  EXPECT_TRUE(world.isInjective(place, {less(G, num(100))}));
  EXPECT_FALSE(world.isInjective(place, {less(G, num(101))}));
  // This is transposed, so the end of the row must be known.
  EXPECT_TRUE(world.isInjective(place * num(164) + line));
  EXPECT_FALSE(world.isInjective(place * num(163) + line));
  EXPECT_TRUE(world.isInjective(column * M + row, all));
  EXPECT_FALSE(world.isInjective(column * M + row));
  EXPECT_FALSE(world.isInjective(column * (M - num(1)) + row, all));
  // These remainders don't belong to the quotient.
  EXPECT_FALSE(world.isInjective(line * num(128) + world.rest(Text, num(50))));
  EXPECT_FALSE(
      world.isInjective(line * num(128) + world.rest(Text + num(1), num(100))));
  world.stage.hasOwnTerms = false;
  EXPECT_FALSE(world.isInjective(line * num(128) + place));
}

TEST(Injective, DigitsNest) {
  World world;
  const Polynomial x = world.rest(Text, num(8));
  const Polynomial rows = world.quotient(Text, num(8));
  const Polynomial y = world.rest(rows, num(16));
  const Polynomial z = world.quotient(Text, num(128));
  EXPECT_TRUE(world.isInjective(x * num(4096) + y * num(256) + z));
  EXPECT_TRUE(world.isInjective(x * num(2048) + y * num(128) + z));
  EXPECT_FALSE(world.isInjective(x * num(2048) + y * num(127) + z));
  EXPECT_FALSE(world.isInjective(x * num(4096) + z));
  EXPECT_FALSE(world.isInjective(x * num(4096) +
                                 world.rest(rows, num(15)) * num(256) + z));
}

TEST(Injective, GuardsFixDigits) {
  World world;
  const Polynomial warp = world.quotient(thread(), num(32)),
                   lane = world.rest(thread(), num(32));
  const Polynomial index = block() * num(8) + warp;
  EXPECT_TRUE(world.isInjective(index, {equal(lane, num(0))}));
  EXPECT_TRUE(world.isInjective(index, {equal(lane, num(31))}));
  EXPECT_FALSE(world.isInjective(index));
  EXPECT_FALSE(world.isInjective(index, {less(lane, num(2))}));
  EXPECT_FALSE(
      world.isInjective(block() * num(7) + warp, {equal(lane, num(0))}));
  EXPECT_FALSE(
      world.isInjective(index, {equal(world.rest(thread(), num(16)), num(0))}));
  EXPECT_FALSE(world.isInjective(warp, {equal(lane, num(0))}));
}

TEST(Injective, SumsBoundPlaces) {
  const World world(8);
  EXPECT_TRUE(world.isInjective(Row * N + G, {less(G + Row, N)}));
  EXPECT_FALSE(world.isInjective(Row * N + G, {less(G - Row, N)}));
  EXPECT_FALSE(world.isInjective(Row * N + G, {less(G + Row, N + num(2))}));
  EXPECT_FALSE(world.isInjective(Row + G, {less(G + Row, N)}));
}

} // namespace
} // namespace kfuse
