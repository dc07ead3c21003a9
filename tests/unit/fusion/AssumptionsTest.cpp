//===- AssumptionsTest.cpp - Assumptions of a group -----------------------===//

#include "PlanBuilder.h"

#include "fusion/group/Group.h"

#include <gtest/gtest.h>

#include <functional>

namespace kfuse {
namespace {

using namespace test;

TEST(Assumptions, WhatIsEqualAnywayIsNoneOfThem) {
  // Two of the eight pairs of values have to be equal for equal indices; n is
  // passed to both launches anyway.
  PlanBuilder builder;
  const ArrayId a = builder.array("A"), b = builder.array("B"),
                c = builder.array("C");
  const Polynomial index =
      global() + param(0) + num(1000) * param(1) + num(7) * param(2);
  const auto launch = [&](const char *name, ArrayId from, ArrayId to,
                          const std::vector<Access> &accesses,
                          const std::vector<std::string> &scalars) {
    const KernelId kernel = builder.kernel(
        name, 2, static_cast<unsigned>(scalars.size()), accesses);
    std::vector<Polynomial> values;
    for (std::size_t i = 0; i < scalars.size(); ++i) {
      builder[kernel].parameters[2 + i].name = scalars[i];
      values.push_back(i == 0 ? sym(SymbolKind::HostValue, 0)
                              : builder.value(scalars[i]));
    }
    return builder.launch(kernel, {from, to}, values);
  };
  builder.value("n");
  const Guard more = {less(param(3), param(4))};
  const LaunchId x = launch("one", a, b, {write(1, index)}, {"n", "a", "b"}),
                 y = launch("two", b, c,
                            {read(0, index, more), write(1, global())},
                            {"n", "c", "d", "e", "f"});
  EXPECT_EQ(builder.plan({x, y}).conditions.size(), 2U);
}

/// Returns how many conditions a pair of kernels needs, or the obstacle. The
/// kernels access rows of param(2) elements for x < param(0), in planes of
/// param(3) elements for y < param(1). `lengths` returns the values of param(2)
/// and param(3).
std::string rows(
    const std::function<std::pair<Polynomial, Polynomial>(
        const Polynomial &, const Polynomial &, const Polynomial &)> &lengths) {
  PlanBuilder builder;
  const Polynomial w = builder.value("w"), h = builder.value("h"),
                   pitch = builder.value("pitch");
  const Polynomial index =
      global(2) * param(3) + global(1) * param(2) + global(0);
  const Guard inside = {less(global(0), param(0)), less(global(1), param(1))};
  const auto [row, plane] = lengths(w, h, pitch);
  std::vector<PointerValue> pointers(3);
  for (const char *name : {"A", "B", "C"})
    pointers[name[0] - 'A'].array = builder.array(name);
  const auto launch = [&](const PointerValue &from, const PointerValue &to) {
    return builder.launch(
        builder.kernel("kernel", 2, 4,
                       {read(0, index, inside), write(1, index, inside)}),
        {from, to}, {w, h, row, plane}, {num(4), num(4), num(64)},
        {num(16), num(16), num(1)});
  };
  const LaunchId x = launch(pointers[0], pointers[1]),
                 y = launch(pointers[1], pointers[2]);
  const std::string verdict = builder.verdict({x, y});
  return verdict == "fused"
             ? std::to_string(builder.plan({x, y}).conditions.size())
             : verdict;
}

TEST(Assumptions, RowsKnownToBeShortAreNotAssumedLong) {
  using P = const Polynomial &;
  const auto both = [](const Polynomial &row, const Polynomial &plane) {
    return std::pair(row, plane);
  };
  EXPECT_EQ(rows([&](P w, P h, P) { return both(w, w * h); }), "0");
  EXPECT_EQ(rows([&](P, P, P pitch) { return both(pitch, pitch * pitch); }),
            "2");
  EXPECT_EQ(rows([&](P w, P h, P) { return both(w - num(1), w * h); }),
            "NotInjective");
}

TEST(Assumptions, RoomThatTheLaunchHasNeedsNoTest) {
  using P = const Polynomial &;
  const auto both = [](const Polynomial &row, const Polynomial &plane) {
    return std::pair(row, plane);
  };
  EXPECT_EQ(rows([&](P w, P, P pitch) { return both(w, pitch); }), "1");
  EXPECT_EQ(rows([&](P, P h, P pitch) { return both(pitch, pitch * h); }), "1");
  // No condition can replace room that the planes don't have.
  EXPECT_EQ(
      rows([&](P, P h, P pitch) { return both(pitch, pitch * h - num(1)); }),
      "NotInjective");
}

} // namespace
} // namespace kfuse
