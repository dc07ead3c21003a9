//===- GroupChecksTest.cpp - Checks of members and conditions -------------===//

#include "PlanBuilder.h"

#include "fusion/dependence/Names.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

using namespace test;

/// Builds A→B→C, pointwise.
struct Chain {
  PlanBuilder builder;
  ArrayId a, b, c;
  LaunchId x, y;

  explicit Chain(ArrayOrigin origin = ArrayOrigin::Allocation) {
    a = builder.array("A", origin);
    b = builder.array("B", origin);
    c = builder.array("C", origin);
    const Polynomial n = builder.value("n");
    x = builder.launch(builder.pointwise("one", 1), {a, b}, {n});
    y = builder.launch(builder.pointwise("two", 1), {b, c}, {n});
  }
  Kernel &first() { return builder[KernelId{0}]; }
  Kernel &second() { return builder[KernelId{1}]; }
  Launch &launch(unsigned i) { return builder.program().launches[i]; }
  HostStep &step(unsigned i) { return builder.program().steps[i]; }
  std::string verdict() { return builder.verdict({x, y}); }
};

std::string verdictAfter(const std::function<void(Chain &)> &change) {
  Chain chain;
  change(chain);
  return chain.verdict();
}

TEST(GroupChecks, UnsupportedKernelsAreRefused) {
  using F = KernelFeature;
  for (F feature : {F::Volatile, F::InlineAssembly, F::DeviceLaunch,
                    F::DeviceAllocation, F::Printf, F::Assert, F::Clock,
                    F::Texture, F::Fence, F::CooperativeGroups, F::UnknownCall,
                    F::Recursion, F::EscapingPointer, F::SideEffect, F::Size})
    for (unsigned member : {0U, 1U})
      EXPECT_EQ(verdictAfter([&](Chain &chain) {
                  chain.builder[KernelId{member}].features.push_back(
                      {feature, {}, "it"});
                }),
                "KernelUnsupported")
          << featureText(feature) << ", member " << member;
  for (F feature : {F::SharedAddress, F::CoordinatesInCallee,
                    F::CoordinatesInMacro, F::GridShape})
    EXPECT_EQ(verdictAfter([&](Chain &chain) {
                chain.first().features.push_back({feature, {}, ""});
              }),
              "fused")
        << featureText(feature);
}

TEST(GroupChecks, SomeFeaturesDependOnTheGroup) {
  auto with = [](unsigned member, KernelFeature feature) {
    return verdictAfter([&](Chain &chain) {
      chain.builder[KernelId{member}].features.push_back({feature, {}, ""});
    });
  };
  EXPECT_EQ(with(0, KernelFeature::ReturnBeforeBarrier), "BarrierMismatch");
  EXPECT_EQ(with(1, KernelFeature::ReturnBeforeBarrier), "fused");
  EXPECT_EQ(with(0, KernelFeature::WarpOperation), "fused");
  EXPECT_EQ(with(0, KernelFeature::PartedWarp), "KernelUnsupported");
  EXPECT_EQ(with(1, KernelFeature::PartedWarp), "fused");
  EXPECT_EQ(with(0, KernelFeature::ReadOnlyLoad), "fused");
  EXPECT_EQ(with(1, KernelFeature::ReadOnlyLoad), "KernelUnsupported");
}

TEST(GroupChecks, SumsMustRoundAsBefore) {
  auto ambiguous = [](bool exact) {
    return verdictAfter([&](Chain &chain) {
      chain.builder.options().exactRounding = exact;
      chain.second().ambiguousSums = true;
    });
  };
  EXPECT_EQ(ambiguous(false), "fused");
  EXPECT_EQ(ambiguous(true), "AmbiguousContraction");
}

TEST(GroupChecks, KernelsMustBeVisibleText) {
  EXPECT_EQ(verdictAfter([](Chain &c) { c.first().analysed = false; }),
            "KernelNotVisible");
  EXPECT_EQ(verdictAfter([](Chain &c) { c.second().text.copyable = false; }),
            "KernelUnsupported");
}

