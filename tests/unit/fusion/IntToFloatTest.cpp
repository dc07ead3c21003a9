//===- IntToFloatTest.cpp - Members that convert integers to floats -------===//

#include "PlanBuilder.h"

#include <gtest/gtest.h>

#include <functional>

namespace kfuse {
namespace {

using namespace test;

/// Builds A→B→C and then C in place. All members convert integers to floating
/// point; `change` is applied last.
struct Makers {
  PlanBuilder builder;
  Polynomial readOf = global(); ///< the second kernel's index of B

  Kernel &operator[](unsigned number) { return builder[KernelId{number}]; }
};

std::string planAfter(const std::function<void(Makers &)> &prepare,
                      const std::function<void(Makers &)> &change) {
  Makers makers;
  PlanBuilder &builder = makers.builder;
  prepare(makers);
  const ArrayId a = builder.array("A"), b = builder.array("B"),
                c = builder.array("C");
  const Polynomial n = builder.value("n");
  const KernelId second = builder.kernel(
      "second", 2, 1,
      {read(0, makers.readOf, Interior), write(1, global(), Interior)});
  const KernelId first = builder.pointwise("first", 1);
  const KernelId third =
      builder.kernel("third", 1, 1, update(0, global(), Interior));
  const std::vector<LaunchId> group = {builder.launch(first, {a, b}, {n}),
                                       builder.launch(second, {b, c}, {n}),
                                       builder.launch(third, {c}, {n})};
  for (const KernelId each : {first, second, third})
    builder[each].integersToFloating = true;
  change(makers);
  const std::string verdict = builder.verdict(group);
  if (verdict != "fused")
    return verdict;
  std::string text = scheduleName(builder.plan(group).schedule);
  for (const std::uint32_t member : builder.plan(group).isolated)
    text += " " + std::to_string(member);
  return text;
}

std::string planAfter(const std::function<void(Makers &)> &change) {
  return planAfter([](Makers &) {}, change);
}

TEST(IntToFloat, AllButTheFirstAreSetApart) {
  const auto isMaker = [](bool first, bool second, bool third) {
    return planAfter([&](Makers &makers) {
      makers[1].integersToFloating = first;
      makers[0].integersToFloating = second;
      makers[2].integersToFloating = third;
    });
  };
  EXPECT_EQ(isMaker(true, true, true), "register 1 2");
  EXPECT_EQ(isMaker(true, false, true), "register 2");
  EXPECT_EQ(isMaker(false, true, true), "register 2");
  EXPECT_EQ(isMaker(false, false, true), "register");
  EXPECT_EQ(planAfter([](Makers &makers) {
              makers.builder.options().exactRounding = false;
            }),
            "register");
}

TEST(IntToFloat, MembersWithoutSumsToContractAreNot) {
  // Which of the kernels have a product that a sum may take.
  const auto takes = [](bool first, bool second, bool third) {
    return planAfter([&](Makers &makers) {
      for (const auto &[kernel, isTaken] :
           {std::pair{1U, first}, {0U, second}, {2U, third}}) {
        makers[kernel].multiplyAdds = MultiplyAdds{};
        RoundedProduct product;
        product.isTaken = isTaken;
        makers[kernel].multiplyAdds->products.push_back(product);
      }
    });
  };
  EXPECT_EQ(takes(false, false, false), "register");
  EXPECT_EQ(takes(true, false, false), "register 1 2");
  EXPECT_EQ(takes(false, true, false), "register 1 2");
  EXPECT_EQ(takes(false, false, true), "register 2");
}

TEST(IntToFloat, WhatCantBeSetApartIsRefused) {
  const std::string unclear = "AmbiguousContraction";
  const auto feature = [](std::vector<unsigned> kernels, KernelFeature which) {
    return planAfter([&](Makers &makers) {
      for (const unsigned kernel : kernels)
        makers[kernel].features.push_back({which, {}, ""});
    });
  };
  // The first member keeps the hardware's coordinates.
  EXPECT_EQ(feature({1}, KernelFeature::CoordinatesInCallee), "register 1 2");
  EXPECT_EQ(feature({0}, KernelFeature::CoordinatesInCallee), unclear);
  EXPECT_EQ(feature({2}, KernelFeature::CoordinatesInCallee), unclear);
  // All members share the shape of the launch.
  EXPECT_EQ(feature({2}, KernelFeature::GridShape), "register 1 2");
  EXPECT_EQ(feature({0, 2}, KernelFeature::GridShape), unclear);
  const auto variable = [](bool isShared) {
    return planAfter([&](Makers &makers) {
      const ArrayId one = makers.builder.array("V"),
                    other = makers.builder.array("W");
      makers[1].pointers[0].global = one;
      makers[2].pointers[0].global = isShared ? one : other;
    });
  };
  EXPECT_EQ(variable(false), "register 1 2");
  EXPECT_EQ(variable(true), unclear);
  EXPECT_EQ(planAfter([](Makers &makers) {
              makers.builder.program().language = Language::OpenCL;
            }),
            unclear);
  // In a tile, a cell has the same thread for all members of a pass.
  EXPECT_EQ(planAfter([](Makers &makers) { makers.readOf = global() - num(1); },
                      [](Makers &) {}),
            unclear);
}

} // namespace
} // namespace kfuse
