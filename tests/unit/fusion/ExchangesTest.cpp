//===- tests/unit/fusion/ExchangesTest.cpp - Copies as swaps ------===//

#include "PlanBuilder.h"

#include "fusion/Exchanges.h"

#include <gtest/gtest.h>

#include <functional>

namespace kfuse {
namespace {

using namespace test;

/// `p[index] = q[index]` for pointers p and q.
std::vector<Access> copies(std::uint32_t to, std::uint32_t from,
                           const Polynomial &index, const Guard &guard,
                           std::uint32_t number = 0) {
  Access store = write(to, index, guard);
  store.copyOf = number;
  return {read(from, index, guard), store};
}

/// A and B, of n elements, and a launch that copies B to A.
struct Copying {
  PlanBuilder builder;
  Polynomial n;
  ArrayId a, b;
  LaunchId copy{};

  Copying() {
    n = builder.value("n");
    a = array("A");
    b = array("B");
  }
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
  /// Enough blocks of 256 threads for n.
  Polynomial blocks() {
    return Polynomial(builder.program().terms.intern(
        {TermKind::Divide, 0, {n + num(255), num(256)}}));
  }
  LaunchId launch(std::vector<Access> accesses, std::vector<ArrayId> arrays,
                  Polynomial grid) {
    const KernelId kernel = builder.kernel(
        "k", static_cast<unsigned>(arrays.size()), 1, std::move(accesses));
    std::vector<PointerValue> pointers;
    for (ArrayId array : arrays)
      pointers.push_back({array, Polynomial{}});
    return builder.launch(kernel, pointers, {n},
                          {std::move(grid), num(1), num(1)},
                          {num(256), num(1), num(1)});
  }
  void launchCopy() {
    copy = launch(copies(0, 1, global(), {less(global(), param(0))}), {a, b},
                  blocks());
  }
  LaunchId launchRead(ArrayId array) {
    return launch({read(0, global(), {less(global(), param(0))})}, {array},
                  blocks());
  }
  LaunchId launchWrite(ArrayId array, const Constraint &constraint) {
    return launch({write(0, global(), {constraint})}, {array}, blocks());
  }
  CopyVerdict verdict() {
    builder.problem();
    return copyVerdict(builder.program(), builder.program()[copy].step);
  }
};

TEST(Exchanges, ACopyBecomesASwap) {
  Copying program;
  program.launchCopy();
  const CopyVerdict verdict = program.verdict();
  EXPECT_TRUE(verdict.isCopy);
  ASSERT_EQ(verdict.exchanges.size(), 1U) << verdict.why;
  EXPECT_EQ(verdict.exchanges[0].target, program.a);
  EXPECT_EQ(verdict.exchanges[0].source, program.b);
  EXPECT_TRUE(verdict.exchanges[0].sourceIsDead);
}

struct Change {
  const char *why; ///< a part of the reason; empty where the swap stays right
  std::function<void(Copying &)> before, after;
};

TEST(Exchanges, WhatKeepsACopy) {
  const auto nothing = [](Copying &) {};
  const Constraint below = less(global(), param(0));
  const std::vector<Change> changes = {
      {"", nothing, nothing},
      {"", nothing, [](Copying &p) { p.launchRead(p.a); }},
      {"may be read", nothing, [](Copying &p) { p.launchRead(p.b); }},
      {"", nothing,
       [&](Copying &p) {
         p.launchWrite(p.b, below);
         p.launchRead(p.b);
       }},
      {"may be read", nothing,
       [](Copying &p) {
         p.launchWrite(p.b, less(global(), param(0) - num(1)));
         p.launchRead(p.b);
       }},
      {"may be read", nothing,
       [](Copying &p) {
         p.builder.step(StepKind::CopyToHost, {{p.b, true, false}});
       }},
      {"", nothing,
       [](Copying &p) {
         p.builder.step(StepKind::Free, {{p.b, false, true}});
         p.launchRead(p.b);
       }},
      {"", nothing,
       [](Copying &p) {
         p.builder.step(StepKind::Set, {{p.b, false, true}});
         p.builder.program().steps.back().transfer =
             Transfer{{p.b, Polynomial{}}, std::nullopt, p.n * num(4)};
         p.launchRead(p.b);
       }},
      {"may be read", nothing,
       [](Copying &p) {
         p.builder.step(StepKind::Set, {{p.b, false, true}});
         p.builder.program().steps.back().transfer =
             Transfer{{p.b, num(4)}, std::nullopt, p.n * num(4)};
         p.launchRead(p.b);
       }},
      {"can't be followed", nothing,
       [](Copying &p) {
         p.builder.step(StepKind::Opaque, {});
         p.builder.program().steps.back().touchesEverything = true;
       }},
      {"",
       [](Copying &p) {
         p.builder.step(StepKind::Opaque, {});
         p.builder.program().steps.back().touchesEverything = true;
       },
       nothing},
      {"isn't known by one local variable",
       [](Copying &p) { p[p.a].holder.reset(); }, nothing},
      {"isn't known by one local variable",
       [](Copying &p) { p[p.b].escapes = true; }, nothing},
      {"isn't known by one local variable",
       [](Copying &p) { p[p.b].origin = ArrayOrigin::Managed; }, nothing},
      {"one size and type", [](Copying &p) { p[p.b].bytes = p.n * num(8); },
       nothing},
      {"one size and type", [](Copying &p) { p[p.a].bytes.reset(); }, nothing},
      {"one size and type", [](Copying &p) { p[p.b].holder->type = "int *"; },
       nothing},
      {"can't be edited", nothing,
       [](Copying &p) {
         p.builder.program()
             .steps[indexOf(p.builder.program()[p.copy].step)]
             .editable = false;
       }},
      {"assigns variables", nothing,
       [](Copying &p) {
         p.builder.program()
             .steps[indexOf(p.builder.program()[p.copy].step)]
             .assigns = {VariableId{0}};
       }},
      {"several streams", nothing,
       [](Copying &p) {
         p.launchRead(p.a);
         p.builder.program().launches.back().stream.text = "other";
       }},
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Copying program;
    changes[i].before(program);
    program.launchCopy();
    changes[i].after(program);
    const CopyVerdict verdict = program.verdict();
    EXPECT_TRUE(verdict.isCopy) << i;
    EXPECT_EQ(verdict.exchanges.empty(), *changes[i].why != '\0')
        << i << ": " << verdict.why;
    EXPECT_NE(verdict.why.find(changes[i].why), std::string::npos)
        << i << ": " << verdict.why;
  }
}

TEST(Exchanges, OtherKernelsAreNoCopies) {
  Copying program;
  program.copy = program.launch({read(1, global()), write(0, global())},
                                {program.a, program.b}, num(4));
  EXPECT_FALSE(program.verdict().isCopy);
}

} // namespace
} // namespace kfuse
