//===- ReadersTest.cpp - Readers of what a launch stored ------------------===//

#include "PlanBuilder.h"

#include "fusion/dependence/ArrayLiveness.h"

#include <gtest/gtest.h>

#include <functional>

namespace kfuse {
namespace {

using namespace test;

/// Builds launches of which one writes an array, another one writes it again,
/// and a third one reads it.
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
  /// Checks whether anyone reads what the first launch stored.
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

TEST(ArrayLiveness, OnlyAllThatWasStoredIsStoredAgain) {
  using R = Rewriting;
  EXPECT_FALSE(isReadWith([](R &) {}));
  // The second store covers half of an array of unknown size.
  EXPECT_TRUE(isReadWith([](R &r) {
    r.builder.program().arrays[0].bytes.reset();
    r.again[0].guard = {less(global(), num(128))};
  }));
  // Both stores may be anywhere.
  EXPECT_TRUE(isReadWith([](R &r) {
    r.once[0].index = r.again[0].index = NotPolynomial::Indirect;
  }));
  // The second store covers only the second or the first half of each element.
  for (const std::uint32_t offset : {2U, 0U})
    EXPECT_TRUE(isReadWith([&](R &r) {
      r.again[0].offset = offset;
      r.again[0].width = 2;
    })) << offset;
  // Both start at the second element, but the second store's elements are twice
  // as long.
  EXPECT_TRUE(isReadWith([](R &r) {
    r.once[0].guard = r.again[0].guard = {atLeast(global(), num(1))};
    r.again[0].elementBytes = r.again[0].width = 8;
  }));
  // The store runs in a loop with an unknown trip count.
  EXPECT_TRUE(isReadAfter([](R &r, Launch &again) {
    Kernel &kernel = r.builder[again.kernel];
    kernel.loops.push_back({r.builder.value("trips"), {}});
    kernel.accesses[0].loops = {0};
  }));
}

TEST(ArrayLiveness, WhatAsksForTooMuchOverwritesNothing) {
  // The number of threads isn't known to be allowed for the other kernel.
  EXPECT_TRUE(isReadWith([](Rewriting &r) {
    const Polynomial blocks = r.builder.value("blocks"),
                     threads = r.builder.value("threads");
    r.grid[0] = blocks;
    r.block[0] = threads;
    r.builder.program().arrays[0].bytes = blocks * threads * num(4);
  }));
  // There are 2^72 threads, which overflow to 0 in 64 bits.
  EXPECT_TRUE(isReadAfter([](Rewriting &, Launch &again) {
    again.grid.extent[0] = num(1);
    again.block.extent = {num(256), num(1LL << 32), num(1LL << 32)};
  }));
  EXPECT_TRUE(isReadAfter(
      [](Rewriting &, Launch &again) { again.sharedBytes.value = num(-1); }));
}

TEST(ArrayLiveness, OnlyWhatIsKnownOverwrites) {
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
  // The effects of a launch that isn't a member aren't known, either.
  EXPECT_EQ(launches([](Rewriting &p) {
              p.builder.step(StepKind::Launch, {{p.array, false, true}});
            }),
            1U);
}

/// Moves all steps except the loop itself into a loop.
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

// The loop stores S[i + k], reads S[i] and stores S[i + k] again, with another
// k in each iteration.
TEST(ArrayLiveness, TheNextIterationStoresElsewhere) {
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

// Builds launches of which the second one fails if it has more than 65535 rows.
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

TEST(ArrayLiveness, RowsBeyondTheGridsLimit) {
  Rows p;
  const LaunchId first = p.launch({write(0, p.flat)}, true);
  p.launch({write(0, p.row)}, false);
  p.launch({read(0, p.flat)}, true);
  p.b.problem();
  EXPECT_FALSE(readersOfStores(p.b.program(), first, p.s).isNobody());
}

} // namespace
} // namespace kfuse
