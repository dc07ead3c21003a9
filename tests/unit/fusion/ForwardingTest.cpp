//===- ForwardingTest.cpp - Values in registers ---------------------------===//

#include "PlanBuilder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace kfuse {
namespace {

using namespace test;

std::vector<Access> operator|(std::vector<Access> left,
                              const std::vector<Access> &right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

/// Builds A→B and then the given kernel with pointers (B, C).
struct Pair {
  PlanBuilder builder;
  ArrayId a, b, c;
  LaunchId x, y;

  Pair(std::vector<Access> first, std::vector<Access> second) {
    a = builder.array("A");
    b = builder.array("B");
    c = builder.array("C");
    const Polynomial n = builder.value("n");
    const KernelId one = builder.kernel("one", 2, 1, std::move(first));
    const KernelId two = builder.kernel("two", 2, 1, std::move(second));
    x = builder.launch(one, {a, b}, {n});
    y = builder.launch(two, {b, c}, {n});
  }
  std::string verdict() { return builder.verdict({x, y}); }
  /// Returns how B passes, or the obstacle.
  std::string way() {
    const std::string name = verdict();
    return name == "fused" ? placementOf(builder.plan({x, y}), b) : name;
  }
};

const std::string Memory = "memory 0->1", Register = "never stored 0->1";

std::vector<Access> copy(const Guard &guard = Below) {
  return {read(0, global(), guard), write(1, global(), guard)};
}

TEST(Forwarding, ProducersAndConsumersAreNamed) {
  Pair pair(copy(), copy());
  for (ArrayId seen : {pair.b, pair.c})
    pair.builder.step(StepKind::CopyToHost, {{seen, true, false}});
  const FusedKernel kernel = pair.builder.plan({pair.x, pair.y});
  EXPECT_EQ(placementOf(kernel, pair.a), "global");
  EXPECT_EQ(placementOf(kernel, pair.b), "register 0->1");
  EXPECT_EQ(placementOf(kernel, pair.c), "global");
  EXPECT_EQ(kernel.schedule, Schedule::Register);
  EXPECT_EQ(kernel.name, "kfuse_one_two");
  EXPECT_TRUE(kernel.conditions.empty());
  EXPECT_EQ(kernel.members.size(), 2u);
}

TEST(Forwarding, InPlaceChainsPassTheLatestValue) {
  PlanBuilder builder;
  const ArrayId a = builder.array("A");
  const Polynomial n = builder.value("n");
  const KernelId scale =
      builder.kernel("scale", 1, 1, update(0, global(), Below));
  const LaunchId x = builder.launch(scale, {a}, {n});
  const LaunchId y = builder.launch(scale, {a}, {n});
  const LaunchId z = builder.launch(scale, {a}, {n});
  EXPECT_EQ(placementOf(builder.plan({x, y, z}), a), "register 0,1,2->1,2");
}

TEST(Forwarding, OneSureWriteIsEnough) {
  // The second kernel overwrites only the interior; the third reads all.
  PlanBuilder builder;
  const ArrayId a = builder.array("A"), b = builder.array("B"),
                c = builder.array("C");
  const Polynomial n = builder.value("n");
  const KernelId all = builder.kernel("all", 2, 1, copy());
  const KernelId inner = builder.kernel("inner", 2, 1, copy(Interior));
  const KernelId last = builder.kernel("last", 2, 1, copy());
  const LaunchId x = builder.launch(all, {a, b}, {n});
  const LaunchId y = builder.launch(inner, {a, b}, {n});
  const LaunchId z = builder.launch(last, {b, c}, {n});
  const auto isPartial = [&](const std::vector<LaunchId> &group) {
    for (const Placement &placement : builder.plan(group).placements)
      if (placement.array == b)
        return placement.isPartial();
    return false;
  };
  EXPECT_TRUE(isPartial({y, z}));
  EXPECT_FALSE(isPartial({x, y, z}));
}

// Checks that a value passes through memory if a branch would separate a
// product from its sum. The branch tests whether there is a value in the
// register.
TEST(Forwarding, LooksForValuesPartNoProductsFromSums) {
  const auto looks = [](std::uint32_t begin, std::uint32_t end, bool isExact) {
    PlanBuilder builder;
    const ArrayId a = builder.array("A"), b = builder.array("B"),
                  c = builder.array("C");
    const Polynomial n = builder.value("n");
    const KernelId inner = builder.kernel("inner", 2, 1, copy(Interior));
    const KernelId last = builder.kernel("last", 2, 1, copy());
    builder.options().exactRounding = isExact;
    SourceRange text = builder[last].accesses.front().range;
    text.end = text.begin + end;
    text.begin += begin;
    builder[last].contractions = {text};
    const LaunchId x = builder.launch(inner, {a, b}, {n});
    const LaunchId y = builder.launch(last, {b, c}, {n});
    const auto placements = builder.plan({x, y}).placements;
    return std::any_of(
        placements.begin(), placements.end(),
        [](const Placement &placement) { return placement.isPartial(); });
  };
  EXPECT_FALSE(looks(0, 100, true));
  EXPECT_FALSE(looks(3, 9, true));
  EXPECT_TRUE(looks(0, 100, false));
  // The contraction begins after the loaded value.
  EXPECT_TRUE(looks(4, 100, true));
}

TEST(Forwarding, TextThatCannotBeReplacedPassesThroughMemory) {
  auto verdict = [](auto change) {
    std::vector<Access> first = copy(), second = copy();
    change(first[1], second[0]);
    return Pair(first, second).way();
  };
  EXPECT_EQ(verdict([](Access &, Access &r) { r.editable = false; }), Memory);
  EXPECT_EQ(verdict([](Access &w, Access &) { w.editable = false; }), Memory);
  EXPECT_EQ(verdict([](Access &, Access &r) { r.form = AccessForm::Other; }),
            Memory);
  EXPECT_EQ(verdict([](Access &w, Access &) { w.form = AccessForm::Other; }),
            Memory);
  EXPECT_EQ(verdict([](Access &, Access &r) { r.width = 2; }), Memory);
  EXPECT_EQ(verdict([](Access &w, Access &) { w.loops = {0}; }), Memory);
  EXPECT_EQ(verdict([](Access &, Access &r) { r.loops = {0}; }), Register);
}

TEST(Forwarding, TypesMustBeSpelledAlike) {
  auto verdict = [](const ElementType &type) {
    Pair pair(copy(), copy());
    pair.builder[KernelId{1}].pointers[0].element = type;
    return pair.way();
  };
  EXPECT_EQ(verdict({"float", "float", 4, true, true}), Register);
  EXPECT_EQ(verdict({"int", "int", 4, false, true}), "NonPolynomialIndex");
  EXPECT_EQ(verdict({"float", "float", 4, true, false}), Memory);
}

TEST(Forwarding, SeveralIndicesPassThroughMemory) {
  const Polynomial twice = num(2) * global();
  const std::vector<Access> both = {read(0, global(), Below),
                                    write(1, twice, Below),
                                    write(1, twice + num(1), Below)};
  EXPECT_EQ(
      Pair(both, {read(0, twice, Below), write(1, global(), Below)}).way(),
      Memory);
  EXPECT_EQ(Pair({read(0, global(), Below), write(1, twice, Below)},
                 {read(0, twice, Below), read(0, twice + num(1), Below),
                  write(1, global(), Below)})
                .way(),
            Memory);
}

TEST(Forwarding, FloatsThatAreReadBackByAnotherPointerPassThroughMemory) {
  const std::vector<Access> readBack =
      copy() | std::vector<Access>{read(1, global(), Below)};
  EXPECT_EQ(Pair(readBack, copy()).way(), "register 0->1");
  for (const std::string type : {"float", "int"}) {
    PlanBuilder builder;
    const ArrayId b = builder.array("B"), c = builder.array("C");
    const Polynomial n = builder.value("n");
    const KernelId one = builder.kernel(
        "one", 2, 1, copy() | std::vector<Access>{read(0, global(), Below)});
    const KernelId two = builder.kernel("two", 2, 1, copy());
    const LaunchId x = builder.launch(one, {b, b}, {n});
    const LaunchId y = builder.launch(two, {b, c}, {n});
    for (Kernel &kernel : builder.program().kernels)
      for (PointerParameter &pointer : kernel.pointers)
        pointer.element = {type, type, 4, type == "float", true};
    EXPECT_EQ(placementOf(builder.plan({x, y}), b),
              type == "float" ? Memory : "register 0->1");
  }
}

TEST(Forwarding, AConsumersOwnWritesMustBeReplaceableForARegister) {
  std::vector<Access> second = {read(0, global(), Below),
                                write(0, global(), Below)};
  EXPECT_EQ(Pair(copy(), second).way(), "never stored 0,1->1");
  second[1].editable = false;
  EXPECT_EQ(Pair(copy(), second).way(), Memory);
}

TEST(Forwarding, WhatIsNotKnownOfAGuardIsNotImplied) {
  const auto isPartial = [](const Guard &guard) {
    Pair pair(copy(guard), copy());
    for (const Placement &placement :
         pair.builder.plan({pair.x, pair.y}).placements)
      if (placement.array == pair.b)
        return placement.isPartial();
    return false;
  };
  EXPECT_FALSE(isPartial(Below));
  EXPECT_TRUE(isPartial({less(global(), param(0)), unknown()}));
  // If i < n, n is at least 1, but i may be more than half of n.
  EXPECT_FALSE(
      isPartial({less(global(), param(0)), atLeast(param(0) * global(), num(0)),
                 atLeast(param(0) * param(0) * param(0), num(0))}));
  EXPECT_TRUE(isPartial({less(global(), param(0)),
                         atLeast(param(0) - num(2) * global(), num(0))}));
}

TEST(Forwarding, UpdatesBeyondTheGuardStayInMemory) {
  Pair pair(copy(Interior), update(0, global(), Below));
  EXPECT_EQ(pair.way(), Memory);
  pair.builder[KernelId{0}].pointers[1].global = pair.b;
  pair.builder[KernelId{1}].pointers[0].global = pair.b;
  EXPECT_EQ(pair.way(), "GuardMismatch");
}

TEST(Forwarding, MemoryNeedsPointersOfItsOwn) {
  const auto way = [](auto change) {
    std::vector<Access> first = copy();
    first[1].editable = false;
    Pair pair(first, copy());
    change(pair.builder);
    return pair.way();
  };
  EXPECT_EQ(way([](PlanBuilder &) {}), Memory);
  EXPECT_EQ(way([](PlanBuilder &builder) {
              builder[KernelId{0}].pointers[1].global = ArrayId{1};
              builder[KernelId{1}].pointers[0].global = ArrayId{1};
            }),
            "NotForwardable");
}

TEST(Forwarding, ElementsPerThreadNeedReplaceableCoordinates) {
  auto elements = [](auto change) {
    Pair pair(copy(), copy());
    for (Launch &launch : pair.builder.program().launches)
      launch.grid.extent[0] = num(1 << 20);
    change(pair.builder);
    return pair.builder.plan({pair.x, pair.y}).elementsPerThread;
  };
  EXPECT_GT(elements([](PlanBuilder &) {}), 1u);
  EXPECT_EQ(
      elements([](PlanBuilder &b) { b.options().maxElementsPerThread = 1; }),
      1u);
  const auto feature = [](KernelFeature one) {
    return [one](Kernel &kernel) { kernel.features = {{one, {}, ""}}; };
  };
  const std::vector<std::function<void(Kernel &)>> changes = {
      [](Kernel &kernel) { kernel.barriers = 1; },
      [](Kernel &kernel) { kernel.staticSharedBytes = 64; },
      [](Kernel &kernel) { kernel.usesDynamicShared = true; },
      [](Kernel &kernel) { kernel.integersToFloating = true; },
      [](Kernel &kernel) { kernel.loops.emplace_back(); },
      feature(KernelFeature::CoordinatesInCallee),
      feature(KernelFeature::SharedAddress),
      feature(KernelFeature::GridShape),
  };
  for (std::size_t i = 0; i < changes.size(); ++i)
    for (std::uint32_t number = 0; number < 2; ++number)
      EXPECT_EQ(
          elements([&](PlanBuilder &b) { changes[i](b[KernelId{number}]); }),
          1u)
          << i;
}

// A load that finds no value in the register reads memory, which an earlier run
// of the producer may have written.
TEST(Forwarding, LooksForValuesKeepTheStores) {
  EXPECT_EQ(Pair(copy(), copy()).way(), Register);
  EXPECT_EQ(Pair(copy(Interior), copy()).way(), "register 0->1");
}

TEST(Forwarding, StoresThatNobodyReadsAreLeftOut) {
  const auto way = [](auto change, bool isExact = true) {
    std::vector<Access> second = copy();
    second.push_back(write(2, global(), Below));
    change(second.back());
    PlanBuilder builder;
    builder.options().exactRounding = isExact;
    const ArrayId a = builder.array("A"), b = builder.array("B"),
                  c = builder.array("C"), d = builder.array("D");
    const Polynomial n = builder.value("n");
    const KernelId one = builder.kernel("one", 2, 1, copy());
    const KernelId two = builder.kernel("two", 3, 1, std::move(second));
    builder[two].sharedProducts = isExact;
    const LaunchId x = builder.launch(one, {a, b}, {n}),
                   y = builder.launch(two, {b, c, d}, {n});
    builder.step(StepKind::CopyToHost, {{c, true, false}});
    return placementOf(builder.plan({x, y}), d);
  };
  const std::string left = "never stored 1->";
  EXPECT_EQ(way([](Access &) {}, false), left);
  // The code that computes only this value would be removed, too, and with it a
  // product.
  EXPECT_EQ(way([](Access &) {}), "global");
  const auto text = [&](auto change) { return way(change, false); };
  EXPECT_EQ(text([](Access &w) { w.editable = false; }), "global");
  EXPECT_EQ(text([](Access &w) { w.form = AccessForm::Update; }), "global");
  EXPECT_EQ(text([](Access &w) { w.offset = w.width = 2; }), "global");
  EXPECT_EQ(text([](Access &w) { w.width = 2; }), "global");
  EXPECT_EQ(text([](Access &w) {
              w.kind = AccessKind::Atomic;
              w.form = AccessForm::Other;
            }),
            "global");
}

} // namespace
} // namespace kfuse
