//===- AliasTests.cpp - Names of one storage ------------------------------===//

#include "graphs/program/Aliases.h"

#include "Build.h"

#include <gtest/gtest.h>

using namespace kfuse;
using namespace kfuse::test;

namespace {

TEST(Alias, FollowsOrigins) {
  Builder build;
  ArrayId hidden = build.array("hidden"), other = build.array("other");
  ArrayId leaked = build.array("leaked");
  build.program().arrays[indexOf(leaked)].escapes = true;
  ArrayId argument = build.array("argument", ArrayOrigin::PointerArgument);
  ArrayId second = build.array("second", ArrayOrigin::PointerArgument);
  ArrayId variable = build.array("variable", ArrayOrigin::DeviceVariable);
  ArrayId managed = build.array("managed", ArrayOrigin::Managed);
  ArrayId constant = build.array("constant", ArrayOrigin::ConstantVariable);
  ArrayId unknown = build.array("unknown", ArrayOrigin::Unknown);
  ArrayId either = build.array("either", ArrayOrigin::Unknown);
  build.program().arrays[indexOf(either)].candidates = {hidden, other};
  ArrayId maybe = build.array("maybe", ArrayOrigin::Unknown);
  build.program().arrays[indexOf(maybe)].candidates = {other, leaked};
  ArrayId nested = build.array("nested", ArrayOrigin::Unknown);
  build.program().arrays[indexOf(nested)].candidates = {either};

  struct Case {
    ArrayId lhs, rhs;
    Alias expected;
  };
  const Case cases[] = {
      {hidden, hidden, Alias::Same},      {hidden, other, Alias::Never},
      {hidden, leaked, Alias::Never},     {hidden, argument, Alias::Never},
      {hidden, variable, Alias::Never},   {hidden, managed, Alias::Never},
      {hidden, constant, Alias::Never},   {hidden, unknown, Alias::Never},
      {hidden, either, Alias::May},       {hidden, maybe, Alias::Never},
      {hidden, nested, Alias::May},       {leaked, argument, Alias::May},
      {leaked, unknown, Alias::May},      {leaked, variable, Alias::Never},
      {leaked, maybe, Alias::May},        {argument, second, Alias::May},
      {argument, variable, Alias::May},   {argument, managed, Alias::May},
      {argument, constant, Alias::Never}, {argument, unknown, Alias::May},
      {argument, either, Alias::Never},   {argument, maybe, Alias::May},
      {unknown, variable, Alias::May},    {unknown, managed, Alias::May},
      {either, maybe, Alias::May},        {variable, constant, Alias::Never},
      {nested, maybe, Alias::May},
  };
  for (const Case &test : cases) {
    EXPECT_EQ(alias(build.program(), test.lhs, test.rhs), test.expected)
        << build.program()[test.lhs].name << ' '
        << build.program()[test.rhs].name;
    EXPECT_EQ(alias(build.program(), test.rhs, test.lhs), test.expected);
  }
}

TEST(Alias, SurvivesCandidatesInACircle) {
  Builder build;
  ArrayId first = build.array("first", ArrayOrigin::Unknown);
  ArrayId second = build.array("second", ArrayOrigin::Unknown);
  build.program().arrays[indexOf(first)].candidates = {second};
  build.program().arrays[indexOf(second)].candidates = {first};
  EXPECT_NE(alias(build.program(), first, second), Alias::Same);
}

TEST(BindAccesses, PutsInTheLaunchsValues) {
  const Symbol i{SymbolKind::GlobalIdx, 0}, n{SymbolKind::Parameter, 0},
      missing{SymbolKind::Parameter, 1}, block{SymbolKind::BlockDim, 0},
      counter{SymbolKind::LoopCounter, 0}, value{SymbolKind::HostValue, 3};
  TermTable terms;
  Symbol half =
      terms.intern({TermKind::Divide, 0, {Polynomial(n), Polynomial(2)}});
  Launch launch;
  launch.scalars = {Polynomial(value)};
  launch.block.extent = {Polynomial(128), Polynomial(1), Polynomial(1)};
  auto bound = [&](const Polynomial &index) {
    Kernel kernel;
    kernel.accesses.resize(1);
    kernel.accesses[0].index = index;
    return bindAccesses(kernel, launch, terms)[0].index;
  };
  EXPECT_EQ(bound(*add(Polynomial(i), Polynomial(n))),
            IndexExpr(*add(Polynomial(i), Polynomial(value))));
  EXPECT_EQ(bound(Polynomial(block)), IndexExpr(Polynomial(128)));
  EXPECT_EQ(bound(Polynomial(counter)), IndexExpr(Polynomial(counter)));
  EXPECT_EQ(bound(Polynomial(missing)), IndexExpr(NotPolynomial::Unsupported));
  Symbol boundHalf =
      terms.intern({TermKind::Divide, 0, {Polynomial(value), Polynomial(2)}});
  EXPECT_EQ(bound(Polynomial(half)), IndexExpr(Polynomial(boundHalf)));
  launch.scalars = {Polynomial(std::numeric_limits<std::int64_t>::max())};
  EXPECT_EQ(bound(*multiply(Polynomial(n), Polynomial(4))),
            IndexExpr(NotPolynomial::Overflow));
}

TEST(BindAccesses, GivesUpGuardsThatCantBeBound) {
  Kernel kernel;
  kernel.accesses.resize(1);
  kernel.accesses[0].guard = {
      {Relation::NonNegative, Polynomial(Symbol{SymbolKind::Parameter, 0})},
      {Relation::NonNegative, Polynomial(Symbol{SymbolKind::Parameter, 7})}};
  Launch launch;
  launch.scalars = {Polynomial(5)};
  TermTable terms;
  Guard guard = bindAccesses(kernel, launch, terms)[0].guard;
  EXPECT_EQ(guard[0], (Constraint{Relation::NonNegative, Polynomial(5)}));
  EXPECT_EQ(guard[1].relation, Relation::Unknown);
}

} // namespace