TEST(GroupChecks, LaunchesMustBeEditableAndOfOneRegion) {
  EXPECT_EQ(verdictAfter([](Chain &c) { c.step(1).editable = false; }),
            "LaunchNotEditable");
  EXPECT_EQ(verdictAfter([](Chain &c) {
              c.builder.program().regions[0].isShared = true;
            }),
            "LaunchNotEditable");
  EXPECT_EQ(verdictAfter([](Chain &c) {
              Region body;
              body.kind = RegionKind::LoopBody;
              body.parent = RegionId{0};
              body.function = "main";
              c.builder.program().regions.push_back(body);
              c.launch(1).region = RegionId{1};
              c.step(1).region = RegionId{1};
            }),
            "DifferentRegion");
}

TEST(GroupChecks, StreamsMustBeOne) {
  auto verdict = [](const HostExpr &one, const HostExpr &two) {
    return verdictAfter([&](Chain &chain) {
      chain.builder.value("s");
      chain.launch(0).stream = one;
      chain.launch(1).stream = two;
    });
  };
  HostExpr none, zero, stream, other, handle;
  zero.text = "0";
  stream.text = "s";
  stream.value = sym(SymbolKind::HostValue, 1);
  other.text = "s";
  other.value = sym(SymbolKind::HostValue, 0);
  handle.text = "streams[0]";
  EXPECT_EQ(verdict(none, zero), "fused");
  EXPECT_EQ(verdict(stream, stream), "fused");
  EXPECT_EQ(verdict(stream, other), "DifferentStream");
  EXPECT_EQ(verdict(none, stream), "DifferentStream");
  EXPECT_EQ(verdict(handle, handle), "DifferentStream");
}

TEST(GroupChecks, WhatStandsBetweenIsNamed) {
  auto verdict = [](StepKind kind, bool reads, bool writes) {
    PlanBuilder builder;
    const ArrayId a = builder.array("A"), b = builder.array("B"),
                  c = builder.array("C");
    const Polynomial n = builder.value("n");
    const KernelId copy = builder.pointwise("copy", 1);
    const LaunchId x = builder.launch(copy, {a, b}, {n});
    builder.step(kind, {{b, reads, writes}});
    const LaunchId y = builder.launch(copy, {b, c}, {n});
    return builder.verdict({x, y});
  };
  EXPECT_EQ(verdict(StepKind::CopyToHost, true, false), "HostDependence");
  EXPECT_EQ(verdict(StepKind::Set, false, true), "HostDependence");
  EXPECT_EQ(verdict(StepKind::Timing, false, false), "TimingCode");
  EXPECT_EQ(verdict(StepKind::Plain, false, false), "fused");
}

TEST(GroupChecks, WhatRunsBetweenMustBeAMember) {
  PlanBuilder builder;
  const ArrayId a = builder.array("A"), b = builder.array("B"),
                c = builder.array("C"), d = builder.array("D");
  const Polynomial n = builder.value("n");
  const KernelId copy = builder.pointwise("copy", 1);
  const KernelId sum = builder.pointwise("sum", 2);
  const LaunchId x = builder.launch(copy, {a, b}, {n});
  const LaunchId y = builder.launch(copy, {b, c}, {n});
  const LaunchId z = builder.launch(sum, {b, c, d}, {n});
  EXPECT_EQ(builder.verdict({x, z}), "NotConvex");
  EXPECT_EQ(builder.verdict({x, y, z}), "fused");
}

