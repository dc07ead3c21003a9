//===- HostAccountTest.cpp - Conditions as statements about host values ---===//
#include "PlanBuilder.h"

#include "fusion/group/Conditions.h"
#include "fusion/group/HostAccount.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

using namespace test;

/// Builds two launches of one kernel over arrays a, b and c. The host has
/// compared their addresses: a + 4 == b.
struct Compared {
  PlanBuilder builder;
  Polynomial n = builder.value("n"), m = builder.value("m");
  LaunchId first{}, second{};
  Condition condition;

  explicit Compared(ConditionKind kind) {
    const ArrayId a = builder.array("a"), b = builder.array("b"),
                  c = builder.array("c");
    const KernelId scale = builder.pointwise("scale", 1);
    first = builder.launch(scale, std::vector<PointerValue>{{a}, {b}}, {num(1)},
                           {num(8), num(1), num(1)}, {num(64), num(1), num(1)});
    second =
        builder.launch(scale, std::vector<PointerValue>{{b}, {c}}, {num(2)},
                       {num(9), num(1), num(1)}, {num(32), num(1), num(1)});
    const Polynomial distance = sym(SymbolKind::Parameter, indexOf(b)) -
                                sym(SymbolKind::Parameter, indexOf(a));
    builder.program().launches[indexOf(first)].given = {
        {{Relation::Zero, distance - num(4)}, "a + 4 == b", false}};
    condition.kind = kind;
    condition.first = first;
    condition.second = second;
    condition.polynomial = num(1);
    condition.other = num(2);
    condition.firstSpans = condition.secondSpans = {{num(0), {num(7)}, 4}};
  }
  std::string values() {
    return HostAccount(builder.problem().program).valuesOf(condition);
  }
  std::size_t ranges() {
    return HostAccount(builder.problem().program)
        .statementsOf(condition)
        .choices.size();
  }
};

TEST(HostAccount, ConditionsThatNeverHoldHaveARemedy) {
  const std::pair<ConditionKind, const char *> cases[] = {
      {ConditionKind::EqualGrid, "launch both with one shape"},
      {ConditionKind::EqualBlock, "launch both with one shape"},
      {ConditionKind::EqualScalar, "pass both the same value"},
      {ConditionKind::NoOverlap, "pass pointers to storage of their own"},
      {ConditionKind::AtLeast, "launch a thread for all that the other has"},
      {ConditionKind::WholeShares,
       "launch a thread for all that the other has"},
      {ConditionKind::NoWrap, "compute the indices in a type that holds them"},
      {ConditionKind::LongRows,
       "make the rows as long as what the threads reach in them"},
  };
  for (const auto &[kind, remedy] : cases) {
    Compared compared(kind);
    const auto why = whyNever(compared.builder.problem(), {compared.condition});
    ASSERT_TRUE(why) << remedy;
    EXPECT_EQ(why->remedy, remedy);
  }
}

TEST(HostAccount, ValuesAreThoseThatAreKnown) {
  Compared compared(ConditionKind::AtLeast);
  EXPECT_EQ(compared.values(), "0 >= 1"); // 1 >= 2
  compared.condition.other = compared.n;
  EXPECT_EQ(compared.values(), "1 >= n");
  // The host can't represent the difference.
  compared.condition.other = num(INT64_MIN);
  EXPECT_EQ(compared.values(), "");
  compared.condition.kind = ConditionKind::EqualScalar;
  EXPECT_EQ(compared.values(), "0 == 1"); // 1 == 2
}

TEST(HostAccount, RangesEndWhereTheHostCanTell) {
  Compared compared(ConditionKind::NoOverlap);
  EXPECT_EQ(compared.ranges(), 1U);
  compared.condition.secondSpans.front().high.clear();
  EXPECT_EQ(compared.ranges(), 0U);
  compared.condition.secondSpans.front().high = {num(7)};
  compared.condition.firstSpans.front().high.clear();
  EXPECT_EQ(compared.ranges(), 0U);
  for (const SymbolKind shape : {SymbolKind::GridDim, SymbolKind::BlockDim}) {
    SCOPED_TRACE(print(sym(shape, 0)));
    // The ranges overlap by the shape, but not by the shorter bound.
    compared.condition.firstSpans.front().high = {sym(shape, 0) * num(16),
                                                  num(0)};
    EXPECT_FALSE(whyNever(compared.builder.problem(), {compared.condition}));
    compared.condition.firstSpans.front().high.pop_back();
    EXPECT_TRUE(whyNever(compared.builder.problem(), {compared.condition}));
  }
}

TEST(HostAccount, OnlyHostValuesAreUsual) {
  Compared compared(ConditionKind::AtLeast);
  compared.builder.program().values[compared.n.asSymbol()->index].usual = {5};
  const HostAccount account(compared.builder.problem().program);
  const auto usualOf = [&](const Polynomial &used) {
    AccountItems items = {{{{{Relation::Zero, used}}, {}}, "", nullptr}};
    account.addUsual(items);
    return items.size() - 1;
  };
  EXPECT_EQ(usualOf(compared.n), 1U);
  EXPECT_EQ(usualOf(compared.m), 0U);
  EXPECT_EQ(usualOf(param(compared.n.asSymbol()->index)), 0U);
  EXPECT_EQ(usualOf(sym(SymbolKind::HostValue, 1000)), 0U);
}

} // namespace
} // namespace kfuse
