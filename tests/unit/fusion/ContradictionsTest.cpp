//===- ContradictionsTest.cpp - Contradictory statements ------------------===//
//
// Tests statements about sizes that exclude each other, and similar ones that
// don't.
//
//===----------------------------------------------------------------------===//

#include "World.h"

#include "fusion/dependence/Contradictions.h"
#include "fusion/dependence/Inequalities.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

namespace kfuse {
namespace {

using namespace test;

Constraint same(const Polynomial &lhs, const Polynomial &rhs) {
  return equal(lhs, rhs);
}
Constraint differ(const Polynomial &lhs, const Polynomial &rhs) {
  return {Relation::NonZero, lhs - rhs};
}
Constraint holds(const Polynomial &truth) { return {Relation::NonZero, truth}; }
Constraint fails(const Polynomial &truth) { return {Relation::Zero, truth}; }

TEST(Inequalities, AreOfIntegers) {
  struct Case {
    std::vector<Polynomial> sums;
    bool isImpossible;
  };
  const Case cases[] = {
      {{}, false},
      {{num(0)}, false},
      {{num(-1)}, true},
      {{N - M, M - N}, false},
      {{N - M, M - N - num(1)}, true},
      {{N - M - num(1), M - Size, Size - N}, true},
      {{N - M, M - Size, Size - N}, false},
      // This is 2n == 2m + 1; then n is between a half and three quarters.
      {{num(2) * N - num(2) * M - num(1), num(2) * M - num(2) * N + num(1)},
       true},
      {{num(4) * N - num(2), num(3) - num(4) * N}, true},
      {{num(4) * N - num(2), num(4) - num(4) * N}, false},
      // A product counts as a variable of its own.
      {{N * M - num(3), num(2) - N * M}, true},
      {{N * M - num(3), num(3) - N * M}, false},
  };
  for (const Case &each : cases)
    EXPECT_EQ(haveNoSolution(each.sums), each.isImpossible)
        << ::testing::PrintToString(&each - cases);
}

TEST(Inequalities, OfMoreThanFitsSayNothing) {
  const Polynomial huge = num(INT64_MAX) * N;
  EXPECT_FALSE(haveNoSolution({huge - M, M - huge, num(3) * M - huge}));
  EXPECT_FALSE(haveNoSolution({num(INT64_MIN) * N - M, M - num(1)}));
  // Systems with too many sums for the time limit aren't decided either.
  std::vector<Polynomial> many;
  for (std::uint32_t i = 0; i < 40; ++i)
    for (std::uint32_t j = 0; j < 40; ++j)
      if (i != j)
        many.push_back(value(i) - num(i + 2) * value(j) + num(j));
  EXPECT_FALSE(haveNoSolution(many)); // terminates
  many.clear();
  for (std::uint32_t i = 0; i < 200; ++i)
    many.push_back(value(i) - num(i));
  EXPECT_FALSE(haveNoSolution(many));
}

TEST(Contradictions, OfSizes) {
  World world;
  const Polynomial blocks = world.quotient(N + num(255), num(256));
  const Polynomial whole = world.quotient(N, num(256));
  const Polynomial least = world.term(TermKind::Minimum, {N, M});
  const Polynomial most = world.term(TermKind::Maximum, {N, M});
  const Polynomial even =
      world.term(TermKind::BitAnd, {num(~std::int64_t{255}), N});
  const Polynomial half = world.term(TermKind::ShiftRight, {N, num(1)});
  const Polynomial narrow = world.term(TermKind::Narrow, {N}, 32);
  const Polynomial next = world.term(TermKind::Narrow, {N + num(1)}, 32);
  const Polynomial afterNext =
      world.term(TermKind::Narrow, {next + num(1)}, -16);
  const Polynomial isLess = world.term(TermKind::Compare, {N, M}, 2);
  const Polynomial either =
      world.term(TermKind::Select, {isLess, num(128), num(512)});
  const Polynomial both =
      world.term(TermKind::Select,
                 {isLess, world.term(TermKind::Compare, {M, Size}, 2), num(0)});
  const Polynomial byM = world.quotient(N + M - num(1), M);
  struct Case {
    Guard statements;
    bool isContradiction;
  };
  const Case cases[] = {
      {{atLeast(N - num(1), N)}, true},
      {{atLeast(N, N)}, false},
      {{same(M, num(256)), same(M, num(1024))}, true},
      {{same(M, N), same(M, num(1024)), same(N, num(256))}, true},
      {{same(M, N), same(M, num(1024)), atLeast(num(1023), N)}, true},
      {{same(M, N), same(M, num(1024)), atLeast(num(1024), N)}, false},
      {{atLeast(num(1000), N), atLeast(N, num(2000))}, true},
      {{atLeast(num(2000), N), atLeast(N, num(1000))}, false},
      {{same(num(2) * N, num(2) * M + num(1))}, true},
      {{differ(N, M), atLeast(N, M), atLeast(M, N)}, true},
      {{differ(N, M), atLeast(N, M)}, false},
      {{unknown(), unknown()}, false},
      // (n + 255) / 256 blocks of 256 threads have a thread for each of n
      // elements.
      {{less(blocks * num(256), N)}, true},
      {{less(blocks * num(256), N + num(1))}, false},
      {{less(N + num(255), blocks * num(256)), atLeast(N, num(0))}, true},
      // n / 256 blocks never have more than n threads if n isn't negative.
      {{less(N, whole * num(256)), atLeast(N, num(0))}, true},
      {{less(N, whole * num(256))}, false},
      {{less(whole * num(256), N), same(N, num(1024))}, true},
      {{less(whole * num(256), N), same(N, num(1000))}, false},
      {{less(byM * M, N), atLeast(M, num(1)), atLeast(N, num(1))}, true},
      {{less(byM * M, N + num(1)), atLeast(M, num(1)), atLeast(N, num(1))},
       false},
      {{same(blocks, num(4)), atLeast(N, num(1025))}, true},
      {{same(blocks, num(4)), atLeast(N, num(1024))}, false},
      {{same(byM, num(4)), same(M, num(256)), atLeast(N, num(1025))}, true},
      {{less(least, M), atLeast(least, N + num(1))}, true},
      {{less(least, N), less(least, M)}, true},
      {{less(N, most), less(M, most)}, true},
      {{less(N, most), less(N, M)}, false},
      {{less(N, even)}, true},
      {{less(even, N - num(255))}, true},
      {{less(even, N - num(254))}, false},
      {{less(half * num(2), N - num(1))}, true},
      {{less(half * num(2), N)}, false},
      {{less(N, narrow), atLeast(N, num(0))}, true},
      {{less(N, narrow)}, false}, // for n of -1
      {{less(narrow, N)}, false}, // for n of 2^32
      {{less(narrow, num(0))}, true},
      {{same(next, N)}, true},
      {{same(next, N + num(1))}, false},
      {{same(next, num(2) * N)}, false}, // for n of 1
      {{same(num(2) * next, num(4) * M + num(1))}, true},
      {{same(afterNext, N)}, true},
      {{same(afterNext, N + num(2) + num(1 << 16))}, false},
      {{same(afterNext, N + num(1 << 15))}, true},
      {{same(either, num(256))}, true},
      {{same(either, num(512)), less(N, M)}, true},
      {{same(either, num(512)), atLeast(N, M)}, false},
      {{holds(both), atLeast(N, Size)}, true},
      {{holds(both), atLeast(Size, N)}, false},
      {{fails(both), less(N, M), less(M, Size)}, true},
      {{fails(both), less(N, M)}, false},
      {{holds(isLess), fails(isLess)}, true},
      {{same(isLess, num(1)), atLeast(N, M)}, true},
      // The products have a factor that isn't negative.
      {{less(N * Size, N), atLeast(N, num(0))}, true},
      {{less(N * Size, N)}, false},
      {{less(N * M, num(1)), atLeast(N, num(1)), atLeast(M, num(1))}, true},
  };
  for (const Case &each : cases)
    EXPECT_EQ(isContradiction({each.statements, {}}, world.facts()),
              each.isContradiction)
        << "case " << &each - cases;
}

TEST(Contradictions, OfChoices) {
  const World world;
  const Guard small = {same(N, num(128))}, large = {same(N, num(512))};
  EXPECT_TRUE(
      isContradiction({{same(N, num(256))}, {{small, large}}}, world.facts()));
  EXPECT_FALSE(isContradiction({{atLeast(N, num(256))}, {{small, large}}},
                               world.facts()));
  EXPECT_TRUE(isContradiction(
      {{same(N, M)},
       {{small, large}, {{same(M, num(256))}, {less(M, num(9))}}}},
      world.facts()));
  // The choice has no alternatives.
  EXPECT_TRUE(isContradiction({{}, {{}}}, world.facts()));
}

/// Checks that the search for a solution gives up in time. Eleven numbers from
/// 1 to 10 have to differ; one may also be 11 but tries this value last. So the
/// solution comes late.
TEST(Contradictions, WithoutTimeToTryAllSayNothing) {
  const World world;
  Statements statements;
  constexpr std::uint32_t Numbers = 11;
  for (std::uint32_t i = 0; i < Numbers; ++i) {
    std::vector<Guard> choice;
    for (std::int64_t one = 1; one < Numbers; ++one)
      choice.push_back({same(value(i), num(one))});
    if (i + 1 == Numbers) // this one is decided first
      choice.push_back({same(value(i), num(Numbers))});
    statements.choices.push_back(std::move(choice));
    for (std::uint32_t j = 0; j < i; ++j)
      statements.all.push_back(differ(value(i), value(j)));
  }
  EXPECT_FALSE(isContradiction(statements, world.facts()));
}

TEST(Contradictions, OfFacts) {
  const World world;
  KnownFacts facts = world.facts();
  facts.notNegative = {M - num(2000)};
  facts.positive = {*N.asSymbol()};
  EXPECT_TRUE(isContradiction({{less(N, num(1))}, {}}, facts));
  EXPECT_TRUE(isContradiction({{same(N, M), less(N, num(2000))}, {}}, facts));
  EXPECT_FALSE(isContradiction({{same(N, M), less(N, num(2001))}, {}}, facts));
}

TEST(Contradictions, EndWithTheEffort) {
  // A product, at least 0, that is at most -1.
  const World world;
  const Statements statements = {
      {atLeast(N, num(1)), atLeast(M, num(1)), less(N * M, num(1))}, {}};
  unsigned effort = 100;
  EXPECT_TRUE(isContradiction(statements, world.facts(), &effort));
  EXPECT_LE(effort, 100U);
  effort = 0;
  EXPECT_FALSE(isContradiction(statements, world.facts(), &effort));
  EXPECT_EQ(effort, 0U);
}

TEST(Contradictions, NegationsAreTheOtherWays) {
  World world;
  const Polynomial blocks = world.quotient(N + num(255), num(256));
  const auto isCertain = [&](const Statements &statements) {
    const auto ways = negations(statements);
    return std::all_of(ways.begin(), ways.end(), [&](const Statements &way) {
      return isContradiction(way, world.facts());
    });
  };
  EXPECT_TRUE(isCertain({{atLeast(blocks * num(256), N)}, {}}));
  EXPECT_FALSE(isCertain({{atLeast(blocks * num(255), N)}, {}}));
  EXPECT_TRUE(isCertain({{atLeast(Size, num(1)), differ(N, N + num(1))}, {}}));
  EXPECT_FALSE(isCertain({{atLeast(Size, num(1)), unknown()}, {}}));
  EXPECT_TRUE(isCertain({{}, {{{atLeast(N, M)}, {less(N, M)}}}}));
  EXPECT_FALSE(isCertain({{}, {{{less(M, N)}, {less(N, M)}}}}));
}

using Numbers = std::array<std::int64_t, 2>;

std::int64_t numberOf(const Polynomial &, const TermTable &, const Numbers &);

/// Returns the value of the term as C++ computes it.
std::int64_t numberOf(const Term &term, const TermTable &terms,
                      const Numbers &values) {
  std::vector<std::int64_t> v;
  for (const Polynomial &operand : term.operands)
    v.push_back(numberOf(operand, terms, values));
  switch (term.kind) {
  case TermKind::Divide:
    return v[0] / v[1];
  case TermKind::Remainder:
    return v[0] % v[1];
  case TermKind::Minimum:
    return std::min(v[0], v[1]);
  case TermKind::Maximum:
    return std::max(v[0], v[1]);
  case TermKind::ShiftRight:
    return v[0] >> v[1];
  case TermKind::BitAnd:
    return v[0] & v[1];
  case TermKind::Narrow:
    return term.detail > 0 ? v[0] & ((1 << term.detail) - 1)
                           : ((v[0] + 4) & 7) - 4; // narrows to 3 bits
  case TermKind::Compare:
    return term.detail == 0   ? v[0] == v[1]
           : term.detail == 1 ? v[0] != v[1]
           : term.detail == 2 ? v[0] < v[1]
                              : v[0] <= v[1];
  case TermKind::Select:
    return v[0] != 0 ? v[1] : v[2];
  default:
    ADD_FAILURE() << "of no such term";
    return 0;
  }
}
std::int64_t numberOf(const Polynomial &polynomial, const TermTable &terms,
                      const Numbers &values) {
  return *evaluate(polynomial,
                   [&](Symbol symbol) -> std::optional<std::int64_t> {
                     return symbol.kind == SymbolKind::HostValue
                                ? values[symbol.index]
                                : numberOf(terms[symbol], terms, values);
                   });
}

/// Checks that what is called a contradiction is false for all small numbers.
TEST(Contradictions, NoneHasASolution) {
  std::mt19937 random(32);
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  constexpr int Least = -6, Most = 9;
  unsigned contradictions = 0;
  for (unsigned round = 0; round < 500; ++round) {
    World world;
    const auto operand = [&] {
      const Polynomial one = pick(0, 1) != 0 ? N : M;
      return one * num(pick(0, 3) == 0 ? -1 : 1) + num(pick(-3, 3));
    };
    const auto value = [&] {
      static constexpr TermKind Kinds[] = {
          TermKind::Divide,  TermKind::Remainder, TermKind::Minimum,
          TermKind::Maximum, TermKind::Compare,   TermKind::ShiftRight,
          TermKind::BitAnd,  TermKind::Narrow,    TermKind::Select};
      const TermKind kind = Kinds[pick(0, 8)];
      switch (pick(0, 3)) {
      case 0:
        return operand();
      case 1:
        return operand() * num(pick(1, 3)) + operand() * operand();
      default:
        break;
      }
      if (kind == TermKind::Narrow)
        return world.term(kind, {operand()}, pick(0, 1) != 0 ? 2 : -3);
      if (kind == TermKind::Select)
        return world.term(
            kind, {world.term(TermKind::Compare, {operand(), operand()}, 2),
                   operand(), num(pick(0, 2))});
      const bool isByNumber = kind == TermKind::Divide ||
                              kind == TermKind::Remainder ||
                              kind == TermKind::ShiftRight;
      const bool isMask = kind == TermKind::BitAnd;
      return world.term(kind,
                        {operand(), isByNumber ? num(pick(1, 3))
                                    : isMask   ? num(pick(0, 1) != 0 ? 3 : -4)
                                               : operand()},
                        kind == TermKind::Compare ? pick(0, 3) : 0);
    };
    Statements statements;
    const auto statement = [&]() -> Constraint {
      static constexpr Relation Relations[] = {
          Relation::NonNegative, Relation::NonNegative, Relation::Zero,
          Relation::NonZero};
      return {Relations[pick(0, 3)], value() - operand()};
    };
    for (int i = pick(1, 3); i > 0; --i)
      statements.all.push_back(statement());
    if (pick(0, 2) == 0)
      statements.choices.push_back({{statement()}, {statement()}});
    if (!isContradiction(statements, world.facts()))
      continue;
    ++contradictions;
    for (int n = Least; n <= Most; ++n)
      for (int m = Least; m <= Most; ++m) {
        const auto isTrue = [&](const Constraint &one) {
          const std::int64_t number =
              numberOf(one.expression, world.terms, {n, m});
          return one.relation == Relation::NonNegative ? number >= 0
                 : one.relation == Relation::Zero      ? number == 0
                                                       : number != 0;
        };
        const auto areTrue = [&](const Guard &guard) {
          return std::all_of(guard.begin(), guard.end(), isTrue);
        };
        const bool holdsHere =
            areTrue(statements.all) &&
            std::all_of(statements.choices.begin(), statements.choices.end(),
                        [&](const std::vector<Guard> &choice) {
                          return std::any_of(choice.begin(), choice.end(),
                                             areTrue);
                        });
        ASSERT_FALSE(holdsHere)
            << "round " << round << ", n " << n << ", m " << m;
      }
  }
  EXPECT_GT(contradictions, 50U);
}

} // namespace
} // namespace kfuse
