//===- LivenessTest.cpp - Stores that are eliminated ----------------------===//

#include "PlanBuilder.h"

#include "fusion/MakePlan.h"
#include "fusion/group/Liveness.h"

#include <gtest/gtest.h>

#include <functional>

namespace kfuse {
namespace {

using namespace test;

FusionPlan planOf(PlanBuilder &builder, const Groups &groups) {
  auto plan = makePlan(builder.problem(), groups);
  if (auto *obstacle = std::get_if<Obstacle>(&plan)) {
    ADD_FAILURE() << obstacle->text;
    return {};
  }
  return std::get<FusionPlan>(std::move(plan));
}

/// Builds x: A→T and y: T→C.
struct Chain {
  PlanBuilder builder;
  ArrayId a, t, c;
  Polynomial n = builder.value("n");
  LaunchId x, y;

  explicit Chain(ArrayOrigin origin = ArrayOrigin::Allocation)
      : a(builder.array("A", origin)), t(builder.array("T", origin)),
        c(builder.array("C", origin)),
        x(builder.launch(builder.pointwise("x", 1), {a, t}, {n})),
        y(builder.launch(builder.pointwise("y", 1), {t, c}, {n})) {}
  ArrayId other(ArrayOrigin origin = ArrayOrigin::Allocation) {
    return builder.array("O" + std::to_string(builder.program().arrays.size()),
                         origin);
  }
  std::string placement(const Groups &groups) {
    return placementOf(planOf(builder, groups).kernels[0], t);
  }
};

// Checks that later readers keep the store. The array has a known owner in the
// function, so its content ends with it.
TEST(Liveness, WhoeverReadsLaterKeepsTheStore) {
  const auto placement = [](const std::function<void(Chain &, Groups &)> &add) {
    Chain chain;
    chain.builder.program().arrays[indexOf(chain.t)].holder = {"T", "float *"};
    Groups groups = {{chain.x, chain.y}};
    add(chain, groups);
    return chain.placement(groups);
  };
  EXPECT_EQ(placement([](Chain &, Groups &) {}), "never stored 0->1");
  EXPECT_EQ(placement([](Chain &chain, Groups &) {
              chain.builder.step(StepKind::CopyToHost,
                                 {{chain.t, true, false}});
            }),
            "register 0->1");
  EXPECT_EQ(placement([](Chain &chain, Groups &groups) {
              groups.push_back(
                  {chain.builder.launch(chain.builder.pointwise("z", 1),
                                        {chain.t, chain.other()}, {chain.n})});
            }),
            "register 0->1");
}

// Checks that a member may pass one of its arrays in a register and another one
// through memory.
TEST(Liveness, EachArrayPassesByItself) {
  const Guard below = {less(global(), param(0))};
  // The kernels are one: U = ..., two: T += U, and three: ... = T. The next run
  // reads T from memory.
  PlanBuilder reading;
  const Polynomial n = reading.value("n");
  const ArrayId a = reading.array("A"), u = reading.array("U"),
                t = reading.array("T"), c = reading.array("C");
  const LaunchId one = reading.launch(reading.pointwise("one", 1), {a, u}, {n});
  const LaunchId two = reading.launch(
      reading.kernel("two", 2, 1,
                     {read(0, global(), below), read(1, global(), below),
                      write(1, global(), below)}),
      {u, t}, {n});
  const LaunchId three =
      reading.launch(reading.pointwise("three", 1), {t, c}, {n});
  const FusedKernel kernel = reading.plan({one, two, three});
  EXPECT_EQ(placementOf(kernel, u), "never stored 0->1");
  EXPECT_EQ(placementOf(kernel, t), "register 1->2");

  // Code from a macro writes T again, so its storage has to stay.
  Chain writing;
  writing.builder.program().arrays[indexOf(writing.t)].lifetimeStatements = {
      StepId{0}};
  const ArrayId v = writing.other();
  Access store = write(1, global(), below);
  store.editable = false;
  const LaunchId again = writing.builder.launch(
      writing.builder.kernel(
          "again", 3, 1,
          {read(0, global(), below), store, write(2, global(), below)}),
      {writing.a, writing.t, v}, {writing.n});
  const LaunchId last = writing.builder.launch(
      writing.builder.pointwise("last", 1), {v, writing.other()}, {writing.n});
  const FusionPlan plan =
      planOf(writing.builder, {{writing.x, writing.y, again, last}});
  EXPECT_EQ(placementOf(plan.kernels[0], v), "never stored 2->3");
  EXPECT_EQ(placementOf(plan.kernels[0], writing.t), "register 0->1");
  EXPECT_TRUE(plan.removed.empty());
}

// The kernel's condition keeps the arrays apart each time. At another time,
// however, the other name may be that of the eliminated array.
TEST(Liveness, AnotherNameInTheKernelKeepsTheStore) {
  const auto placement = [](bool isOther) {
    Chain chain;
    const ArrayId own = chain.other(), name = chain.other(ArrayOrigin::Unknown);
    chain.builder.program().arrays.back().candidates = {chain.t, own};
    const LaunchId z = chain.builder.launch(
        chain.builder.pointwise("z", 2),
        {chain.t, isOther ? name : own, chain.other()}, {chain.n});
    const FusedKernel kernel = chain.builder.plan({chain.x, chain.y, z});
    EXPECT_EQ(kernel.conditions.empty(), !isOther);
    return placementOf(kernel, chain.t);
  };
  EXPECT_EQ(placement(false), "never stored 0->1,2");
  EXPECT_EQ(placement(true), "register 0->1,2");
}

// Nobody reads the array after all launches, but this says nothing about the
// launches themselves.
TEST(Liveness, APromiseIsNotAboutOtherNamesInLaunches) {
  const auto placement = [](bool isRead, bool isMentioned, bool isFused) {
    Chain chain(ArrayOrigin::PointerArgument);
    chain.builder.options().dead = {"T"};
    // The other name may be that of the array, or of the program's own
    // allocation.
    const ArrayId name = chain.other(isRead ? ArrayOrigin::PointerArgument
                                            : ArrayOrigin::Allocation);
    const ArrayId v = chain.other(), out = chain.other();
    const Guard below = {less(global(), param(0))};
    const KernelId reads = chain.builder.kernel(
        "reads", 3, 1, {read(0, global(), below), write(1, global(), below)});
    Groups groups = {{chain.x, chain.y}};
    groups.push_back({chain.builder.launch(
        reads, {name, v, isMentioned ? chain.t : out}, {chain.n})});
    const LaunchId last = chain.builder.launch(
        chain.builder.pointwise("last", 1), {v, chain.other()}, {chain.n});
    if (isFused)
      groups.back().push_back(last);
    else
      groups.push_back({last});
    return chain.placement(groups);
  };
  EXPECT_EQ(placement(false, false, true), "never stored 0->1");
  EXPECT_EQ(placement(false, true, false), "never stored 0->1");
  EXPECT_EQ(placement(true, false, true), "register 0->1");
  EXPECT_EQ(placement(true, true, false), "register 0->1");
}

TEST(Liveness, AnArrayIsStoredWhereSomeKernelWritesIt) {
  Chain chain;
  const Program &program = chain.builder.problem().program;
  FusedKernel kernel;
  kernel.launches = {chain.x, chain.y};
  kernel.placements = {{chain.a, PlacementKind::Global, {}, {}},
                       {chain.t, PlacementKind::RegisterOnly, {0}, {1}},
                       {chain.c, PlacementKind::Global, {}, {}}};
  EXPECT_FALSE(isStored(program, {kernel}, chain.a));
  EXPECT_FALSE(isStored(program, {kernel}, chain.t));
  EXPECT_TRUE(isStored(program, {kernel}, chain.c));
}

/// Builds D and E, which may be the same. The user promises that nobody reads D
/// after the launches.
struct Promised {
  PlanBuilder builder;
  ArrayId a = builder.array("A"), b = builder.array("B"),
          c = builder.array("C"),
          d = builder.array("D", ArrayOrigin::PointerArgument),
          e = builder.array("E", ArrayOrigin::PointerArgument),
          f = builder.array("F");
  Polynomial n = builder.value("n");

