//===- GroupsTest.cpp - Members, aliases and placements -------------------===//
//
// Tests a group's members, names that may share storage, and placements.
//
//===----------------------------------------------------------------------===//

#include "PlanBuilder.h"

#include "fusion/group/Group.h"
#include "fusion/group/GroupChecks.h"

#include <gtest/gtest.h>

#include <functional>

namespace kfuse {
namespace {

using namespace test;

/// Builds A→B→C, pointwise.
struct Chain {
  PlanBuilder builder;
  ArrayId a = builder.array("A"), b = builder.array("B"),
          c = builder.array("C");
  Polynomial n = builder.value("n");
  LaunchId x = builder.launch(builder.pointwise("one", 1), {a, b}, {n}),
           y = builder.launch(builder.pointwise("two", 1), {b, c}, {n});

  Kernel &kernel(unsigned i) { return builder[KernelId{i}]; }
  /// Gives the kernel with this number a grid-stride loop.
  void loop(unsigned number) {
    const Polynomial i = sym(SymbolKind::StrideIdx, 0);
    kernel(number).gridStride.emplace();
    kernel(number).gridStride->variable = "i";
    kernel(number).gridStride->bound = param(0);
    for (Access &access : kernel(number).accesses) {
      access.index = i;
      access.guard = {less(i, param(0))};
    }
  }
  Launch &launch(unsigned i) { return builder.program().launches[i]; }
  void comeFrom(ArrayOrigin origin, const std::vector<ArrayId> &arrays) {
    for (const ArrayId array : arrays)
      builder.program().arrays[indexOf(array)].origin = origin;
  }
};

std::string verdictAfter(const std::function<void(Chain &)> &change) {
  Chain chain;
  change(chain);
  return chain.builder.verdict({chain.x, chain.y});
}

TEST(Aliasing, OnlyArgumentsOfCudaAreTested) {
  const auto verdict = [](const std::function<void(Chain &)> &change) {
    return verdictAfter([&](Chain &chain) {
      chain.comeFrom(ArrayOrigin::PointerArgument, {chain.a, chain.b, chain.c});
      change(chain);
    });
  };
  EXPECT_EQ(verdict([](Chain &) {}), "fused");
  for (const unsigned written : {0U, 1U})
    EXPECT_EQ(verdict([&](Chain &c) {
                c.kernel(written).accesses[written].index =
                    NotPolynomial::Indirect;
              }),
              "fused")
        << written;
  // A buffer of OpenCL has no address on the host.
  EXPECT_EQ(verdict([](Chain &c) {
              c.builder.program().language = Language::OpenCL;
              c.kernel(0).accesses[0].index = NotPolynomial::Indirect;
            }),
            "MayAlias");
  // The host has no pointer to a device variable.
  EXPECT_EQ(verdict([](Chain &c) {
              c.comeFrom(ArrayOrigin::DeviceVariable, {c.a});
              c.kernel(0).pointers[0].global = c.a;
            }),
            "MayAlias");
  // A pointer may point to any array, so it isn't known what to test.
  for (const unsigned member : {0U, 1U})
    EXPECT_EQ(verdict([&](Chain &c) {
                c.launch(member).pointers[member].array = noneOf<ArrayId>();
              }),
              "MayAlias")
        << member;
}

// A may be B. Within the first stage, memory changes exactly as it did before.
TEST(Aliasing, AStageMayReadWhatItForwardsUnderAnotherName) {
  const auto tests = [](bool isDead) {
    Chain chain;
    chain.comeFrom(ArrayOrigin::PointerArgument, {chain.a, chain.b});
    chain.kernel(0).accesses[0].index = NotPolynomial::Indirect;
    if (isDead)
      chain.builder.options().dead = {"B"};
    return chain.builder.plan({chain.x, chain.y}).conditions.size();
  };
  EXPECT_EQ(tests(false), 0U);
  EXPECT_EQ(tests(true), 1U);
}

TEST(GroupChecks, AStreamOfItsOwnIsntTheDefault) {
  EXPECT_EQ(verdictAfter([](Chain &chain) {
              chain.launch(0).stream.text = "s";
              chain.launch(0).stream.value = chain.builder.value("s");
            }),
            "DifferentStream");
}

TEST(GroupChecks, ThreadsOfABlockThatCantBeArentCounted) {
  const auto threads = [](std::int64_t x, std::int64_t y) {
    Launch launch;
    launch.block.extent = {num(x), num(y), num(1)};
    return constantThreads(launch);
  };
  EXPECT_EQ(threads(32, 8), 256U);
  EXPECT_FALSE(threads(0, 8));
  EXPECT_FALSE(threads(32, -1));
  // The product is 0 in 64 bits.
  EXPECT_FALSE(threads(std::int64_t{1} << 32, std::int64_t{1} << 32));
}

TEST(Group, EqualIsWhatOneValueTellsOfTheOther) {
  PlanBuilder builder;
  const Polynomial n = builder.value("n"), m = builder.value("m");
  const Polynomial half =
      makeTerm(builder.program().terms, {TermKind::Divide, 0, {n, num(2)}});
  const auto isAssumed = [&](const Polynomial &lhs, const Polynomial &rhs) {
    Group group;
    group.problem = &builder.problem();
    const bool result = assumeEqual(group, lhs, rhs);
    EXPECT_EQ(result && lhs != rhs, !group.assumed.empty());
    return result;
  };
  EXPECT_TRUE(isAssumed(n, n));
  EXPECT_TRUE(isAssumed(n, num(3) * m + num(1)));
  EXPECT_TRUE(isAssumed(n + m, half));
  EXPECT_FALSE(isAssumed(num(2) * n, num(3) * m));
  // This holds only for an even n.
  EXPECT_FALSE(isAssumed(n, num(2) * half));
  // The difference doesn't fit into 64 bits.
  const Polynomial far = num(INT64_MAX) * m;
  EXPECT_FALSE(isAssumed(n + far, num(-2) * m));
}

TEST(Legality, AtomicsAreSaidToUpdate) {
  PlanBuilder builder;
  const ArrayId a = builder.array("A"), b = builder.array("B");
  const Polynomial n = builder.value("n");
  const LaunchId x = builder.launch(builder.pointwise("one", 1), {a, b}, {n}),
                 y = builder.launch(
                     builder.kernel("two", 1, 1, {atomic(0, num(0), Below)}),
                     {b}, {n});
  const Obstacle obstacle = builder.obstacle({x, y});
  EXPECT_EQ(obstacle.kind, ObstacleKind::AtomicConflict);
  EXPECT_EQ(obstacle.text, "'two' updates B at (0), which any thread of 'one' "
                           "writes");
}

TEST(Legality, PointersThatMayBeAnyAreNotOneArray) {
  PlanBuilder builder;
  const ArrayId a = builder.array("A");
  const Polynomial n = builder.value("n");
  const KernelId one = builder.pointwise("one", 1);
  const KernelId two = builder.kernel(
      "two", 2, 1, {read(1, counter(0), Below), write(0, global(), Below)});
  const LaunchId x = builder.launch(one, {a, noneOf<ArrayId>()}, {n}),
                 y = builder.launch(two, {a, noneOf<ArrayId>()}, {n});
  EXPECT_EQ(builder.verdict({x, y}), "MayAlias");
}

/// Returns the verdict on grid-stride loops over A→B→C, the first in a grid of
/// its own. They also have the accesses `more` to A, B and S; nothing else
/// accesses S.
std::string loopsWith(const std::vector<Access> &more, std::int64_t grid = 7) {
  PlanBuilder builder;
  const ArrayId a = builder.array("A"), b = builder.array("B"),
                c = builder.array("C"), s = builder.array("S");
  const Polynomial n = builder.value("n"), i = sym(SymbolKind::StrideIdx, 0);
  const Guard within = {less(i, param(0))};
  const auto launch = [&](const char *name, ArrayId from, ArrayId to) {
    std::vector<Access> accesses = {read(0, i, within), write(1, i, within)};
    if (from == a)
      accesses.insert(accesses.end(), more.begin(), more.end());
    const KernelId kernel = builder.kernel(name, 3, 1, accesses);
    GridStrideLoop loop;
    loop.variable = "i";
    loop.bound = param(0);
    builder[kernel].gridStride = loop;
    return builder.launch(kernel, {from, to, s}, {n});
  };
  const LaunchId x = launch("one", a, b);
  builder.program().launches[0].grid.extent[0] = num(grid);
  return builder.verdict({x, launch("two", b, c)});
}

TEST(Legality, OnlyWhatIterationsMeetInHasAnOrder) {
  const Polynomial i = sym(SymbolKind::StrideIdx, 0);
  const Guard within = {less(i, param(0))};
  EXPECT_EQ(loopsWith({}), "fused");
  // The threads draw numbers, and those of later iterations are larger.
  EXPECT_EQ(loopsWith({atomic(2, num(0), within)}), "DifferentShape");
  EXPECT_EQ(loopsWith({atomic(2, num(0), within)}, 64), "fused");
  // The loops read an earlier element, first of an array that isn't written.
  EXPECT_EQ(loopsWith({read(0, i - num(1), within)}), "fused");
  EXPECT_EQ(loopsWith({read(1, i - num(1), within)}), "DifferentShape");
}

TEST(Legality, WhatIterationsReadAloneHasNoOrder) {
  // The first kernel also reads the first half of each row of param(1)
  // elements.
  const auto verdict = [](std::int64_t grid) {
    PlanBuilder builder;
    const ArrayId a = builder.array("A"), b = builder.array("B"),
                  c = builder.array("C");
    const Polynomial n = builder.value("n"), w = builder.value("w"),
                     i = sym(SymbolKind::StrideIdx, 0);
    const Polynomial cell = global(1) * param(1) + i;
    const Guard inside = {less(i, param(0)), less(i, param(1))};
    const Guard front = {less(i, param(0)), less(num(2) * i, param(1))};
    const auto launch = [&](const char *name, ArrayId from, ArrayId to,
                            std::int64_t blocks) {
      std::vector<Access> accesses = {read(0, cell, inside),
                                      write(1, cell, inside)};
      if (from == a)
        accesses.push_back(read(1, cell, front));
      const KernelId kernel = builder.kernel(name, 2, 2, accesses);
      GridStrideLoop loop;
      loop.variable = "i";
      loop.bound = param(0);
      builder[kernel].gridStride = loop;
      return builder.launch(
          kernel,
          {PointerValue{from, Polynomial{}}, PointerValue{to, Polynomial{}}},
          {n, w}, {num(blocks), num(16), num(1)}, {num(256), num(1), num(1)});
    };
    const LaunchId x = launch("one", a, b, grid);
    return builder.verdict({x, launch("two", b, c, 64)});
  };
  EXPECT_EQ(verdict(64), "fused");
  EXPECT_EQ(verdict(7), "fused");
}

std::uint32_t elementsAfter(const std::function<void(Chain &)> &change) {
  Chain chain;
  for (const unsigned i : {0U, 1U})
    chain.launch(i).grid.extent[0] = num(1 << 20);
  change(chain);
  return chain.builder.plan({chain.x, chain.y}).elementsPerThread;
}

TEST(PlanGroup, APlanChoosesElements) {
  for (const std::uint32_t planned : {1U, 2U, 8U}) {
    Chain chain;
    for (const unsigned i : {0U, 1U})
      chain.launch(i).grid.extent[0] = num(1 << 20);
    const std::vector<LaunchId> group = {chain.x, chain.y};
    chain.builder.options().plannedElements[group] = planned;
    EXPECT_EQ(chain.builder.plan(group).elementsPerThread, planned);
  }
  // None beyond the blocks that there are.
  Chain chain;
  for (const unsigned i : {0U, 1U})
    chain.launch(i).grid.extent[0] = num(4);
  chain.builder.options().plannedElements[{chain.x, chain.y}] = 8;
  EXPECT_EQ(chain.builder.plan({chain.x, chain.y}).elementsPerThread, 1U);
}

TEST(PlanGroup, ElementsPerThreadAskForMore) {
  EXPECT_GT(elementsAfter([](Chain &) {}), 1U);
  EXPECT_EQ(elementsAfter([](Chain &c) {
              c.kernel(1).features = {{KernelFeature::WarpOperation, {}, ""}};
            }),
            1U);
  EXPECT_EQ(elementsAfter([](Chain &c) {
              c.builder.program().language = Language::OpenCL;
            }),
            1U);
  // Both elements could share a single load.
  EXPECT_EQ(elementsAfter([](Chain &c) {
              c.comeFrom(ArrayOrigin::DeviceVariable, {c.a});
              c.kernel(0).pointers[0].global = c.a;
            }),
            1U);
  EXPECT_EQ(elementsAfter([](Chain &c) { c.loop(0), c.loop(1); }), 1U);
  // A member that runs one iteration of its loop is a thread like any other.
  EXPECT_GT(elementsAfter([](Chain &c) { c.loop(0); }), 1U);
}

TEST(PlanGroup, SharesAndElementsPerThreadExcludeEachOther) {
  // Each thread of the second kernel adds two elements.
  PlanBuilder builder;
  const ArrayId a = builder.array("A"), b = builder.array("B"),
                c = builder.array("C");
  const Polynomial n = builder.value("n"), two = num(2) * global();
  const Guard pair = {less(two + num(1), param(0))};
  const KernelId each = builder.pointwise("each", 1);
  const KernelId sums =
      builder.kernel("sums", 2, 1,
                     {read(0, two, pair), read(0, two + num(1), pair),
                      write(1, global(), pair)});
  const LaunchId x = builder.launch(each, {a, b}, {n}),
                 y = builder.launch(sums, {b, c}, {n});
  builder.program().launches[0].grid.extent[0] = num(1 << 20);
  builder.program().launches[1].grid.extent[0] = num(1 << 19);
  const FusedKernel kernel = builder.plan({x, y});
  EXPECT_EQ(kernel.schedule, Schedule::BlockLocal);
  EXPECT_EQ(kernel.elementsPerThread, 1U);
}

TEST(PlanGroup, TilesAreOfOneShape) {
  const auto verdict = [](std::int64_t offset,
                          const std::function<void(Chain &)> &change) {
    return verdictAfter([&](Chain &chain) {
      Access &load = chain.kernel(1).accesses[0];
      load.index = global() + num(offset);
      load.guard.push_back(atLeast(global(), num(1)));
      change(chain);
    });
  };
  const auto shorter = [](Chain &chain) {
    chain.launch(0).grid.extent[0] = num(63);
  };
  const auto longer = [](Chain &chain) {
    chain.launch(0).grid.extent[0] = num(65);
  };
  EXPECT_EQ(verdict(-1, [](Chain &) {}), "fused");
  EXPECT_EQ(verdict(0, [](Chain &chain) { chain.loop(0); }), "fused");
  EXPECT_EQ(verdict(0, shorter), "fused");
  EXPECT_EQ(verdict(0, longer), "fused");
  EXPECT_EQ(verdict(-1, longer), "DifferentShape");
  EXPECT_EQ(verdict(-1, shorter), "DifferentShape");
}

// The thread of a line is at another place in its block than its cell.
TEST(PlanGroup, TilesAreOfThreadsInTheirPlaces) {
  const auto verdict = [](std::int64_t offset) {
    PlanBuilder builder;
    const Polynomial w = builder.value("w"), h = builder.value("h");
    const auto blocks = [&](const Polynomial &extent, std::int64_t block) {
      return makeTerm(
          builder.program().terms,
          {TermKind::Divide, 0, {extent + num(block - 1), num(block)}});
    };
    std::vector<PointerValue> pointers(3);
    for (const char *name : {"A", "B", "C"})
      pointers[name[0] - 'A'].array = builder.array(name);
    const Polynomial cell = global(1) * param(0) + global(0);
    const Guard inside = {less(global(0), param(0)), less(global(1), param(1)),
                          atLeast(global(0), num(1))};
    const LaunchId x = builder.launch(builder.pointwise("line", 1),
                                      {pointers[0], pointers[1]}, {w * h},
                                      {blocks(w * h, 128), num(1), num(1)},
                                      {num(128), num(1), num(1)}),
                   y = builder.launch(
                       builder.kernel("plane", 2, 2,
                                      {read(0, cell + num(offset), inside),
                                       write(1, cell, inside)}),
                       {pointers[1], pointers[2]}, {w, h},
                       {blocks(w, 16), blocks(h, 16), num(1)},
                       {num(16), num(16), num(1)});
    return builder.verdict({x, y});
  };
  EXPECT_EQ(verdict(0), "fused");
  EXPECT_EQ(verdict(-1), "DifferentShape");
}

TEST(PlanGroup, StoresThatCantGoStay) {
  const auto way = [](const std::function<void(Access &)> &change) {
    PlanBuilder builder;
    const ArrayId a = builder.array("A"), b = builder.array("B"),
                  c = builder.array("C"), d = builder.array("D");
    const Polynomial n = builder.value("n");
    std::vector<Access> accesses = {
        read(0, global(), Below), write(1, global(), Below),
        write(2, global(), Below), write(2, global(), Below)};
    change(accesses.back());
    const LaunchId x = builder.launch(builder.pointwise("one", 1), {a, b}, {n}),
                   y = builder.launch(builder.kernel("two", 3, 1, accesses),
                                      {b, c, d}, {n});
    builder.step(StepKind::CopyToHost, {{c, true, false}});
    return placementOf(builder.plan({x, y}), d);
  };
  EXPECT_EQ(way([](Access &) {}), "never stored 1->");
  EXPECT_EQ(way([](Access &access) { access.editable = false; }), "global");
  EXPECT_EQ(way([](Access &access) { access.offset = access.width = 2; }),
            "global");
  EXPECT_EQ(way([](Access &access) { access.width = 2; }), "global");
}

/// Returns the schedule, or the obstacle, for A→B by element, B→C at indices
/// from memory, and C→D from `offset` away.
std::string calledFrom(std::int64_t offset) {
  PlanBuilder builder;
  std::vector<ArrayId> arrays;
  for (const char *name : {"A", "B", "C", "D"})
    arrays.push_back(builder.array(name));
  const Polynomial n = builder.value("n");
  builder.program().arrays[1].bytes = n * num(4);
  builder.options().exactRounding = false;
  const Guard inside = {less(global(), param(0)), atLeast(global(), num(1))};
  const KernelId gather = builder.kernel(
      "gather", 2, 1,
      {read(0, NotPolynomial::Indirect, Below), write(1, global(), Below)});
  const KernelId shift = builder.kernel(
      "shift", 2, 1,
      {read(0, global() + num(offset), inside), write(1, global(), inside)});
  std::vector<LaunchId> members;
  for (const KernelId kernel : {builder.pointwise("one", 1), gather, shift}) {
    const std::size_t i = members.size();
    members.push_back(builder.launch(kernel, {arrays[i], arrays[i + 1]}, {n}));
    builder.program().launches[i].grid.extent[0] =
        makeTerm(builder.program().terms,
                 {TermKind::Divide, 0, {n + num(255), num(256)}});
  }
  const std::string verdict = builder.verdict(members);
  return verdict == "fused" ? scheduleName(builder.plan(members).schedule)
                            : verdict;
}

TEST(PlanGroup, WhoCallsKeepsItsValues) {
  EXPECT_EQ(calledFrom(0), scheduleName(Schedule::Recompute));
  EXPECT_EQ(calledFrom(-1), "NonPolynomialIndex");
}

TEST(GroupChecks, RegistersAreThoseOfTheLaunchedBlock) {
  const auto verdict = [](std::int64_t one, std::int64_t two) {
    return verdictAfter([&](Chain &chain) {
      const auto cover = [&](unsigned i, std::int64_t threads) {
        chain.launch(i).block.extent[0] = num(threads);
        chain.launch(i).grid.extent[0] = makeTerm(
            chain.builder.program().terms,
            {TermKind::Divide, 0, {chain.n + num(threads - 1), num(threads)}});
      };
      cover(0, one), cover(1, two);
      chain.kernel(0).registers = 64;
    });
  };
  EXPECT_EQ(verdict(1024, 1024), "RegisterLimit");
  EXPECT_EQ(verdict(128, 1024), "fused");
  EXPECT_EQ(verdict(1024, 128), "RegisterLimit");
}

// The first member leads, so blocks are as small as it needs them.
TEST(GroupChecks, LaunchBoundsAreThoseOfTheLaunchedBlock) {
  EXPECT_EQ(verdictAfter([](Chain &chain) {
              for (const unsigned i : {0U, 1U}) {
                const std::int64_t threads = i == 0 ? 128 : 256;
                chain.launch(i).block.extent[0] = num(threads);
                chain.launch(i).grid.extent[0] =
                    makeTerm(chain.builder.program().terms,
                             {TermKind::Divide,
                              0,
                              {chain.n + num(threads - 1), num(threads)}});
              }
              chain.kernel(0).maxThreads = 128;
            }),
            "fused");
}

} // namespace
} // namespace kfuse
