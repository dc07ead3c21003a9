//===- FissionsTest.cpp - Launches that are split into several ------------===//

#include "PlanBuilder.h"

#include "fusion/MakePlan.h"
#include "fusion/rewrites/Fissions.h"

#include <gtest/gtest.h>

#include <functional>

namespace kfuse {
namespace {

using namespace test;

std::string print(const std::vector<Fission> &fissions) {
  std::string text;
  for (const Fission &fission : fissions) {
    text += (text.empty() ? "" : " ") +
            std::to_string(indexOf(fission.launch)) + ":";
    for (const PartSet &piece : fission.pieces) {
      text += piece == fission.pieces.front() ? "" : "|";
      for (const std::uint32_t part : piece)
        text += std::to_string(part);
    }
  }
  return text;
}

/// Builds `three(a, u, v, w)`, which computes u, v and w from a in separate
/// parts. Then come `reverse(u, r)`: r[i] = u[n - 1 - i], `copy(v, s)` and
/// `copy(w, t)`.
struct Apart {
  PlanBuilder builder;
  Polynomial n = builder.value("n");
  ArrayId a = builder.array("a"), u = builder.array("u"),
          v = builder.array("v"), w = builder.array("w"),
          r = builder.array("r"), s = builder.array("s"),
          t = builder.array("t");
  std::vector<ArrayId> arrays = {a, u, v, w};
  Groups groups = {{LaunchId{0}}, {LaunchId{1}}, {LaunchId{2}}, {LaunchId{3}}};
  std::function<void(Apart &)> before = [](Apart &) {};

