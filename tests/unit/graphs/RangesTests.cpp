//===- RangesTests.cpp - Ranges of polynomials ----------------------------===//

#include "graphs/program/Ranges.h"

#include <gtest/gtest.h>

#include <vector>

using namespace kfuse;

namespace {

using Number = std::int64_t;

Polynomial coordinate(SymbolKind kind, std::uint32_t axis = 0) {
  return Polynomial(Symbol{kind, axis});
}
Polynomial plus(const Polynomial &lhs, const Polynomial &rhs) {
  return *add(lhs, rhs);
}
Polynomial minus(const Polynomial &lhs, const Polynomial &rhs) {
  return *subtract(lhs, rhs);
}
Polynomial times(const Polynomial &lhs, const Polynomial &rhs) {
  return *multiply(lhs, rhs);
}
Polynomial number(Number value) { return Polynomial(value); }

constexpr IntegerType Unsigned{32, true}, Signed{32, false}, Byte{8, true};
constexpr Number Most32 = 4294967295, MostInt = 2147483647;

/// Defines parameters 0, 1 and 2 as an unsigned, an int and an unsigned char.
class RangesTest : public testing::Test {
protected:
  Polynomial term(TermKind kind, Polynomial lhs, Polynomial rhs) {
    return Polynomial(
        Terms.intern({kind, 0, {std::move(lhs), std::move(rhs)}}));
  }
  Polynomial narrow(Number detail, Polynomial value) {
    return Polynomial(
        Terms.intern({TermKind::Narrow, detail, {std::move(value)}}));
  }
  NumberRange of(const Polynomial &value, const Guard &guard = {}) {
    Ranges ranges(Terms, [](Symbol symbol) {
      if (symbol.kind == SymbolKind::Parameter)
        return rangeOf(std::vector{Unsigned, Signed, Byte}[symbol.index]);
      return rangeOfCoordinate(symbol, /*isOpenCl=*/false)
          .value_or(anyNumber());
    });
    return ranges.of(value, guard);
  }
  static Guard atLeastZero(const Polynomial &value) {
    return {{Relation::NonNegative, value}};
  }

  const Polynomial u = coordinate(SymbolKind::Parameter, 0);
  const Polynomial s = coordinate(SymbolKind::Parameter, 1);
  const Polynomial c = coordinate(SymbolKind::Parameter, 2);
  const Polynomial t = coordinate(SymbolKind::ThreadIdx);
  const Polynomial b = coordinate(SymbolKind::BlockIdx);
  const Polynomial size = coordinate(SymbolKind::BlockDim);
  const Polynomial index = plus(times(b, size), t);
  TermTable Terms;
};

TEST_F(RangesTest, FollowsTypesAndLaunchLimits) {
  struct Case {
    Polynomial value;
    Number least, most;
  };
  const Case cases[] = {
      {number(7), 7, 7},
      {u, 0, Most32},
      {s, -MostInt - 1, MostInt},
      {t, 0, 1023},
      {coordinate(SymbolKind::BlockIdx, 1), 0, 65534},
      {index, 0, MostInt - 1},
      {times(coordinate(SymbolKind::GridDim), size), 1, MostInt},
      {plus(times(index, number(2)), number(1)), 1, 2 * (MostInt - 1) + 1},
      {minus(number(255), c), 0, 255},
      {times(c, c), 0, 255 * 255},
      {times(s, s), 0, (MostInt + 1) * (MostInt + 1)},
      {term(TermKind::Divide, u, number(16)), 0, Most32 / 16},
      {term(TermKind::Divide, s, number(2)), -(MostInt + 1) / 2, MostInt / 2},
      {term(TermKind::Remainder, u, number(10)), 0, 9},
      {term(TermKind::Remainder, s, number(10)), -9, 9},
      {term(TermKind::Remainder, c, number(1000)), 0, 255},
      {term(TermKind::BitAnd, s, c), 0, 255},
      {term(TermKind::BitXor, c, number(256)), 0, 511},
      {term(TermKind::ShiftRight, number(-8), number(2)), -8, -1},
      {term(TermKind::Minimum, u, number(3)), 0, 3},
      {term(TermKind::Maximum, s, number(3)), 3, MostInt},
      {narrow(8, u), 0, 255},
      {narrow(-8, u), -128, 127},
      {narrow(16, c), 0, 255},
  };
  for (const Case &each : cases) {
    const NumberRange range = of(each.value);
    EXPECT_EQ(static_cast<Number>(range.least), each.least)
        << print(each.value);
    EXPECT_EQ(static_cast<Number>(range.most), each.most) << print(each.value);
  }
}

TEST_F(RangesTest, KnowsQuotientsTimesTheirDivisors) {
  const Polynomial blocks =
      term(TermKind::Divide, plus(c, minus(u, number(0))), u);
  EXPECT_EQ(static_cast<Number>(of(times(blocks, u)).most), Most32 + 255);
}

TEST_F(RangesTest, TakesGuardsIntoAccount) {
  // The guard is i < c.
  const Guard below = atLeastZero(minus(minus(c, number(1)), index));
  EXPECT_EQ(static_cast<Number>(of(index, below).most), 254);
  EXPECT_EQ(static_cast<Number>(of(times(index, number(3)), below).most), 762);
  EXPECT_EQ(static_cast<Number>(of(minus(c, index), below).least), 1);
  // The guard is 2*s <= 9 and s >= 1.
  const Guard both = {
      {Relation::NonNegative, minus(number(9), times(s, number(2)))},
      {Relation::NonNegative, minus(s, number(1))}};
  EXPECT_EQ(static_cast<Number>(of(s, both).most), 4);
  EXPECT_EQ(static_cast<Number>(of(s, both).least), 1);
  const Guard equal = {{Relation::Zero, minus(s, number(5))}};
  EXPECT_EQ(of(s, equal), (NumberRange{5, 5}));
  const Guard unequal = {{Relation::NonZero, minus(s, number(5))}};
  EXPECT_EQ(static_cast<Number>(of(s, unequal).most), MostInt);
}

TEST_F(RangesTest, NeverOverflows) {
  Polynomial huge = number(INT64_MAX);
  for (int i = 0; i < 3; ++i)
    huge = times(huge, u);
  EXPECT_FALSE(contains(rangeOf({64, true}), of(huge)));
  EXPECT_TRUE(contains(anyNumber(), of(huge)));
  EXPECT_FALSE(contains(rangeOf({64, false}), of(times(u, u))));
  EXPECT_TRUE(contains(rangeOf({64, true}), of(times(u, u))));
}

TEST_F(RangesTest, LooksIntoSharedTermsOnce) {
  Polynomial deep = index;
  for (int i = 0; i < 200; ++i)
    deep = term(TermKind::BitXor, deep,
                term(TermKind::ShiftRight, deep, number(1)));
  EXPECT_EQ(static_cast<Number>(of(deep).least), 0);
  EXPECT_EQ(static_cast<Number>(of(deep).most), MostInt);
}

} // namespace
