//===- QuotientsTest.cpp - Quotients and remainders -----------------------===//

#include "PlanBuilder.h"

#include "fusion/dependence/Injective.h"
#include "fusion/dependence/Quotients.h"
#include "fusion/dependence/Recombination.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

using namespace test;

constexpr std::int64_t Large = std::int64_t{1} << 40;

/// Builds terms of values a and b, which needn't be positive, and a divisor d.
/// There are 64 blocks of 256 threads.
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
    KnownFacts facts;
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
  // These are nested: (a/b)/d and (a/b)%d.
  EXPECT_TRUE(isWhole([](Divisions &v) {
    const Polynomial row = v.over(v.a, v.b);
    return v.d * v.over(row, v.d) + v.rest(row, v.d);
  }));
  // (a%b)%d doesn't belong to (a/b)/d.
  EXPECT_FALSE(isWhole([](Divisions &v) {
    return v.d * v.over(v.over(v.a, v.b), v.d) + v.rest(v.rest(v.a, v.b), v.d);
  }));
  // These divide another number, or are other terms of the same one.
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
  // Symbols are numbered separately for each kind: threadIdx.x and threadIdx.y
  // aren't the terms 0 and 1.
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
  // The product of the two divisors is too large, so it says nothing about the
  // dividends.
  const Polynomial nested = large * v.over(v.over(v.b, large), large) +
                            v.rest(v.over(v.a, large), large);
  EXPECT_EQ(recombine(nested, v.terms), nested);
  // The dividend, or the factor of the quotient, is too large.
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
  // Each thread may have a different number.
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
  // The blocks begin within a quotient, run backwards, or begin below 0.
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
  // In another shape the text's block isn't that of the stage.
  EXPECT_EQ(apart([](Stage &stage) { stage.hasOwnTerms = false; }), same);
  // A single block, or a single thread per block, has no symbol for the block.
  EXPECT_EQ(apart([](Stage &stage) { stage.grid[0] = num(1); }), same);
  EXPECT_EQ(apart([](Stage &stage) { stage.block[0] = num(1); }), same);
}

} // namespace
} // namespace kfuse
