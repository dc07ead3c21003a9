//===- DivisionTest.cpp - Polynomials divided by sums ---------------------===//

#include "PlanBuilder.h"

#include "fusion/dependence/Division.h"

#include <gtest/gtest.h>

#include <random>

namespace kfuse {
namespace {

using namespace test;

const Polynomial a = sym(SymbolKind::HostValue, 0),
                 b = sym(SymbolKind::HostValue, 1),
                 c = sym(SymbolKind::HostValue, 2);

TEST(Division, ProductsOfSums) {
  const Polynomial row = a + num(2), rows = b + num(2);
  const auto all = divideBySum(row * rows, row);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->quotient, rows);
  EXPECT_TRUE(all->rest.isZero());
  // The begin of the second row's interior.
  const auto first = divideBySum(row + num(1), row);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->quotient, num(1));
  EXPECT_EQ(first->rest, num(1));
  const auto shorter = divideBySum(a * rows, row);
  ASSERT_TRUE(shorter);
  EXPECT_FALSE(shorter->rest.isZero());
}

TEST(Division, IsExact) {
  std::mt19937 random(1);
  const auto below = [&](unsigned bound) {
    return static_cast<std::int64_t>(random() % bound);
  };
  const auto any = [&] {
    Polynomial sum;
    for (int term = 0; term < 4; ++term) {
      Polynomial product = num(below(7) - 3);
      for (const Polynomial &symbol : {a, b, c})
        if (below(2) == 0)
          product = product * symbol;
      sum = sum + product;
    }
    return sum;
  };
  for (int i = 0; i < 1000; ++i) {
    const Polynomial dividend = any(), divisor = any();
    if (const auto division = divideBySum(dividend, divisor)) {
      EXPECT_EQ(division->quotient * divisor + division->rest, dividend);
    }
    const auto product = divideBySum(dividend * divisor, divisor);
    if (product && divisor.terms().size() > 1) {
      EXPECT_EQ(product->quotient, dividend);
    }
  }
}

} // namespace
} // namespace kfuse
