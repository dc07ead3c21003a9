//===- DivideTests.cpp - Quotients of polynomials -------------------------===//

#include "graphs/program/Polynomial.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace kfuse {
namespace {

const Polynomial X(Symbol{SymbolKind::HostValue, 0});
const Polynomial Y(Symbol{SymbolKind::HostValue, 1});

Polynomial num(std::int64_t value) { return Polynomial(value); }
Polynomial operator+(const Polynomial &a, const Polynomial &b) {
  return *add(a, b);
}
Polynomial operator*(const Polynomial &a, const Polynomial &b) {
  return *multiply(a, b);
}

TEST(Divide, UndoesMultiplication) {
  const Polynomial some[] = {
      num(1),     num(-3),           num(-1),        X, Y, X * Y,
      X + num(2), X * X + X * Y + Y, Y + num(-2) * X};
  for (const Polynomial &a : some)
    for (const Polynomial &b : some)
      EXPECT_EQ(divideExactly(a * b, b), a) << print(a) << " by " << print(b);
  EXPECT_EQ(divideExactly(Polynomial{}, X), Polynomial{});
}

TEST(Divide, LeavesNoRemainder) {
  EXPECT_FALSE(divideExactly(X, Polynomial{}));
  EXPECT_FALSE(divideExactly(X, Y));
  EXPECT_FALSE(divideExactly(X, X * X));
  EXPECT_FALSE(divideExactly(X + num(1), X));
  EXPECT_FALSE(divideExactly(num(3) * X, num(2)));
  EXPECT_FALSE(divideExactly(num(7), num(3)));
  EXPECT_FALSE(divideExactly(X * Y + num(1), X + num(1)));
  EXPECT_FALSE(
      divideExactly(num(std::numeric_limits<std::int64_t>::min()), num(-1)));
}

} // namespace
} // namespace kfuse
