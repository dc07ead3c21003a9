//===- tests/unit/fusion/RenamingsTest.cpp - Updates into other arrays ----===//

#include "PlanBuilder.h"

#include "fusion/Renamings.h"

#include <gtest/gtest.h>

#include <functional>

namespace kfuse {
namespace {

using namespace test;

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
  std::function<void(Stepping &)> after = [](Stepping &) {};

  static Constraint below() { return less(global(), param(0)); }
  ArrayId array(const std::string &name) {
    const ArrayId id = builder.array(name);
    Array &made = builder.program().arrays[indexOf(id)];
    made.bytes = n * num(4);
    made.holder = {name, "float *"};
    return id;
  }
  Array &operator[](ArrayId id) {
    return builder.program().arrays[indexOf(id)];
  }
  LaunchId launch(std::vector<Access> accesses, std::vector<ArrayId> arrays) {
    const Polynomial blocks(builder.program().terms.intern(
        {TermKind::Divide, 0, {n + num(255), num(256)}}));
    const KernelId kernel = builder.kernel(
        "k", static_cast<unsigned>(arrays.size()), 1, std::move(accesses));
    std::vector<PointerValue> pointers;
    for (ArrayId array : arrays)
      pointers.push_back({array, Polynomial{}});
    return builder.launch(kernel, pointers, {n}, {blocks, num(1), num(1)},
                          {num(256), num(1), num(1)});
  }
  std::vector<Renaming> found() {
    launch(std::move(stencil), {u, r});
    launch(std::move(update), {u, r});
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
      // Nothing is in the way.
      [&](Stepping &p) { p.stencil[1].index = global(); },
      // Not the whole array, or not for sure.
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
      // What the other array holds is needed.
      [&](Stepping &p) { p.update[0].index = place(1); },
      [&](Stepping &p) { p.update.push_back(write(1, global(), below)); },
      [&](Stepping &p) {
        p.update = {p.update[1], p.update[2], read(1, global(), below)};
      },
      [&](Stepping &p) { p.stencil.push_back(read(1, place(1), below)); },
      [&](Stepping &p) {
        p.after = [&](Stepping &q) {
          q.launch({read(0, global(), below)}, {q.r});
        };
      },
      [&](Stepping &p) {
        p.after = [](Stepping &q) {
          q.builder.step(StepKind::CopyToHost, {{q.r, true, false}});
        };
      },
      // It isn't like the first.
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

} // namespace
} // namespace kfuse
