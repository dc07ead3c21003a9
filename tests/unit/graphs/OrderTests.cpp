//===- OrderTests.cpp - The dependency graph and the order of execution ---===//

#include "Build.h"
#include "graphs/DependencyGraph.h"
#include "graphs/ExecutionGraph.h"
#include "graphs/FusedOrder.h"
#include "graphs/Kinship.h"
#include "graphs/program/PrintProgram.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace kfuse;
using namespace kfuse::test;

namespace {

ExecutionGraph orderOf(const Program &program, bool ignoreTiming = false) {
  return executionOrder(program, dependencies(program), ignoreTiming);
}

bool hasEdge(const ExecutionGraph &order, LaunchId from, LaunchId to,
             OrderReason reason) {
  return std::any_of(order.edges.begin(), order.edges.end(),
                     [&](const OrderEdge &edge) {
                       return edge.from == order.nodeOfLaunch[indexOf(from)] &&
                              edge.to == order.nodeOfLaunch[indexOf(to)] &&
                              edge.reason == reason;
                     });
}

/// Checks whether host code prevents the two launches from being one kernel.
bool isParted(const Program &program, LaunchId first, LaunchId second) {
  return !convexityViolations(orderOf(program), {first, second}).empty();
}

TEST(ExecutionOrder, FindsTheThreeDependences) {
  Builder build;
  ArrayId a = build.array("a"), b = build.array("b"), c = build.array("c");
  LaunchId first = build.launch({a}, {b});
  LaunchId reads = build.launch({b}, {c});
  LaunchId writes = build.launch({}, {b});
  LaunchId apart = build.launch({a}, {});
  ExecutionGraph order = orderOf(build.program());
  EXPECT_TRUE(hasEdge(order, first, reads, OrderReason::ReadAfterWrite));
  EXPECT_TRUE(hasEdge(order, reads, writes, OrderReason::WriteAfterRead));
  EXPECT_TRUE(hasEdge(order, first, writes, OrderReason::WriteAfterWrite));
  EXPECT_TRUE(order.precedes(first, writes));
  EXPECT_FALSE(order.precedes(first, apart));
  EXPECT_FALSE(order.precedes(writes, first));
}

TEST(ExecutionOrder, MarksWhatOnlyMayAlias) {
  Builder build;
  ArrayId p = build.array("p", ArrayOrigin::PointerArgument);
  ArrayId q = build.array("q", ArrayOrigin::PointerArgument);
  LaunchId first = build.launch({}, {p});
  LaunchId second = build.launch({q}, {});
  ExecutionGraph order = orderOf(build.program());
  ASSERT_EQ(order.edges.size(), 1U);
  EXPECT_TRUE(order.edges[0].mayAlias);
  EXPECT_TRUE(order.precedes(first, second));
}

TEST(ExecutionOrder, HostStepsPartOnlyWhatTheyTouch) {
  struct Case {
    StepKind kind;
    bool reads, writes;
    int array; ///< 0 = a (read), 1 = b (written, then read), 2 = unrelated
    bool parts;
  };
  const Case cases[] = {
      {StepKind::CopyToHost, true, false, 1, true},
      {StepKind::CopyToHost, true, false, 0, false},
      {StepKind::CopyToHost, true, false, 2, false},
      {StepKind::CopyToDevice, false, true, 0, true},
      {StepKind::Set, false, true, 2, false},
      {StepKind::Free, false, true, 2, false},
      {StepKind::Synchronize, false, false, 2, false},
      {StepKind::Timing, false, false, 2, true},
      {StepKind::ErrorCheck, false, false, 2, false},
      {StepKind::Plain, false, false, 2, false},
      {StepKind::Opaque, false, false, 2, true},
      {StepKind::Launch, false, false, 2, true},
  };
  for (const Case &test : cases) {
    Builder build;
    ArrayId arrays[] = {build.array("a"), build.array("b"), build.array("x")};
    LaunchId first = build.launch({arrays[0]}, {arrays[1]});
    build.step(test.kind, {{arrays[test.array], test.reads, test.writes}});
    if (!test.reads && !test.writes)
      build.program().steps.back().effects.clear();
    LaunchId second = build.launch({arrays[1]}, {});
    EXPECT_EQ(isParted(build.program(), first, second), test.parts)
        << static_cast<int>(test.kind) << ' ' << test.array;
  }
}

TEST(ExecutionOrder, LaunchesWhoseArgumentsActKeepTheirPlace) {
  // The front end classifies such a statement as opaque, or as a call.
  for (StepKind kind : {StepKind::Launch, StepKind::Opaque, StepKind::Call}) {
    SCOPED_TRACE(static_cast<int>(kind));
    Builder build;
    ArrayId arrays[] = {build.array("a"), build.array("b"), build.array("x")};
    LaunchId first = build.launch({arrays[0]}, {arrays[1]});
    LaunchId acting = build.launch({arrays[2]}, {});
    build.program().steps.back().kind = kind;
    build.program().launches.back().argumentsAct = true;
    LaunchId last = build.launch({arrays[1]}, {});
    ExecutionGraph order = orderOf(build.program());
    EXPECT_EQ(order.nodes[order.nodeOfLaunch[indexOf(acting)]],
              build.program()[acting].step);
    EXPECT_TRUE(order.precedes(first, acting));
    EXPECT_TRUE(order.precedes(acting, last));
    EXPECT_TRUE(isParted(build.program(), first, last));
  }
}

TEST(ExecutionOrder, HostReadsSeeOnlyWhatTheyWaitedFor) {
  struct Case {
    bool waitsBetween, waitsBefore, onlyComputes;
    bool parts, partsEarlier;
  };
  for (const Case &test : {Case{false, false, true, false, false},
                           Case{true, false, true, true, true},
                           Case{false, false, false, true, true},
                           Case{false, true, true, false, true}}) {
    Builder build;
    const ArrayId a = build.array("a", ArrayOrigin::Managed);
    const LaunchId earlier = build.launch({}, {a});
    if (test.waitsBefore)
      build.step(StepKind::Synchronize);
    const LaunchId first = build.launch({a}, {a});
    if (test.waitsBetween)
      build.step(StepKind::Synchronize);
    build.step(StepKind::Call, {{a, true, false}});
    build.program().steps.back().onlyComputes = test.onlyComputes;
    const LaunchId last = build.launch({a}, {});
    EXPECT_EQ(isParted(build.program(), first, last), test.parts);
    EXPECT_EQ(
        !convexityViolations(orderOf(build.program()), {earlier, first, last})
             .empty(),
        test.partsEarlier);
  }
}

TEST(ExecutionOrder, TimingCanBeLeftOut) {
  Builder build;
  ArrayId a = build.array("a");
  LaunchId first = build.launch({}, {a});
  build.step(StepKind::Timing);
  LaunchId second = build.launch({a}, {});
  EXPECT_TRUE(isParted(build.program(), first, second));
  EXPECT_TRUE(
      convexityViolations(orderOf(build.program(), true), {first, second})
          .empty());
}

TEST(ExecutionOrder, WaitingShowsManagedMemory) {
  for (ArrayOrigin origin :
       {ArrayOrigin::Allocation, ArrayOrigin::Managed, ArrayOrigin::Unknown,
        ArrayOrigin::PointerArgument}) {
    SCOPED_TRACE(static_cast<int>(origin));
    Builder build;
    ArrayId a = build.array("a", origin);
    LaunchId first = build.launch({}, {a});
    build.step(StepKind::Synchronize);
    LaunchId second = build.launch({a}, {});
    EXPECT_EQ(isParted(build.program(), first, second),
              origin != ArrayOrigin::Allocation);
    // The caller's pointer is used only after the last wait.
    build.step(StepKind::Synchronize);
    EXPECT_EQ(isParted(build.program(), first, second),
              origin == ArrayOrigin::Managed || origin == ArrayOrigin::Unknown);
  }
}

TEST(ExecutionOrder, SeveralStreamsMakeEveryWaitCount) {
  Builder build;
  ArrayId a = build.array("a"), b = build.array("b");
  LaunchId first = build.launch({}, {a});
  build.step(StepKind::Synchronize);
  LaunchId second = build.launch({a}, {});
  EXPECT_FALSE(isParted(build.program(), first, second));
  LaunchId other = build.launch({}, {b});
  build.program().launches[indexOf(other)].stream.text = "s";
  build.program().launches[indexOf(other)].stream.value =
      Polynomial(Symbol{SymbolKind::HostValue, 0});
  EXPECT_TRUE(isParted(build.program(), first, second));
  EXPECT_TRUE(orderOf(build.program()).precedes(second, other));
}

TEST(ExecutionOrder, LeavingPartsLaunches) {
  Builder build;
  ArrayId a = build.array("a");
  LaunchId first = build.launch({}, {a});
  build.step(StepKind::Plain);
  build.program().steps.back().mayLeave = true;
  LaunchId second = build.launch({a}, {});
  EXPECT_TRUE(isParted(build.program(), first, second));
}

TEST(ExecutionOrder, AKernelThatIsNotFollowedTouchesEverything) {
  Builder build;
  ArrayId a = build.array("a"), b = build.array("b"), c = build.array("c");
  LaunchId first = build.launch({}, {a});
  LaunchId strange = build.launch({}, {c});
  build.program().kernels[1].analysed = false;
  LaunchId last = build.launch({b}, {});
  ExecutionGraph order = orderOf(build.program());
  EXPECT_TRUE(order.precedes(first, strange));
  EXPECT_TRUE(order.precedes(strange, last));
}

TEST(ExecutionOrder, FunctionsAreApart) {
  Builder build;
  ArrayId a = build.array("a", ArrayOrigin::DeviceVariable);
  LaunchId first = build.launch({}, {a});
  build.function();
  LaunchId second = build.launch({a}, {});
  EXPECT_FALSE(orderOf(build.program()).precedes(first, second));
}

TEST(ExecutionOrder, LoopsAreNodesWithTheirEffects) {
  Builder build;
  ArrayId a = build.array("a"), b = build.array("b");
  LaunchId before = build.launch({}, {a});
  build.enter(StepKind::Loop, {{a, true, false}, {b, false, true}});
  LaunchId inside = build.launch({a}, {b});
  build.leave();
  LaunchId after = build.launch({a}, {});
  ExecutionGraph order = orderOf(build.program());
  EXPECT_EQ(order.nodes.size(), 4U);
  EXPECT_TRUE(order.precedes(before, inside));
  EXPECT_TRUE(isParted(build.program(), before, after));
}

TEST(FusedOrder, PutsGroupsAtTheirLastMember) {
  Builder build;
  ArrayId a = build.array("a"), b = build.array("b"), c = build.array("c"),
          d = build.array("d");
  LaunchId k1 = build.launch({a}, {b});
  LaunchId k2 = build.launch({c}, {d});
  LaunchId k3 = build.launch({b}, {});
  auto order = fusedOrder(orderOf(build.program()), {{k1, k3}, {k2}});
  ASSERT_TRUE(order);
  ASSERT_EQ(order->items.size(), 2U);
  EXPECT_EQ(order->items[0].index, 1U);
  EXPECT_EQ(order->items[1].index, 0U);
}

TEST(FusedOrder, MovesAGroupForwardOnlyForItsDependents) {
  Builder build;
  ArrayId a = build.array("a"), b = build.array("b");
  ArrayId x = build.array("x");
  LaunchId k1 = build.launch({}, {a});
  LaunchId k2 = build.launch({a}, {});
  StepId copy = build.step(StepKind::Set, {{x, false, true}});
  LaunchId k4 = build.launch({a}, {b});
  (void)copy;
  // k2 and the host step keep their order; {k1, k4} can't wait until after k2.
  auto order = fusedOrder(orderOf(build.program()), {{k1, k4}, {k2}});
  ASSERT_TRUE(order);
  ASSERT_EQ(order->items.size(), 3U);
  EXPECT_FALSE(order->items[0].isGroup);
  EXPECT_EQ(order->items[1].index, 0U);
  EXPECT_EQ(order->items[2].index, 1U);
}

TEST(FusedOrder, RefusesCircles) {
  Builder build;
  ArrayId x = build.array("x"), y = build.array("y");
  LaunchId a1 = build.launch({}, {x});
  LaunchId b1 = build.launch({}, {y});
  LaunchId a2 = build.launch({y}, {});
  LaunchId b2 = build.launch({x}, {});
  ExecutionGraph order = orderOf(build.program());
  EXPECT_TRUE(convexityViolations(order, {a1, a2}).empty());
  EXPECT_TRUE(convexityViolations(order, {b1, b2}).empty());
  EXPECT_FALSE(fusedOrder(order, {{a1, a2}, {b1, b2}}));
  EXPECT_TRUE(fusedOrder(order, {{a1, a2}, {b1}, {b2}}));
}

TEST(Dependencies, GiveAnArrayAVersionAtEachWrite) {
  Builder build;
  ArrayId a = build.array("a"), b = build.array("b");
  LaunchId k1 = build.launch({a}, {b});
  LaunchId k2 = build.launch({b}, {b});
  LaunchId k3 = build.launch({a, b}, {});
  DependencyGraph deps = dependencies(build.program());
  auto only = [&](const std::vector<std::uint32_t> &list) {
    EXPECT_EQ(list.size(), 1U);
    return list.front();
  };
  std::uint32_t made = only(deps.writes[indexOf(k1)]);
  EXPECT_EQ(only(deps.reads[indexOf(k2)]), made);
  std::uint32_t updated = only(deps.writes[indexOf(k2)]);
  EXPECT_EQ(deps.versions[updated].version, 2U);
  EXPECT_EQ(deps.reads[indexOf(k3)][1], updated);
  EXPECT_EQ(deps.versions[made].readers.size(), 1U);
}

TEST(Dependencies, ALoopReadsWhatItsBodyWroteLast) {
  Builder build;
  ArrayId a = build.array("a");
  StepId loop = build.enter(StepKind::Loop, {{a, true, true}});
  LaunchId inside = build.launch({a}, {a});
  build.leave();
  DependencyGraph deps = dependencies(build.program());
  std::uint32_t made = deps.writes[indexOf(inside)].front();
  EXPECT_EQ(deps.versions[made].readers, std::vector<StepId>{loop});
  EXPECT_EQ(deps.versions.back().writer, loop);
}

TEST(Kinship, CountsThePathOrTheCommonInputs) {
  Builder build;
  ArrayId a = build.array("a"), b = build.array("b"), c = build.array("c"),
          d = build.array("d"), e = build.array("e");
  LaunchId k1 = build.launch({a, d}, {b});
  LaunchId k2 = build.launch({b}, {c});
  LaunchId k3 = build.launch({c}, {});
  LaunchId k4 = build.launch({a, d}, {e});
  LaunchId k5 = build.launch({}, {});
  const Program &program = build.program();
  DependencyGraph deps = dependencies(program);
  ExecutionGraph order = executionOrder(program, deps);
  auto degree = [&](LaunchId lhs, LaunchId rhs) {
    return degreeOfKinship(program, deps, order, lhs, rhs);
  };
  EXPECT_EQ(degree(k1, k2), 1U);
  EXPECT_EQ(degree(k1, k3), 2U);
  EXPECT_EQ(degree(k3, k1), 2U);
  EXPECT_EQ(degree(k1, k4), 2U);
  EXPECT_EQ(degree(k1, k5), 0U);
  EXPECT_TRUE(dependencies(program).shares[indexOf(k1)][indexOf(k2)]);
  EXPECT_TRUE(dependencies(program).shares[indexOf(k1)][indexOf(k4)]);
  EXPECT_FALSE(dependencies(program).shares[indexOf(k1)][indexOf(k3)]);
}

TEST(Kinship, TwoWritersShareTheArray) {
  Builder build;
  ArrayId a = build.array("a");
  LaunchId first = build.launch({}, {a}), second = build.launch({}, {a});
  EXPECT_TRUE(
      dependencies(build.program()).shares[indexOf(first)][indexOf(second)]);
}

TEST(Print, TellsOfEveryPart) {
  Builder build;
  ArrayId a = build.array("a"), b = build.array("b");
  build.launch({a}, {b});
  std::string text = print(build.program());
  for (const char *part :
       {"array a: allocation of float", "kernel k1", "launch of k1 grid (65536",
        "read a[globalIdx.x]", "write b[globalIdx.x]"})
    EXPECT_NE(text.find(part), std::string::npos) << part << '\n' << text;
}

} // namespace