TEST(GroupChecks, DeviceVariablesThatBothComputeWithAreNotSetApart) {
  const auto verdict = [](unsigned readers) {
    PlanBuilder builder;
    const ArrayId a = builder.array("A"), b = builder.array("B"),
                  c = builder.array("C"), g = builder.array("G");
    const Polynomial n = builder.value("n");
    const KernelId one = builder.pointwise("one", readers > 1 ? 2 : 1);
    const KernelId two = builder.pointwise("two", 2);
    for (const KernelId kernel : {one, two})
      if (builder[kernel].pointers.size() == 3)
        builder[kernel].pointers[1].global = g;
    const LaunchId x = readers > 1 ? builder.launch(one, {a, g, b}, {n})
                                   : builder.launch(one, {a, b}, {n});
    return builder.verdict({x, builder.launch(two, {b, g, c}, {n})});
  };
  EXPECT_EQ(verdict(1), "fused");
  EXPECT_EQ(verdict(2), "AmbiguousContraction");
}

TEST(GroupChecks, ShapesMustBeEqualOrTested) {
  auto chain = [](std::uint32_t one, std::uint32_t two, bool isGrid) {
    auto made = std::make_unique<Chain>();
    const Polynomial extents[] = {num(128), made->builder.value("g"),
                                  made->builder.value("h")};
    (isGrid ? made->launch(0).grid : made->launch(0).block).extent[0] =
        extents[one];
    (isGrid ? made->launch(1).grid : made->launch(1).block).extent[0] =
        extents[two];
    return made;
  };
  EXPECT_EQ(chain(0, 0, true)->verdict(), "fused");
  auto tested = chain(1, 2, true);
  const FusedKernel kernel = tested->builder.plan({tested->x, tested->y});
  ASSERT_EQ(kernel.conditions.size(), 1u);
  EXPECT_EQ(kernel.conditions[0].kind, ConditionKind::EqualGrid);
  auto block = chain(1, 2, false);
  EXPECT_EQ(block->builder.plan({block->x, block->y}).conditions[0].kind,
            ConditionKind::EqualBlock);
  auto off = chain(1, 2, true);
  off->builder.options().conditions = false;
  EXPECT_EQ(off->verdict(), "RequiresRuntimeCheck");
  // A variable has one of many values, so the test would seldom hold.
  EXPECT_EQ(chain(0, 1, true)->verdict(), "DifferentShape");
  EXPECT_EQ(chain(1, 0, false)->verdict(), "DifferentShape");
}

TEST(GroupChecks, EqualScalarsAreTested) {
  auto chain = [] {
    auto made = std::make_unique<Chain>();
    made->launch(1).scalars[0] = made->builder.value("m");
    return made;
  };
  auto tested = chain();
  const FusedKernel kernel = tested->builder.plan({tested->x, tested->y});
  ASSERT_EQ(kernel.conditions.size(), 1u);
  EXPECT_EQ(kernel.conditions[0].kind, ConditionKind::EqualScalar);
  EXPECT_EQ(kernel.conditions[0].first, tested->x);
  EXPECT_EQ(kernel.conditions[0].second, tested->y);
  auto off = chain();
  off->builder.options().conditions = false;
  EXPECT_EQ(off->verdict(), "RequiresRuntimeCheck");
}

TEST(GroupChecks, ArgumentsOfOneLaunchAreNotAssumedEqual) {
  // `two(b, c, n, m)` reads below m. If it also gets the first kernel's bound
  // n, its argument m isn't assumed to be equal to n.
  auto conditions = [](bool passesBound) {
    PlanBuilder builder;
    const ArrayId a = builder.array("A"), b = builder.array("B"),
                  c = builder.array("C");
    const Polynomial n = builder.value("n"), m = builder.value("m"),
                     other = builder.value("other");
    const Guard below = {less(global(), param(1))};
    const KernelId two = builder.kernel(
        "two", 2, 2, {read(0, global(), below), write(1, global(), below)});
    const LaunchId x = builder.launch(builder.pointwise("one", 1), {a, b}, {n});
    const LaunchId y =
        builder.launch(two, {b, c}, {passesBound ? n : other, m});
    return builder.plan({x, y}).conditions;
  };
  ASSERT_EQ(conditions(false).size(), 1u);
  EXPECT_EQ(conditions(false)[0].kind, ConditionKind::EqualScalar);
  EXPECT_TRUE(conditions(true).empty());
}

