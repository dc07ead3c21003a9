//===- tests/unit/fusion/AftermathTest.cpp - What becomes of stores -----===//
//
// Who reads stores later, which are left out, and which go to other arrays.
//
//===----------------------------------------------------------------------===//

#include "PlanBuilder.h"

#include "fusion/Afterlife.h"
#include "fusion/Liveness.h"
#include "fusion/Renamings.h"

#include <gtest/gtest.h>

#include <functional>

namespace kfuse {
namespace {

using namespace test;

//===----------------------------------------------------------------------===//
// Afterlife
//===----------------------------------------------------------------------===//

/// One launch writes an array, another one writes it again, a third reads it.
struct Rewriting {
  PlanBuilder builder;
  ArrayId array = builder.array("S");
  std::vector<Access> once = {write(0, global())}, again = once;
  std::array<Polynomial, 3> grid = {num(2), num(1), num(1)},
                            block = {num(128), num(1), num(1)};
  std::function<void(Rewriting &, Launch &)> change = [](Rewriting &,
                                                         Launch &) {};

  Rewriting() {
    Array &made = builder.program().arrays[indexOf(array)];
    made.bytes = num(4 * 256);
    made.holder = {"S", "float *"};
  }
  LaunchId launch(std::vector<Access> accesses) {
    return builder.launch(builder.kernel("k", 1, 0, std::move(accesses)),
                          {{array, Polynomial{}}}, {}, grid, block);
  }
  /// Whether somebody reads what the first launch stored.
  bool isRead() {
    const LaunchId first = launch(once), second = launch(again);
    launch({read(0, global())});
    change(*this, builder.program().launches[indexOf(second)]);
    builder.problem();
    return !readersOfStores(builder.program(), first, array).isNobody();
  }
};

bool isReadWith(const std::function<void(Rewriting &)> &change) {
  Rewriting program;
  change(program);
  return program.isRead();
}
bool isReadAfter(std::function<void(Rewriting &, Launch &)> change) {
  return isReadWith(
      [&](Rewriting &program) { program.change = std::move(change); });
}

TEST(Afterlife, OnlyAllThatWasStoredIsStoredAgain) {
  using R = Rewriting;
  EXPECT_FALSE(isReadWith([](R &) {}));
  // Half an array of unknown size.
  EXPECT_TRUE(isReadWith([](R &r) {
    r.builder.program().arrays[0].bytes.reset();
    r.again[0].guard = {less(global(), num(128))};
  }));
  // Anywhere, both times.
  EXPECT_TRUE(isReadWith([](R &r) {
    r.once[0].index = r.again[0].index = NotPolynomial::Indirect;
  }));
  // The second half of each element, or the first.
  for (const std::uint32_t offset : {2U, 0U})
    EXPECT_TRUE(isReadWith([&](R &r) {
      r.again[0].offset = offset;
      r.again[0].width = 2;
    }));
  // From the second element on, elements of which are twice as long.
  EXPECT_TRUE(isReadWith([](R &r) {
    r.once[0].guard = r.again[0].guard = {atLeast(global(), num(1))};
    r.again[0].elementBytes = r.again[0].width = 8;
  }));
  // As often as a loop says.
  EXPECT_TRUE(isReadAfter([](R &r, Launch &again) {
    Kernel &kernel = r.builder[again.kernel];
    kernel.loops.push_back({r.builder.value("trips"), {}});
    kernel.accesses[0].loops = {0};
  }));
}

TEST(Afterlife, WhatAsksForTooMuchOverwritesNothing) {
  // No number of threads is known to be allowed to another kernel.
  EXPECT_TRUE(isReadWith([](Rewriting &r) {
    const Polynomial blocks = r.builder.value("blocks"),
                     threads = r.builder.value("threads");
    r.grid[0] = blocks;
    r.block[0] = threads;
    r.builder.program().arrays[0].bytes = blocks * threads * num(4);
  }));
  // 2^72 threads, which 64 bits take for none.
  EXPECT_TRUE(isReadAfter([](Rewriting &, Launch &again) {
    again.grid.extent[0] = num(1);
    again.block.extent = {num(256), num(1LL << 32), num(1LL << 32)};
  }));
  EXPECT_TRUE(isReadAfter(
      [](Rewriting &, Launch &again) { again.sharedBytes.value = num(-1); }));
}

TEST(Afterlife, OnlyWhatIsKnownOverwrites) {
  const auto launches = [](const std::function<void(Rewriting &)> &between) {
    Rewriting program;
    const LaunchId first = program.launch(program.once);
    between(program);
    program.launch({read(0, global())});
    program.builder.problem();
    return readersOfStores(program.builder.program(), first, program.array)
        .launches.size();
  };
  const auto set = [](Rewriting &program, ArrayId array) {
    program.builder.step(StepKind::Set, {{array, false, true}});
    program.builder.program().steps.back().transfer =
        Transfer{{array, Polynomial{}}, std::nullopt, num(4 * 256)};
  };
  EXPECT_EQ(launches([&](Rewriting &p) { set(p, p.array); }), 0U);
  // Another name may be that of other storage.
  EXPECT_EQ(launches([&](Rewriting &p) {
              const ArrayId other = p.builder.array("O"),
                            name = p.builder.array("P", ArrayOrigin::Unknown);
              p.builder.program().arrays.back().candidates = {p.array, other};
              set(p, name);
            }),
            1U);
  // A kernel that can't be followed may store nothing.
  EXPECT_EQ(launches([](Rewriting &p) {
              const LaunchId again = p.launch(p.again);
              p.builder[KernelId{1}].analysed = false;
              p.builder.program()
                  .steps[indexOf(p.builder.program()[again].step)]
                  .kind = StepKind::Opaque;
            }),
            2U);
  // Nor is known what a launch does that is no member.
  EXPECT_EQ(launches([](Rewriting &p) {
              p.builder.step(StepKind::Launch, {{p.array, false, true}});
            }),
            1U);
}

/// Brings all steps but the loop's own into a loop.
void intoLoop(PlanBuilder &builder) {
  Program &program = builder.program();
  const StepId loop = builder.step(StepKind::Loop, {});
  const RegionId body{static_cast<std::uint32_t>(program.regions.size())};
  program.regions.emplace_back();
  program.regions.back().kind = RegionKind::LoopBody;
  program.regions.back().parent = RegionId{0};
  for (const StepId step : program.regions[0].steps)
    if (step != loop) {
      program.steps[indexOf(step)].region = body;
      program.regions.back().steps.push_back(step);
    }
  program.regions[0].steps = {loop};
  program.steps[indexOf(loop)].nested = {body};
  for (Launch &launch : program.launches)
    launch.region = body;
}

// for (...) { S[i + k] = ...; ... = S[i]; S[i + k] = ...; }, with another k
// each time.
TEST(Afterlife, TheNextIterationStoresElsewhere) {
  Rewriting program;
  PlanBuilder &builder = program.builder;
  const KernelId store =
      builder.kernel("store", 1, 1, {write(0, global() + param(0))});
  const Polynomial k = builder.value("k");
  const auto launch = [&] {
    return builder.launch(store, {{program.array, Polynomial{}}}, {k},
                          program.grid, program.block);
  };
  launch();
  const LaunchId reader = program.launch({read(0, global())});
  const LaunchId last = launch();
  intoLoop(builder);
  builder.problem();
  EXPECT_EQ(readersOfStores(builder.program(), last, program.array).launches,
            std::vector{reader});
}

//===----------------------------------------------------------------------===//
// Liveness
//===----------------------------------------------------------------------===//

FusionPlan planOf(PlanBuilder &builder, const Groups &groups) {
  auto plan = makePlan(builder.problem(), groups);
  if (auto *obstacle = std::get_if<Obstacle>(&plan)) {
    ADD_FAILURE() << obstacle->text;
    return {};
  }
  return std::get<FusionPlan>(std::move(plan));
}

/// x: A→T, y: T→C.
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

// A known place in the function, too, whose content ends with the array.
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

// What a member takes or leaves in a register is one of its arrays, not all.
TEST(Liveness, EachArrayPassesByItself) {
  const Guard below = {less(global(), param(0))};
  // one: U = ..., two: T += U, three: ... = T. The next run takes T from
  // memory.
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

  // T is written again, by a macro: its storage has to stay.
  Chain writing;
  writing.builder.program().arrays[indexOf(writing.t)].upkeep = {StepId{0}};
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

// The kernel's condition keeps them apart each time, but another time the other
// name may be that of what was left out.
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

// That nobody reads it after all launches says nothing of the launches.
TEST(Liveness, APromiseIsNotAboutOtherNamesInLaunches) {
  const auto placement = [](bool isRead, bool isMentioned, bool isFused) {
    Chain chain(ArrayOrigin::PointerArgument);
    chain.builder.options().dead = {"T"};
    // Read under another name, beside an array of the program's own.
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

//===----------------------------------------------------------------------===//
// Renamings
//===----------------------------------------------------------------------===//

/// `stencil(u, r)`: r[i] = u[i] + u[i + 1], then `update(u, r)`: u[i] += r[i].
struct Stepping {
  PlanBuilder builder;
  Polynomial n = builder.value("n");
  ArrayId u = array("u"), r = array("r");
  std::vector<Access> stencil = {read(0, global(), {below()}),
                                 read(0, global() + num(1), {below()}),
                                 write(1, global(), {below()})};
  std::vector<Access> update = {read(1, global(), {below()}),
                                read(0, global(), {below()}),
                                write(0, global(), {below()})};
  /// What the update receives, as r and u.
  std::vector<PointerValue> updated = {{u, Polynomial{}}, {r, Polynomial{}}};
  std::function<void(Stepping &)> before = [](Stepping &) {}, after = before;
  LaunchId updating{};

  static Constraint below() { return less(global(), param(0)); }
  ArrayId array(const std::string &name) {
    const ArrayId id = builder.array(name);
    Array &made = (*this)[id];
    made.bytes = n * num(4);
    made.holder = {name, "float *"};
    return id;
  }
  Array &operator[](ArrayId id) {
    return builder.program().arrays[indexOf(id)];
  }
  LaunchId launch(std::vector<Access> accesses,
                  const std::vector<PointerValue> &pointers,
                  std::int64_t more = 0) {
    const Polynomial blocks(builder.program().terms.intern(
        {TermKind::Divide, 0, {n + num(255), num(256)}}));
    const KernelId kernel = builder.kernel(
        "k", static_cast<unsigned>(pointers.size()), 1, std::move(accesses));
    builder[kernel].loops = {{num(2), {}}};
    return builder.launch(kernel, pointers, {n},
                          {blocks + num(more), num(1), num(1)},
                          {num(256), num(1), num(1)});
  }
  Kernel &updateKernel() { return builder[builder.program()[updating].kernel]; }
  std::vector<Renaming> found() {
    before(*this);
    launch(std::move(stencil), {{u, Polynomial{}}, {r, Polynomial{}}});
    updating = launch(std::move(update), updated);
    after(*this);
    return renamings(builder.problem());
  }
};

std::vector<Renaming> foundWith(const std::function<void(Stepping &)> &change) {
  Stepping program;
  change(program);
  return program.found();
}

TEST(Renamings, WhatElseKeepsAnUpdateInPlace) {
  const Guard below = {Stepping::below()};
  const Polynomial before = global() - num(1);
  using S = Stepping;
  const std::vector<std::function<void(S &)>> changes = {
      // No size is known.
      [](S &p) {
        p.builder.program().values[0].isPositive = true;
        for (const ArrayId array : {p.u, p.r}) {
          p[array].bytes = Polynomial{};
          p[array].bytes.reset();
        }
      },
      // The pointer isn't that to its begin, or not by itself.
      [&](S &p) {
        p.updated[0].offset = num(4);
        p.update[1].index = p.update[2].index = before;
      },
      [](S &p) {
        p.after = [](S &q) { q.updateKernel().pointers[0].path = ".data"; };
      },
      // A second pointer reads what the first one wrote.
      [&](S &p) {
        p.updated.push_back({p.u, Polynomial{}});
        p.update.push_back(read(2, global(), below));
      },
      // It is seen as something else.
      [](S &p) { p.update[1].isReinterpreted = true; },
      // Its address is taken.
      [](S &p) { p.update[2].form = AccessForm::Other; },
      // The loop's second iteration reads what the first one wrote.
      [&](S &p) {
        p.update[1].loops = p.update[2].loops = {0};
        p.update.push_back(write(0, global(), below));
      },
      // It is a copy, which the host does by swapping the pointers.
      [](S &p) {
        p.update = {p.update[0], p.update[2]};
        p.after = [](S &q) {
          q.builder.program().steps.back().exchanges = {{q.u, q.r, true}};
        };
      },
      // One of two pointers to the other array reads a neighbour's element.
      [&](S &p) {
        p.updated.push_back({p.r, Polynomial{}});
        p.update[0].index = global() + num(1);
        p.update[1].pointer = 2;
      },
  };
  EXPECT_EQ(foundWith([](S &) {}).size(), 1U);
  for (std::size_t i = 0; i < changes.size(); ++i)
    EXPECT_TRUE(foundWith(changes[i]).empty()) << i;
}

TEST(Renamings, WhatLeavesAnUpdateItsOtherPlace) {
  using S = Stepping;
  const Guard below = {Stepping::below()};
  const std::vector<std::function<void(S &)>> changes = {
      // Storage of which nothing is known.
      [](S &p) {
        p.before = [](S &q) {
          q.launch({write(0, global())}, {{noneOf<ArrayId>(), Polynomial{}}});
        };
      },
      // Writes to a third array.
      [&](S &p) {
        p.updated.push_back({p.array("w"), Polynomial{}});
        p.update.push_back(write(2, global() + num(1), below));
      },
      // An earlier launch of more blocks, or smaller ones, stays apart.
      [&](S &p) {
        p.before = [&](S &q) {
          q.launch({read(0, global() + num(1), below)}, {{q.r, Polynomial{}}},
                   1);
        };
      },
      [&](S &p) {
        p.before = [&](S &q) {
          const LaunchId other = q.launch({read(0, global() + num(1), below)},
                                          {{q.r, Polynomial{}}});
          q.builder.program().launches[indexOf(other)].block.extent[0] =
              num(128);
        };
      },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const auto found = foundWith(changes[i]);
    ASSERT_EQ(found.size(), 1U) << i;
    EXPECT_EQ(found[0].into, ArrayId{1}) << i;
  }
}

// Before its first use and in another function an array may not be there.
TEST(Renamings, TheOtherArrayIsInUse) {
  enum class Use { None, Before, After, Elsewhere };
  const auto isFound = [](Use use) {
    Stepping program;
    const ArrayId s = program.array("s");
    const auto overwrite = [=](Stepping &p) {
      p.launch({write(0, global(), {Stepping::below()})}, {{s, Polynomial{}}});
    };
    if (use == Use::Before || use == Use::Elsewhere)
      program.before = overwrite;
    program.after = [=](Stepping &p) {
      Program &code = p.builder.program();
      // What `r` holds is needed.
      p.builder.step(StepKind::CopyToHost, {{p.r, true, false}});
      if (use == Use::After)
        overwrite(p);
      if (use != Use::Elsewhere)
        return;
      code.regions.push_back(code.regions[0]);
      code.regions[0].steps = {StepId{0}};
      code.regions[1].steps.erase(code.regions[1].steps.begin());
      for (const StepId step : code.regions[1].steps)
        code.steps[indexOf(step)].region = RegionId{1};
      for (std::size_t i = 1; i < code.launches.size(); ++i)
        code.launches[i].region = RegionId{1};
    };
    return !program.found().empty();
  };
  EXPECT_TRUE(isFound(Use::Before));
  EXPECT_FALSE(isFound(Use::None));
  EXPECT_FALSE(isFound(Use::After));
  EXPECT_FALSE(isFound(Use::Elsewhere));
}

// A thread may read what it wrote in an earlier iteration of its loop.
TEST(Renamings, AnUpdateInALoopReadsNothingThatItWrote) {
  const auto isFound = [](std::optional<std::uint32_t> readAgain) {
    Stepping program;
    constexpr std::int64_t Threads = 64 * 256;
    const Polynomial place = sym(SymbolKind::StrideIdx, 0);
    const Guard below = {less(place, param(0))};
    program.stencil = {read(0, place, below), read(0, place + num(1), below),
                       write(1, place, below)};
    program.update = {read(1, place, below), read(0, place, below)};
    if (readAgain)
      program.update.push_back(read(*readAgain, place - num(Threads),
                                    {below[0], atLeast(place, num(Threads))}));
    program.update.push_back(write(0, place, below));
    program.after = [](Stepping &p) {
      for (Launch &launch : p.builder.program().launches) {
        launch.grid.extent[0] = num(64);
        p.builder[launch.kernel].gridStride.emplace();
        p.builder[launch.kernel].loops.clear();
      }
    };
    return !program.found().empty();
  };
  EXPECT_TRUE(isFound(std::nullopt));
  EXPECT_FALSE(isFound(0));
  EXPECT_FALSE(isFound(1));
}

const Guard Below = {less(global(), param(0))};

// `two(b, d, e, c)` writes d[i] and then reads e[i], where e may be d. Nobody
// reads D after the launches, but `two` itself may.
TEST(Liveness, APromiseDoesntCoverWhatAStageReadsUnderAnotherName) {
  PlanBuilder builder;
  const auto given = ArrayOrigin::PointerArgument;
  const ArrayId a = builder.array("A"), b = builder.array("B"),
                c = builder.array("C"), d = builder.array("D", given),
                e = builder.array("E", given);
  const Polynomial n = builder.value("n");
  builder.options().dead = {"D"};
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

// A→D→C and E→D→F. Where E is D, the second group's test fails and its launches
// run as they were: they read what the first should have stored.
TEST(Liveness, APromiseDoesntCoverWhatALaterGroupReadsUnderAnotherName) {
  PlanBuilder builder;
  const auto given = ArrayOrigin::PointerArgument;
  const ArrayId a = builder.array("A"), c = builder.array("C"),
                f = builder.array("F"), d = builder.array("D", given),
                e = builder.array("E", given);
  const Polynomial n = builder.value("n");
  builder.options().dead = {"D"};
  const KernelId copy = builder.pointwise("copy", 1);
  const auto launch = [&](ArrayId from, ArrayId to) {
    return builder.launch(copy, {from, to}, {n});
  };
  const LaunchId w = launch(a, d), x = launch(d, c), y = launch(e, d),
                 z = launch(d, f);
  builder.step(StepKind::CopyToHost, {{c, true, false}, {f, true, false}});
  const auto plan = makePlan(builder.problem(), {{w, x}, {y, z}});
  EXPECT_EQ(placementOf(std::get<FusionPlan>(plan).kernels[0], d),
            "register 0->1");
}

// x: A→T, y: T→C; then u: A→T (first m), v: T (first m), P (first n)→D.
// P may be T; then v reads what x stored in T[m..n).
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

// x: A→T, y: T→C, on k blocks; u: A→T on m blocks; v: T→D on k. {u, v} is fused
// where m == k; elsewhere v reads what x stored.
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

// The same with only {u, v}, in a loop in which m changes.
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

// Of more than 65535 rows the second launch fails.
struct Rows {
  PlanBuilder b;
  Polynomial m = num(70000);
  ArrayId s = array("S"), r = array("R");
  Polynomial flat = global(), row = block(1) * num(256) + thread(0);
  ArrayId array(const std::string &name) {
    const ArrayId id = b.array(name);
    Array &made = b.program().arrays[indexOf(id)];
    made.bytes = m * num(4 * 256);
    made.holder = {name, "float *"};
    return id;
  }
  LaunchId launch(std::vector<Access> accesses, bool isFlat) {
    return b.launch(b.kernel("k", 2, 0, std::move(accesses)),
                    {{s, Polynomial{}}, {r, Polynomial{}}}, {},
                    {isFlat ? m : num(1), isFlat ? num(1) : m, num(1)},
                    {num(256), num(1), num(1)});
  }
};

TEST(Afterlife, RowsBeyondTheGridsLimit) {
  Rows p;
  const LaunchId first = p.launch({write(0, p.flat)}, true);
  p.launch({write(0, p.row)}, false);
  p.launch({read(0, p.flat)}, true);
  p.b.problem();
  EXPECT_FALSE(readersOfStores(p.b.program(), first, p.s).isNobody());
}

} // namespace
} // namespace kfuse
