//===- ExchangesTest.cpp - Copies as swaps --------------------------------===//

#include "PlanBuilder.h"

#include "fusion/rewrites/Exchanges.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kfuse {
namespace {

using namespace test;

/// Returns the accesses of `p[index] = q[index]` for pointers p and q.
std::vector<Access> copies(std::uint32_t to, std::uint32_t from,
                           const Polynomial &index, const Guard &guard,
                           std::uint32_t number = 0) {
  Access store = write(to, index, guard);
  store.copyOf = number;
  return {read(from, index, guard), store};
}

/// Returns a stream that isn't the default one.
HostExpr other() {
  HostExpr stream;
  stream.text = "other";
  stream.value = num(1);
  return stream;
}

/// Builds arrays A and B of n elements and a launch that copies B to A.
struct Copying {
  PlanBuilder builder;
  Polynomial n;
  ArrayId a, b;
  LaunchId copy{};
  std::optional<StepId> copyStep; ///< set if the copy isn't a launch

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
  /// Returns enough blocks of 256 threads for n elements.
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
  /// Adds a `cudaMemcpy` to A from B, or from the source of the transfer.
  void transferCopy(Transfer transfer) {
    const StepId step = builder.step(StepKind::CopyOnDevice,
                                     {{a, false, true}, {b, true, false}});
    builder.program().steps.back().transfer = std::move(transfer);
    copyStep = step;
  }
  StepId stepId() {
    return copyStep ? *copyStep : builder.program()[copy].step;
  }
  HostStep &step() { return builder.program().steps[indexOf(stepId())]; }
  Launch &launched() { return builder.program().launches[indexOf(copy)]; }
  CopyVerdict verdict() {
    builder.problem();
    return copyVerdict(builder.program(), stepId());
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
  const char *why; ///< a part of the reason; empty if the swap stays correct
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
         p.builder.program().steps.back().frees = p.b;
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
      // The step may not run.
      {"may be read", nothing,
       [](Copying &p) {
         p.builder.step(StepKind::Free, {{p.b, false, true}});
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
         p.builder.program().launches.back().stream = other();
       }},
      // The launch that reads B may not have ended.
      {"several streams", nothing,
       [](Copying &p) {
         p.builder.program().transferStreams.push_back(other());
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

TEST(Exchanges, WhatKeepsACopyOfOtherShape) {
  const Polynomial place = global();
  const Guard below = {less(place, param(0))};
  struct Case {
    const char *why; ///< a part of the reason; empty if the copy becomes a swap
    std::vector<Access> accesses;
    std::function<void(Copying &)> change = [](Copying &) {};
  };
  const auto launched = [](auto change) {
    return [change](Copying &p) { change(p.launched()); };
  };
  const std::vector<Case> cases = {
      {"", copies(0, 1, place, below)},
      // Not all elements are copied, or an element is copied by several
      // threads.
      {"leave out", copies(0, 1, place, {less(place, param(0) - num(1))})},
      {"leave out", copies(0, 1, place, {below[0], unknown()})},
      {"leave out", copies(0, 1, place, below),
       launched([](Launch &l) { l.grid.extent[0] = num(4); })},
      {"several threads", copies(0, 1, place, below),
       launched([](Launch &l) { l.grid.extent[1] = num(2); })},
      // The arguments have side effects.
      {"can't be edited", copies(0, 1, place, below),
       launched([](Launch &l) { l.grid.expression.isPure = false; })},
      {"can't be edited", copies(0, 1, place, below),
       launched([](Launch &l) { l.block.expression.isPure = false; })},
      {"can't be edited", copies(0, 1, place, below),
       launched([](Launch &l) { l.sharedBytes.isPure = false; })},
      {"can't be edited", copies(0, 1, place, below),
       launched([](Launch &l) { l.stream.isPure = false; })},
      {"can't be edited", copies(0, 1, place, below), launched([](Launch &l) {
         l.arguments.emplace_back().expression.isPure = false;
       })},
      {"can't be edited", copies(0, 1, place, below),
       [](Copying &p) { p.builder.program().regions[0].isShared = true; }},
      {"several streams", copies(0, 1, place, below),
       [](Copying &p) {
         p.launchRead(p.a);
         p.launched().stream = other();
       }},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Copying program;
    program.copy = program.launch(cases[i].accesses, {program.a, program.b},
                                  program.blocks());
    cases[i].change(program);
    const CopyVerdict verdict = program.verdict();
    EXPECT_TRUE(verdict.isCopy) << i;
    EXPECT_EQ(verdict.exchanges.empty(), *cases[i].why != '\0')
        << i << ": " << verdict.why;
    EXPECT_NE(verdict.why.find(cases[i].why), std::string::npos)
        << i << ": " << verdict.why;
  }
}

TEST(Exchanges, CopiesByTheRuntime) {
  struct Case {
    const char *why;
    std::function<void(Copying &, Transfer &)> change;
  };
  const std::vector<Case> cases = {
      {"", [](Copying &, Transfer &) {}},
      {"leave out",
       [](Copying &, Transfer &t) { t.target.offset = Polynomial(4); }},
      {"leave out",
       [](Copying &, Transfer &t) { t.source->offset = Polynomial(4); }},
      {"leave out",
       [](Copying &p, Transfer &t) { t.bytes = p.n * num(4) - num(4); }},
      {"one local variable",
       [](Copying &, Transfer &t) { t.source->array = noneOf<ArrayId>(); }},
      {"twice", [](Copying &p, Transfer &t) { t.source->array = p.a; }},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Copying program;
    Transfer transfer{{program.a, Polynomial{}},
                      PointerValue{program.b, Polynomial{}},
                      program.n * num(4)};
    cases[i].change(program, transfer);
    program.transferCopy(std::move(transfer));
    const CopyVerdict verdict = program.verdict();
    EXPECT_EQ(verdict.exchanges.empty(), *cases[i].why != '\0')
        << i << ": " << verdict.why;
    EXPECT_NE(verdict.why.find(cases[i].why), std::string::npos)
        << i << ": " << verdict.why;
  }
  for (const bool isShared : {false, true}) {
    Copying program;
    program.transferCopy({{program.a, Polynomial{}},
                          PointerValue{program.b, Polynomial{}},
                          program.n * num(4)});
    if (isShared)
      program.builder.program().regions[0].isShared = true;
    else
      program.step().editable = false;
    EXPECT_NE(program.verdict().why.find("can't be edited"), std::string::npos)
        << isShared;
  }
}

/// Returns the swaps of a kernel that copies between arrays with these numbers,
/// like `AB, BC dead`.
std::string swapsOf(const std::vector<std::pair<unsigned, unsigned>> &moves,
                    bool loadsFirst = false) {
  Copying program;
  const std::vector<ArrayId> arrays = {program.a, program.b, program.array("C"),
                                       program.array("D")};
  const Guard below = {less(global(), param(0))};
  std::vector<Access> accesses;
  for (const auto &[to, from] : moves)
    accesses.push_back(read(from, global(), below));
  if (!loadsFirst)
    accesses.clear();
  for (std::uint32_t i = 0; i < moves.size(); ++i) {
    auto both = copies(moves[i].first, moves[i].second, global(), below,
                       loadsFirst ? i : 2 * i);
    if (!loadsFirst)
      accesses.push_back(both[0]);
    accesses.push_back(both[1]);
  }
  program.copy = program.launch(std::move(accesses), arrays, program.blocks());
  const CopyVerdict verdict = program.verdict();
  std::string text;
  for (const Exchange &exchange : verdict.exchanges)
    text += (text.empty() ? "" : ", ") +
            program.builder.program()[exchange.target].name +
            program.builder.program()[exchange.source].name +
            (exchange.sourceIsDead ? " dead" : "");
  return text.empty() ? verdict.why : text;
}

TEST(Exchanges, SeveralAtOnce) {
  EXPECT_EQ(swapsOf({{0, 1}}), "AB dead");
  EXPECT_EQ(swapsOf({{0, 1}, {2, 3}}), "AB dead, CD dead");
  EXPECT_EQ(swapsOf({{0, 1}, {1, 2}}), "AB, BC dead");
  EXPECT_EQ(swapsOf({{0, 1}, {1, 0}}, true), "AB");
  EXPECT_EQ(swapsOf({{0, 1}, {1, 0}, {2, 3}}, true), "AB, CD dead");
  // B has A's new content, and A's old content is lost.
  EXPECT_NE(swapsOf({{0, 1}, {1, 0}}).find("before it copies"),
            std::string::npos);
  EXPECT_NE(swapsOf({{1, 2}, {0, 1}}).find("before it copies"),
            std::string::npos);
  EXPECT_EQ(swapsOf({{1, 2}, {0, 1}}, true), "AB, BC dead");
  EXPECT_NE(swapsOf({{0, 1}, {2, 1}}).find("twice"), std::string::npos);
  EXPECT_NE(swapsOf({{0, 1}, {0, 2}}).find("twice"), std::string::npos);
  EXPECT_NE(swapsOf({{0, 1}, {1, 2}, {2, 0}}, true).find("rotates"),
            std::string::npos);
}

TEST(Exchanges, OtherKernelsAreNoCopies) {
  const Guard below = {less(global(), param(0))};
  const std::vector<std::function<void(std::vector<Access> &, Copying &)>>
      changes = {
          [](auto &accesses, Copying &) { accesses[1].copyOf.reset(); },
          [](auto &accesses, Copying &) {
            accesses[1].kind = AccessKind::Atomic;
          },
          [](auto &accesses, Copying &) {
            accesses[1].index = global() + num(1);
          },
          [](auto &accesses, Copying &) {
            accesses[0].index = accesses[1].index = NotPolynomial::Indirect;
          },
          [](auto &accesses, Copying &) {
            accesses[0].guard = {less(global(), param(0) + num(1))};
          },
          [](auto &accesses, Copying &) {
            accesses[0].elementBytes = accesses[0].width = 8;
          },
          [](auto &accesses, Copying &) { accesses[1].width = 2; },
          [](auto &accesses, Copying &) { accesses[0].isReinterpreted = true; },
          [](auto &accesses, Copying &) { accesses[1].isReinterpreted = true; },
          [&](auto &accesses, Copying &) {
            accesses.push_back(write(0, global(), below));
          },
      };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Copying program;
    std::vector<Access> accesses = copies(0, 1, global(), below);
    changes[i](accesses, program);
    program.copy = program.launch(std::move(accesses), {program.a, program.b},
                                  program.blocks());
    EXPECT_FALSE(program.verdict().isCopy) << i;
  }
  const std::vector<std::function<void(Kernel &)>> kernels = {
      [](Kernel &k) { k.analysed = false; },
      [](Kernel &k) { k.barriers = 1; },
      [](Kernel &k) { k.features = {{KernelFeature::Printf, {}, ""}}; },
      [](Kernel &k) { k.features = {{KernelFeature::Fence, {}, ""}}; },
  };
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    Copying program;
    program.launchCopy();
    kernels[i](program.builder[program.launched().kernel]);
    EXPECT_FALSE(program.verdict().isCopy) << i;
  }
}

} // namespace
} // namespace kfuse