TEST(GroupChecks, PointersThatMayOverlapAreTested) {
  Chain tested(ArrayOrigin::PointerArgument);
  const FusedKernel kernel = tested.builder.plan({tested.x, tested.y});
  // A is tested against the written C, and C against the forwarded B. B is also
  // tested against A: the reads in the first stage don't see the writes to B,
  // but the order in the second stage does.
  ASSERT_FALSE(kernel.conditions.empty());
  for (const Condition &condition : kernel.conditions) {
    EXPECT_EQ(condition.kind, ConditionKind::NoOverlap);
    ASSERT_EQ(condition.firstSpans.size(), 1u);
    EXPECT_EQ(condition.firstSpans[0].low, num(0));
    ASSERT_FALSE(condition.firstSpans[0].high.empty());
    EXPECT_EQ(condition.firstSpans[0].high[0], param(0) - num(1));
  }
  Chain off(ArrayOrigin::PointerArgument);
  off.builder.options().conditions = false;
  EXPECT_EQ(off.verdict(), "RequiresRuntimeCheck");
}

// No span of A can be written down, so the driver is asked for its allocation.
TEST(GroupChecks, WhereNoSpanIsKnownAllocationsAreCompared) {
  Chain tested(ArrayOrigin::PointerArgument);
  tested.first().accesses[0].index = NotPolynomial::Indirect;
  const FusedKernel kernel = tested.builder.plan({tested.x, tested.y});
  const auto count = std::count_if(kernel.conditions.begin(),
                                   kernel.conditions.end(), isOfAllocations);
  EXPECT_EQ(count, 1);
  EXPECT_LT(static_cast<std::size_t>(count), kernel.conditions.size());
  Chain off(ArrayOrigin::PointerArgument);
  off.first().accesses[0].index = NotPolynomial::Indirect;
  off.builder.options().conditions = false;
  EXPECT_EQ(off.verdict(), "RequiresRuntimeCheck");
}

TEST(GroupChecks, OneTestServesAllReadsOfAStencil) {
  auto spans = [](std::vector<Access> reads) {
    PlanBuilder builder;
    const ArrayId a = builder.array("A", ArrayOrigin::PointerArgument),
                  b = builder.array("B", ArrayOrigin::PointerArgument),
                  c = builder.array("C", ArrayOrigin::PointerArgument);
    const Polynomial n = builder.value("n");
    const Guard inside = {atLeast(global(), num(1)),
                          less(global(), param(0) - num(1))};
    for (Access &access : reads)
      access.guard.insert(access.guard.end(), inside.begin(), inside.end());
    reads.push_back(write(1, global(), inside));
    const KernelId one = builder.kernel("one", 2, 2, reads);
    const LaunchId x = builder.launch(one, {a, b}, {n, builder.value("m")});
    const LaunchId y = builder.launch(builder.pointwise("two", 1), {b, c}, {n});
    for (const Condition &condition : builder.plan({x, y}).conditions)
      if (condition.firstIndex == 0)
        return condition.firstSpans;
    return std::vector<Span>();
  };
  const auto one = spans({read(0, global() + num(1)),
                          read(0, global() - num(1)), read(0, global())});
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].low, num(0));
  EXPECT_EQ(one[0].high[0], param(0) - num(1));
  // An access under another guard may run when the others don't. So only what
  // both guards say tells how their spans lie.
  const Guard few = {less(param(0), num(9))}, many = {less(num(9), param(0))};
  const auto both =
      spans({read(0, global() + num(1), many), read(0, global(), few)});
  ASSERT_EQ(both.size(), 1u);
  EXPECT_EQ(both[0].low, num(1));
  EXPECT_EQ(both[0].high[0], param(0) - num(1));
  EXPECT_EQ(
      spans({read(0, global() + num(9), many), read(0, global(), few)}).size(),
      2u);
  // A loop's accesses say nothing about launches in which it has no iterations.
  const Guard inLoop = {atLeast(counter(0), num(0)),
                        less(counter(0), param(1))};
  Access ahead = read(0, global() + counter(0), inLoop);
  ahead.loops = {0};
  EXPECT_EQ(spans({read(0, global()), ahead}).size(), 2u);
  EXPECT_EQ(spans({ahead, read(0, global())}).size(), 2u);
  Access ahead2 = read(0, global() + counter(0) + num(1), inLoop);
  ahead2.loops = {0};
  EXPECT_EQ(spans({ahead, ahead2}).size(), 1u);
  // There must be no gap between the spans, either.
  EXPECT_EQ(
      spans({read(0, global() + param(0) * num(2)), read(0, global(), few)})
          .size(),
      2u);
}

