//===- TermTests.cpp - Terms that share subterms --------------------------===//

#include "graphs/program/Polynomial.h"
#include "graphs/program/Terms.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

TEST(Terms, AreLookedIntoOnce) {
  TermTable terms;
  const Polynomial start(Symbol{SymbolKind::ThreadIdx, 0});
  Polynomial value = start;
  // This is a random number: each step mentions the previous one twice.
  for (int step = 0; step < 100; ++step) {
    const Polynomial shifted(
        terms.intern({TermKind::ShiftRight, 0, {value, Polynomial(5)}}));
    value = Polynomial(terms.intern({TermKind::BitXor, 0, {value, shifted}}));
  }
  EXPECT_TRUE(dependsOn(value, SymbolKind::ThreadIdx, terms));
  EXPECT_FALSE(dependsOn(value, SymbolKind::BlockIdx, terms));
  EXPECT_FALSE(terms.hasUnique(*value.asSymbol()));
  EXPECT_EQ(symbolsDeep(value, terms).size(), 201u);
  const Polynomial other(
      terms.intern({TermKind::BitAnd, 0, {value, Polynomial(terms.unique())}}));
  EXPECT_TRUE(terms.hasUnique(*other.asSymbol()));
}

TEST(Terms, AreReplacedOnce) {
  TermTable terms;
  const Polynomial start(Symbol{SymbolKind::ThreadIdx, 0});
  Polynomial value = start;
  for (int step = 0; step < 60; ++step)
    value = Polynomial(terms.intern(
        {TermKind::BitXor, 0, {value, *add(value, Polynomial(step + 1))}}));
  std::size_t asked = 0;
  DeepSubstitution substitution(terms, [&](Symbol symbol) {
    ++asked;
    return symbol == *start.asSymbol() ? std::optional(Polynomial(7))
                                       : std::nullopt;
  });
  // Only constants remain, and they are folded.
  const std::optional<Polynomial> number = substitution(value);
  ASSERT_TRUE(number);
  EXPECT_TRUE(number->asConstant());
  EXPECT_EQ(substitution(value), number);
  EXPECT_EQ(asked, 61u);
}

TEST(Terms, OfWhichSomethingFailsFailAgain) {
  TermTable terms;
  const Polynomial factor(Symbol{SymbolKind::ThreadIdx, 0});
  const std::int64_t large = std::int64_t{1} << 40;
  const Polynomial inner(terms.intern(
      {TermKind::BitXor, 0, {*multiply(factor, Polynomial(large)), factor}}));
  const Polynomial outer(
      terms.intern({TermKind::BitAnd, 0, {inner, Polynomial(3)}}));
  DeepSubstitution substitution(terms, [&](Symbol symbol) {
    return symbol == *factor.asSymbol() ? std::optional(Polynomial(large))
                                        : std::nullopt;
  });
  EXPECT_FALSE(substitution(outer));
  EXPECT_FALSE(substitution(outer));
  EXPECT_FALSE(substitution(inner));
  EXPECT_EQ(substitution(factor), Polynomial(large));
}

TEST(Terms, HaveALengthWhenTheyAreWrittenOut) {
  TermTable terms;
  Polynomial value(Symbol{SymbolKind::ThreadIdx, 0});
  EXPECT_FALSE(isLongerThan(1, value, terms));
  EXPECT_TRUE(isLongerThan(0, value, terms));
  for (int step = 0; step < 200; ++step)
    value = Polynomial(terms.intern(
        {TermKind::BitXor, 0, {value, *add(value, Polynomial(1))}}));
  EXPECT_TRUE(isLongerThan(1000000, value, terms));
}

TEST(Polynomials, HaveALimit) {
  const Polynomial other(Symbol{SymbolKind::BlockIdx, 0});
  std::optional<Polynomial> value(Polynomial(Symbol{SymbolKind::ThreadIdx, 0}));
  int steps = 0;
  // Each square doubles the degree.
  for (; value && steps < 100; ++steps) {
    value = multiply(*value, *value);
    value = value ? add(*value, other) : value;
    EXPECT_TRUE(!value || value->terms().size() <= Polynomial::MostTerms);
  }
  EXPECT_LT(steps, 10);
  std::optional<Polynomial> sum(Polynomial{});
  for (std::uint32_t i = 0; sum && i < 2 * Polynomial::MostTerms; ++i)
    sum = add(*sum, Polynomial(Symbol{SymbolKind::HostValue, i}));
  EXPECT_FALSE(sum);
}

} // namespace
} // namespace kfuse
