//===- tests/unit/graphs/TermTests.cpp - Terms that share subterms --------===//

#include "graphs/Polynomial.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

TEST(Terms, AreLookedIntoOnce) {
  TermTable terms;
  const Polynomial start(Symbol{SymbolKind::ThreadIdx, 0});
  Polynomial value = start;
  // A random number: each step mentions the one before twice.
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

} // namespace
} // namespace kfuse