TEST(GroupChecks, UnrelatedKernelsMeetOnlyHorizontally) {
  auto verdict = [](bool horizontal) {
    PlanBuilder builder;
    const ArrayId a = builder.array("A"), b = builder.array("B"),
                  c = builder.array("C"), d = builder.array("D");
    const Polynomial n = builder.value("n");
    const KernelId copy = builder.pointwise("copy", 1);
    const LaunchId x = builder.launch(copy, {a, b}, {n});
    const LaunchId y = builder.launch(copy, {c, d}, {n});
    builder.options().horizontal = horizontal;
    if (builder.verdict({x, y}) == "fused")
      EXPECT_EQ(builder.plan({x, y}).schedule, Schedule::Concatenate);
    return builder.verdict({x, y});
  };
  EXPECT_EQ(verdict(true), "fused");
  EXPECT_EQ(verdict(false), "NoSharedArrays");
}

TEST(GroupChecks, LimitsOfTheDeviceHold) {
  EXPECT_EQ(verdictAfter([](Chain &c) {
              c.first().staticSharedBytes = c.second().staticSharedBytes =
                  30 * 1024;
            }),
            "SharedMemoryLimit");
  // Stages use dynamic shared memory in turn, which is as large as the largest.
  const Polynomial open = sym(SymbolKind::HostValue, 0);
  const auto inTurn = [](const Polynomial &one, const Polynomial &two) {
    return verdictAfter([&](Chain &c) {
      c.first().usesDynamicShared = c.second().usesDynamicShared = true;
      c.launch(0).sharedBytes.value = one;
      c.launch(1).sharedBytes.value = two;
    });
  };
  EXPECT_EQ(inTurn(num(30 * 1024), num(40 * 1024)), "fused");
  EXPECT_EQ(inTurn(num(30 * 1024), num(60 * 1024)), "SharedMemoryLimit");
  EXPECT_EQ(inTurn(open, open), "fused");
  EXPECT_EQ(inTurn(open, num(1024)), "DynamicShared");
  EXPECT_EQ(inTurn(num(1024), open), "DynamicShared");
  EXPECT_EQ(inTurn(open, sym(SymbolKind::HostValue, 1)), "DynamicShared");
  // If another kernel has static arrays, the size of the dynamic ones must be
  // known.
  const auto beside = [](std::optional<std::int64_t> bytes) {
    return verdictAfter([&](Chain &c) {
      c.first().staticSharedBytes = 30 * 1024;
      c.second().usesDynamicShared = true;
      c.launch(1).sharedBytes.value =
          bytes ? num(*bytes) : sym(SymbolKind::HostValue, 0);
    });
  };
  EXPECT_EQ(beside(1024), "fused");
  EXPECT_EQ(beside(30 * 1024), "SharedMemoryLimit");
  EXPECT_EQ(beside(std::nullopt), "DynamicShared");
  EXPECT_EQ(verdictAfter([](Chain &c) { c.first().registers = 255; }),
            "RegisterLimit");
  EXPECT_EQ(verdictAfter([](Chain &c) {
              c.launch(0).block.extent[0] = c.launch(1).block.extent[0] =
                  num(2048);
            }),
            "ThreadLimit");
  EXPECT_EQ(verdictAfter([](Chain &c) { c.first().maxThreads = 128; }),
            "ThreadLimit");
}

