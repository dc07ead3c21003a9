//===- RenamingsTest.cpp - Updates into other arrays ----------------------===//

#include "PlanBuilder.h"

#include "fusion/rewrites/Renamings.h"

#include <gtest/gtest.h>

#include <functional>

namespace kfuse {
namespace {

using namespace test;

/// Builds `stencil(u, r)`: r[i] = u[i] + u[i + 1], and then `update(u, r)`:
/// u[i] += r[i].
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
  /// The arguments of the update for its pointers r and u.
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

TEST(Renamings, AnUpdateBehindAStencilHasAnotherPlace) {
  Stepping program;
  const auto found = program.found();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0], (Renaming{LaunchId{1}, 0, program.r}));
}

TEST(Renamings, IterationsMayReadWhatEarlierOnesWrote) {
  const auto isFound = [](bool isLoop) {
    Stepping program;
    program.update[1].index = global() - num(1);
    program.after = [isLoop](Stepping &p) {
      if (isLoop)
        p.builder[KernelId{1}].gridStride.emplace();
    };
    return !program.found().empty();
  };
  EXPECT_TRUE(isFound(false));
  EXPECT_FALSE(isFound(true));
}

TEST(Renamings, WhatKeepsAnUpdateInPlace) {
  const auto place = [](std::int64_t offset) { return global() + num(offset); };
  const Guard below = {Stepping::below()};
  const Guard inner = {less(global(), param(0) - num(1))};
  const std::vector<std::function<void(Stepping &)>> changes = {
      // Nothing prevents fusion as it is.
      [&](Stepping &p) { p.stencil[1].index = global(); },
      // It doesn't write the whole array, or it isn't sure to.
      [&](Stepping &p) { p.update[2].guard = inner; },
      [&](Stepping &p) { p.update[2].guard.push_back(unknown()); },
      [&](Stepping &p) { p.update[2].loops = {0}; },
      [&](Stepping &p) { p.update[2].width = 2; },
      [&](Stepping &p) { p.update[2].index = NotPolynomial::Indirect; },
      // It reads what it wrote.
      [&](Stepping &p) { p.update.push_back(read(0, global(), below)); },
      // Its text can't be changed.
      [&](Stepping &p) { p.update[1].editable = false; },
      [&](Stepping &p) { p.update[2].isReinterpreted = true; },
      [&](Stepping &p) {
        p.after = [](Stepping &q) {
          q.builder[KernelId{1}].text.copyable = false;
        };
      },
      [&](Stepping &p) {
        p.after = [](Stepping &q) {
          q.builder.program().steps.back().editable = false;
        };
      },
      // The other array's content is still needed.
      [&](Stepping &p) { p.update[0].index = place(1); },
      [&](Stepping &p) { p.update.push_back(write(1, global(), below)); },
      [&](Stepping &p) {
        p.update = {p.update[1], p.update[2], read(1, global(), below)};
      },
      [&](Stepping &p) { p.stencil.push_back(read(1, place(1), below)); },
      [&](Stepping &p) {
        p.after = [&](Stepping &q) {
          q.launch({read(0, global(), below)}, {{q.r, Polynomial{}}});
        };
      },
      [&](Stepping &p) {
        p.after = [](Stepping &q) {
          q.builder.step(StepKind::CopyToHost, {{q.r, true, false}});
        };
      },
      // The other array isn't like the first.
      [&](Stepping &p) { p[p.r].bytes = p.n * num(8); },
      [&](Stepping &p) { p[p.r].bytes.reset(); },
      [&](Stepping &p) { p[p.r].holder->type = "int *"; },
      [&](Stepping &p) { p[p.r].holder.reset(); },
      [&](Stepping &p) { p[p.r].escapes = true; },
      [&](Stepping &p) { p[p.u].origin = ArrayOrigin::Managed; },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Stepping program;
    changes[i](program);
    EXPECT_TRUE(program.found().empty()) << i;
  }
}

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
      // The pointer isn't to the array's start, or it is part of an aggregate.
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
      // It is accessed as another type.
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
      // A launch writes storage about which nothing is known.
      [](S &p) {
        p.before = [](S &q) {
          q.launch({write(0, global())}, {{noneOf<ArrayId>(), Polynomial{}}});
        };
      },
      // It writes to a third array.
      [&](S &p) {
        p.updated.push_back({p.array("w"), Polynomial{}});
        p.update.push_back(write(2, global() + num(1), below));
      },
      // An earlier launch with more blocks, or with smaller ones, isn't fused.
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

// The other array may not exist before its first use or in another function.
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
      // The content of `r` is still needed.
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

} // namespace
} // namespace kfuse