  std::string found() {
    const Constraint below = less(global(), param(0));
    const KernelId three = builder.kernel(
        "three", 4, 1,
        {read(0, global(), {below}), write(1, global(), {below}),
         write(2, global(), {below}), write(3, global(), {below})});
    const KernelId reverse =
        builder.kernel("reverse", 2, 1,
                       {read(0, param(0) - num(1) - global(), {below}),
                        write(1, global(), {below})});
    const KernelId copy = builder.pointwise("copy", 1);
    before(*this);
    builder.launch(three, arrays, {n});
    builder.launch(reverse, {u, r}, {n});
    builder.launch(copy, {v, s}, {n});
    builder.launch(copy, {w, t}, {n});
    FissionCandidate separation;
    separation.kernel = three;
    separation.launches = {LaunchId{0}};
    for (std::uint32_t part = 1; part <= 3; ++part)
      separation.parts.push_back({{0, part}, {part}});
    const Problem &problem = builder.problem();
    const auto plan = makePlan(problem, groups);
    EXPECT_TRUE(std::holds_alternative<FusionPlan>(plan));
    return print(fissions(problem, std::get<FusionPlan>(plan), {separation}));
  }
};

std::string foundAfter(const std::function<void(Apart &)> &change) {
  Apart program;
  change(program);
  return program.found();
}

TEST(Fissions, EachPartThatOthersWantIsAPiece) {
  EXPECT_EQ(Apart().found(), "0:0|1|2");
}

TEST(Fissions, PartsThatAreTogetherWithWhatWantsThemAreOne) {
  EXPECT_EQ(foundAfter([](Apart &program) {
              program.groups = {{LaunchId{0}, LaunchId{2}, LaunchId{3}},
                                {LaunchId{1}}};
            }),
            "0:0|12");
}

TEST(Fissions, PartsOfOneArrayAreOne) {
  EXPECT_EQ(foundAfter([](Apart &program) { program.arrays[3] = program.v; }),
            "0:0|12");
  EXPECT_EQ(foundAfter([](Apart &program) { program.arrays[0] = program.u; }),
            "");
}

TEST(Fissions, PartsThatMayBeOneArrayAreOne) {
  EXPECT_EQ(foundAfter([](Apart &program) {
              program.v = program.arrays[2] =
                  program.builder.array("v", ArrayOrigin::PointerArgument);
              program.w = program.arrays[3] =
                  program.builder.array("w", ArrayOrigin::PointerArgument);
            }),
            "0:0|12");
}

TEST(Fissions, KernelsOfAmbiguousSumsStayWhole) {
  for (bool Kernel::*trait :
       {&Kernel::ambiguousSums, &Kernel::sharedProducts}) {
    SCOPED_TRACE(trait == &Kernel::ambiguousSums ? "sums" : "products");
    const auto set = [trait](Apart &program) {
      program.builder[KernelId{0}].*trait = true;
    };
    EXPECT_EQ(foundAfter([&](Apart &program) { program.before = set; }), "");
    EXPECT_EQ(foundAfter([&](Apart &program) {
                program.before = set;
                program.builder.options().exactRounding = false;
              }),
              "0:0|1|2");
  }
}

FusionPlan planOf(const std::vector<std::vector<unsigned>> &groups) {
  FusionPlan plan;
  for (const auto &group : groups) {
    FusedKernel kernel;
    for (const unsigned launch : group)
      kernel.launches.push_back(LaunchId{launch});
    plan.kernels.push_back(std::move(kernel));
  }
  return plan;
}

/// Returns what joinIdle() leaves of launches 1 and 3 with three pieces each.
/// The pieces are launches 1 to 3 and 5 to 7 of the program to which `groups`
/// refers. Launches from 9 on share no array with others.
std::string joined(const std::vector<std::vector<unsigned>> &groups,
                   bool isChanged) {
  std::vector<Fission> all = {{LaunchId{1}, 0, {{0}, {1}, {2}}},
                              {LaunchId{3}, 0, {{0}, {1}, {2}}}};
  Program program;
  for (std::uint32_t i = 0; i < 12; ++i) {
    Launch &launch = program.launches.emplace_back();
    launch.pointers = {{ArrayId{i < 9 ? 0 : i}, Polynomial{}}};
  }
  EXPECT_EQ(joinIdle(all, program, planOf(groups)), isChanged);
  return print(all);
}

TEST(Fissions, PiecesWithoutOthersAreJoined) {
  EXPECT_EQ(joined({{0, 1, 5}, {2, 4, 6}, {3, 8}, {7}}, false),
            "1:0|1|2 3:0|1|2");
  EXPECT_EQ(joined({{0, 1}, {2}, {3}, {4, 5}, {6, 7}, {8}}, true),
            "1:0|12 3:0|12");
  EXPECT_EQ(joined({{0, 1, 2}, {3}, {4, 5, 6, 7}, {8}}, true), "1:01|2");
  EXPECT_EQ(joined({{0}, {1, 2}, {3}, {4}, {5}, {6}, {7}, {8}}, true), "");
  // A piece is in a group with an unrelated launch or with a piece of another
  // launch.
  EXPECT_EQ(joined({{0, 1}, {2, 9}, {3}, {4, 5}, {6, 10}, {7, 11}}, true),
            "1:0|12 3:0|12");
  EXPECT_EQ(joined({{0}, {1, 5}, {2, 3}, {4}, {6, 7}, {8}}, true),
            "1:0|12 3:0|12");
}

/// Returns the groups of launches 0 to 4 as numbers. Launches 1 and 3 were in
/// three pieces each, which were grouped as in `was`; now they are in the
/// pieces of `now`.
std::string regroupedAs(const std::vector<std::vector<unsigned>> &was,
                        const std::vector<Fission> &now) {
  const std::vector<Fission> all = {{LaunchId{1}, 0, {{0}, {1}, {2}}},
                                    {LaunchId{3}, 0, {{0}, {1}, {2}}}};
  Program program;
  program.launches.resize(9);
  std::string text;
  for (const auto &group : regrouped(all, now, program, planOf(was))) {
    text += text.empty() ? "" : " ";
    for (const LaunchId launch : group)
      text += std::to_string(indexOf(launch));
  }
  return text;
}

TEST(Fissions, GroupsStayWhenPiecesJoin) {
  const std::vector<std::vector<unsigned>> was = {
      {0, 1, 5}, {2, 3}, {4, 6}, {7}, {8}};
  EXPECT_EQ(regroupedAs(was, {{LaunchId{1}, 0, {{0}, {1}, {2}}},
                              {LaunchId{3}, 0, {{0}, {1}, {2}}}}),
            "015 23 46 7 8");
  EXPECT_EQ(regroupedAs(was, {{LaunchId{1}, 0, {{0}, {1, 2}}},
                              {LaunchId{3}, 0, {{0}, {1}, {2}}}}),
            "014 2 35 6 7");
  // A piece of several kernels gets a group of its own, and the others stay as
  // they were.
  EXPECT_EQ(regroupedAs(was, {{LaunchId{1}, 0, {{0}, {1, 2}}}}), "01 2 3 4 5");
  EXPECT_EQ(regroupedAs({{0, 1, 2, 3}, {4, 5}, {6, 7, 8}}, {}), "01 2 3 4");
}

} // namespace
} // namespace kfuse