TEST(GroupChecks, WorkGroupsOfOpenClHaveOneSizeAndLocalMemory) {
  const auto verdict = [](const std::function<void(Chain &)> &change) {
    return verdictAfter([&](Chain &c) {
      c.builder.program().language = Language::OpenCL;
      for (const std::size_t member : {0, 1})
        c.launch(member).enqueue.emplace();
      change(c);
    });
  };
  // Each argument has memory of its own, but all of it must be known.
  const auto dynamic = [&](const Polynomial &one, const Polynomial &two) {
    return verdict([&](Chain &c) {
      c.first().usesDynamicShared = c.second().usesDynamicShared = true;
      c.launch(0).sharedBytes.value = one;
      c.launch(1).sharedBytes.value = two;
    });
  };
  const Polynomial open = sym(SymbolKind::HostValue, 0);
  EXPECT_EQ(dynamic(num(1024), num(2048)), "fused");
  EXPECT_EQ(dynamic(num(30 * 1024), num(30 * 1024)), "SharedMemoryLimit");
  EXPECT_EQ(dynamic(num(1024), open), "DynamicShared");
  EXPECT_EQ(dynamic(open, num(1024)), "DynamicShared");
  EXPECT_EQ(dynamic(open, open), "DynamicShared");
  EXPECT_EQ(
      verdict([](Chain &c) { c.first().barriers = c.second().barriers = 1; }),
      "fused");
  EXPECT_EQ(
      verdict([](Chain &c) { c.launch(0).enqueue->choosesBlocks = true; }),
      "DifferentShape");
  const auto sizes = [&](std::uint32_t one, std::uint32_t two) {
    return verdict([&](Chain &c) {
      c.first().requiredBlock = {one, 1, 1};
      c.second().requiredBlock = {two, 1, 1};
    });
  };
  EXPECT_EQ(sizes(64, 64), "fused");
  EXPECT_EQ(sizes(64, 32), "DifferentShape");
}

TEST(GroupChecks, GridStrideLoopsMeetTheirLike) {
  auto verdict = [](bool first, bool second, unsigned barriers) {
    PlanBuilder builder;
    const ArrayId a = builder.array("A"), b = builder.array("B"),
                  c = builder.array("C");
    const Polynomial n = builder.value("n");
    auto make = [&](const char *name, bool loops) {
      const Polynomial index = loops ? sym(SymbolKind::StrideIdx, 0) : global();
      const Guard guard = {less(index, param(0))};
      const KernelId id = builder.kernel(
          name, 2, 1, {read(0, index, guard), write(1, index, guard)});
      if (loops) {
        GridStrideLoop loop;
        loop.variable = "i";
        loop.bound = param(0);
        builder[id].gridStride = loop;
        builder[id].barriers = barriers;
      }
      return id;
    };
    const LaunchId x = builder.launch(make("one", first), {a, b}, {n});
    const LaunchId y = builder.launch(make("two", second), {b, c}, {n});
    return builder.verdict({x, y});
  };
  EXPECT_EQ(verdict(true, true, 0), "fused");
  EXPECT_EQ(verdict(true, true, 1), "BarrierMismatch");
}

TEST(GroupChecks, ASingleLaunchAlwaysHasAPlan) {
  Chain chain;
  chain.first().analysed = false;
  EXPECT_EQ(chain.builder.plan({chain.x}).schedule, Schedule::Single);
  EXPECT_EQ(chain.builder.verdict({}), "NoSharedArrays");
}

} // namespace
} // namespace kfuse