  Promised() { builder.options().dead = {"D"}; }
};

// `two(b, d, e, c)` writes d[i] and then reads e[i], and e may be d. Nobody
// reads D after the launches, but `two` itself may.
TEST(Liveness, APromiseDoesntCoverWhatAStageReadsUnderAnotherName) {
  Promised promised;
  auto &[builder, a, b, c, d, e, f, n] = promised;
  const KernelId two =
      builder.kernel("two", 4, 1,
                     {read(0, global(), Below), write(1, global(), Below),
                      read(2, global(), Below), write(3, global(), Below)});
  const LaunchId x = builder.launch(builder.pointwise("one", 1), {a, b}, {n}),
                 y = builder.launch(two, {b, d, e, c}, {n});
  builder.step(StepKind::CopyToHost, {{c, true, false}});
  const FusedKernel kernel = builder.plan({x, y});
  EXPECT_TRUE(placementOf(kernel, d) == "global" || !kernel.conditions.empty())
      << placementOf(kernel, d);
}

// The launches are A→D→C and E→D→F. If E is D, the second group's test fails
// and its original launches run. They read what the first group should have
// stored.
TEST(Liveness, APromiseDoesntCoverWhatALaterGroupReadsUnderAnotherName) {
  Promised promised;
  auto &[builder, a, b, c, d, e, f, n] = promised;
  const KernelId copy = builder.pointwise("copy", 1);
  const auto launch = [&, &builder = promised.builder,
                       &n = promised.n](ArrayId from, ArrayId to) {
    return builder.launch(copy, {from, to}, {n});
  };
  const LaunchId w = launch(a, d), x = launch(d, c), y = launch(e, d),
                 z = launch(d, f);
  builder.step(StepKind::CopyToHost, {{c, true, false}, {f, true, false}});
  const auto plan = makePlan(builder.problem(), {{w, x}, {y, z}});
  EXPECT_EQ(placementOf(std::get<FusionPlan>(plan).kernels[0], d),
            "register 0->1");
}

// The launches are x: A→T, y: T→C, u: A→T (first m), and v: T (first m), P
// (first n)→D. P may be T; then v reads what x stored in T[m..n).
TEST(Liveness, AnotherNameInAnotherKernelThatPassesTheArray) {
  PlanBuilder b;
  const auto arg = ArrayOrigin::PointerArgument;
  const ArrayId a = b.array("A", arg), t = b.array("T", arg),
                c = b.array("C", arg), d = b.array("D", arg),
                p = b.array("P", arg);
  b.options().dead = {"T"};
  const Polynomial n = b.value("n"), m = b.value("m");
  const LaunchId x = b.launch(b.pointwise("x", 1), {a, t}, {n});
  const LaunchId y = b.launch(b.pointwise("y", 1), {t, c}, {n});
  const LaunchId u = b.launch(b.pointwise("u", 1), {a, t}, {m});
  const Guard few = {less(global(), param(0))},
              all = {less(global(), param(1))};
  const LaunchId v =
      b.launch(b.kernel("v", 3, 2,
                        {read(0, global(), few), read(1, global(), all),
                         write(2, global(), few)}),
               {t, p, d}, {m, n});
  const FusionPlan plan = planOf(b, {{x, y}, {u, v}});
  EXPECT_EQ(placementOf(plan.kernels[0], t), "register 0->1");
}

// The launches are x: A→T and y: T→C on k blocks, u: A→T on m blocks, and v:
// T→D on k blocks. {u, v} is fused if m == k; otherwise v reads what x stored.
TEST(Liveness, OriginalsOfAnotherKernelReadWhatWasLeftOut) {
  PlanBuilder b;
  const ArrayId a = b.array("A"), t = b.array("T"), c = b.array("C"),
                d = b.array("D");
  const Polynomial k = b.value("k"), m = b.value("m");
  const KernelId copy =
      b.kernel("copy", 2, 0, {read(0, global()), write(1, global())});
  const auto launch = [&](ArrayId from, ArrayId to, const Polynomial &blocks) {
    return b.launch(copy, {{from, Polynomial{}}, {to, Polynomial{}}}, {},
                    {blocks, num(1), num(1)}, {num(256), num(1), num(1)});
  };
  const LaunchId x = launch(a, t, k), y = launch(t, c, k), u = launch(a, t, m),
                 v = launch(t, d, k);
  const FusionPlan plan = planOf(b, {{x, y}, {u, v}});
  EXPECT_FALSE(plan.kernels[1].conditions.empty());
  EXPECT_EQ(placementOf(plan.kernels[0], t), "register 0->1");
}

// This is the same with only {u, v}, in a loop in which m changes.
TEST(Liveness, OriginalsReadWhatWasLeftOutInAnEarlierIteration) {
  PlanBuilder b;
  const ArrayId a = b.array("A"), t = b.array("T"), d = b.array("D");
  const Polynomial k = b.value("k"), m = b.value("m");
  const KernelId copy =
      b.kernel("copy", 2, 0, {read(0, global()), write(1, global())});
  const auto launch = [&](ArrayId from, ArrayId to, const Polynomial &blocks) {
    return b.launch(copy, {{from, Polynomial{}}, {to, Polynomial{}}}, {},
                    {blocks, num(1), num(1)}, {num(256), num(1), num(1)});
  };
  const LaunchId u = launch(a, t, m), v = launch(t, d, k);
  b.program().regions[0].kind = RegionKind::LoopBody;
  const FusionPlan plan = planOf(b, {{u, v}});
  EXPECT_EQ(placementOf(plan.kernels[0], t), "register 0->1");
}

/// Returns how T is placed for A→T and T→D in a loop. `second` returns the
/// second launch's grid, block and offset, which may differ from those of the
/// first.
std::string placedInLoop(
    const std::function<std::array<Polynomial, 3>(Polynomial, Polynomial)>
        &second,
    const std::function<Polynomial(Polynomial, Polynomial)> &size) {
  PlanBuilder b;
  const ArrayId a = b.array("A"), t = b.array("T"), d = b.array("D");
  const Polynomial k = b.value("k"), m = b.value("m"),
                   place = global() + param(0);
  b.program().arrays[indexOf(t)].bytes = size(k, m);
  const KernelId copy =
      b.kernel("copy", 2, 1, {read(0, place), write(1, place)});
  const auto launch = [&](ArrayId from, ArrayId to,
                          const std::array<Polynomial, 3> &shape) {
    return b.launch(copy, {{from, Polynomial{}}, {to, Polynomial{}}},
                    {shape[2]}, {shape[0], num(1), num(1)},
                    {shape[1], num(1), num(1)});
  };
  const LaunchId u = launch(a, t, {k, k, k}), v = launch(t, d, second(k, m));
  b.program().regions[0].kind = RegionKind::LoopBody;
  return placementOf(planOf(b, {{u, v}}).kernels[0], t);
}

TEST(Liveness, ConditionsOfAnArraysSizeHoldInAllIterationsOrNone) {
  using P = const Polynomial &;
  const auto sized = [](P k, P m) { return k * m; };
  const auto half = [](P k, P) { return k; };
  using Second =
      std::function<std::array<Polynomial, 3>(Polynomial, Polynomial)>;
  const Second seconds[] = {
      [](P k, P m) { return std::array{m, k, k}; },
      [](P k, P m) { return std::array{k, m, k}; },
      [](P k, P m) { return std::array{k, k, m}; },
  };
  for (const Second &second : seconds) {
    SCOPED_TRACE(&second - seconds);
    EXPECT_EQ(placedInLoop(second, sized), "never stored 0->1");
    EXPECT_EQ(placedInLoop(second, half), "register 0->1");
  }
}

} // namespace
} // namespace kfuse
