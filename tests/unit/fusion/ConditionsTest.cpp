//===- ConditionsTest.cpp - Conditions that never or always hold ----------===//
//
// Tests groups whose conditions never hold or always hold.
//
//===----------------------------------------------------------------------===//

#include "PlanBuilder.h"

#include "fusion/group/Conditions.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

using namespace test;

/// Builds a chain of two kernels over n and m elements, each with its own grid
/// and block.
struct Pair {
  PlanBuilder builder;
  Polynomial n = builder.value("n"), m = builder.value("m");
  Polynomial one = builder.value("one"), two = builder.value("two");
  LaunchId first{}, second{};

  void launch(const PerAxis &grid, const PerAxis &block, const PerAxis &grid2,
              const PerAxis &block2) {
    const ArrayId a = builder.array("a"), b = builder.array("b"),
                  c = builder.array("c");
    const KernelId scale = builder.pointwise("scale", 1);
    const KernelId shift = builder.pointwise("shift", 1);
    builder[shift].barriers = 1; // depends on its block
    first = builder.launch(scale, std::vector<PointerValue>{{a}, {b}},
                           {n * num(64)}, grid, block);
    second = builder.launch(shift, std::vector<PointerValue>{{b}, {c}},
                            {m * num(64)}, grid2, block2);
  }
  HostValue &operator[](const Polynomial &value) {
    return builder.program().values[value.asSymbol()->index];
  }
  std::vector<std::string> conditions() {
    std::vector<std::string> names;
    for (const Condition &condition : builder.plan({first, second}).conditions)
      names.push_back(std::to_string(static_cast<int>(condition.kind)));
    return names;
  }
};

TEST(Conditions, ThatNeverHoldAreNamed) {
  Pair pair;
  pair.launch({num(8), num(1), num(1)}, {pair.one, num(1), num(1)},
              {num(8), num(1), num(1)}, {pair.two, num(1), num(1)});
  pair.builder[static_cast<KernelId>(0)].barriers = 1;
  pair[pair.one].usual = {1024};
  pair[pair.two].usual = {128, 256};
  const Obstacle obstacle = pair.builder.obstacle({pair.first, pair.second});
  EXPECT_STREQ(obstacleName(obstacle.kind), "NeverHolds");
  EXPECT_NE(obstacle.text.find("one is never anything but 1024"),
            std::string::npos)
      << obstacle.text;
  EXPECT_NE(obstacle.text.find("two is never anything but 128 and 256"),
            std::string::npos)
      << obstacle.text;
}

TEST(Conditions, ThatMayHoldAreTested) {
  Pair pair;
  pair.launch({num(8), num(1), num(1)}, {pair.one, num(1), num(1)},
              {num(8), num(1), num(1)}, {pair.two, num(1), num(1)});
  pair.builder[static_cast<KernelId>(0)].barriers = 1;
  pair[pair.one].usual = {256, 1024};
  pair[pair.two].usual = {128, 256};
  EXPECT_EQ(pair.builder.verdict({pair.first, pair.second}), "fused");
}

TEST(Conditions, ThatContradictWhatWasTestedAreRefused) {
  for (const bool isGuess : {false, true}) {
    Pair pair;
    pair.launch({num(8), num(1), num(1)}, {pair.one, num(1), num(1)},
                {num(8), num(1), num(1)}, {pair.two, num(1), num(1)});
    pair.builder[static_cast<KernelId>(0)].barriers = 1;
    Launch &launch = pair.builder.program().launches.front();
    launch.given = {{less(pair.one, pair.two), "one < two", isGuess}};
    const Obstacle obstacle = pair.builder.obstacle({pair.first, pair.second});
    EXPECT_STREQ(obstacleName(obstacle.kind), "NeverHolds");
    EXPECT_NE(obstacle.text.find("(one == two), which is never so: one < two"),
              std::string::npos)
        << obstacle.text;
  }
}

TEST(Conditions, OfPlacesThatSeemOutOfReachAreTested) {
  Pair pair;
  pair.launch({num(8), num(1), num(1)}, {pair.one, num(1), num(1)},
              {num(8), num(1), num(1)}, {pair.two, num(1), num(1)});
  pair.builder[static_cast<KernelId>(0)].barriers = 1;
  pair[pair.one].usual = {64};
  Launch &launch = pair.builder.program().launches.front();
  launch.given = {{less(num(64), pair.one), "one > 64", false}};
  EXPECT_EQ(pair.builder.verdict({pair.first, pair.second}), "fused");
}

TEST(Conditions, ThatNeverHoldOfOneShapeAreTriedOfOthers) {
  for (const bool isReversed : {false, true}) {
    Pair pair;
    pair.launch({pair.n, num(1), num(1)}, {num(64), num(1), num(1)},
                {pair.m, num(1), num(1)}, {num(64), num(1), num(1)});
    Launch &launch = pair.builder.program().launches.front();
    launch.given = {{isReversed ? less(pair.n, pair.m) : less(pair.m, pair.n),
                     "n != m", false}};
    const FusedKernel kernel = pair.builder.plan({pair.first, pair.second});
    EXPECT_EQ(kernel.leader, isReversed ? 1U : 0U);
  }
}

TEST(Conditions, ThatAlwaysHoldAreDropped) {
  for (const bool isGuess : {false, true}) {
    Pair pair;
    pair.launch({pair.n, num(1), num(1)}, {num(64), num(1), num(1)},
                {pair.m, num(1), num(1)}, {num(64), num(1), num(1)});
    pair.builder[static_cast<KernelId>(0)].barriers = 1;
    Launch &launch = pair.builder.program().launches.front();
    launch.given = {{{Relation::Zero, pair.n - pair.m}, "n == m", isGuess}};
    // An assertion isn't compiled into every build.
    EXPECT_EQ(pair.conditions().size(), isGuess ? 1U : 0U);
  }
}

TEST(Conditions, ThatExcludeEachOtherLeaveTheBetterKernel) {
  Pair pair;
  pair.launch({pair.n, num(1), num(1)}, {num(64), num(1), num(1)},
              {pair.m, num(1), num(1)}, {num(64), num(1), num(1)});
  const Problem &problem = pair.builder.problem();
  const auto tested = [&](bool isReversed, double seconds) {
    FusedKernel kernel;
    kernel.launches = {pair.first, pair.second};
    Condition condition;
    condition.kind = ConditionKind::AtLeast;
    condition.first = isReversed ? pair.second : pair.first;
    condition.second = isReversed ? pair.first : pair.second;
    condition.polynomial = sym(SymbolKind::GridDim, 0);
    condition.other = sym(SymbolKind::GridDim, 0) + num(1);
    kernel.conditions = {condition};
    kernel.members.resize(1);
    kernel.members.front().seconds = seconds;
    return kernel;
  };
  const auto excluded = [&](const std::vector<FusedKernel> &kernels) {
    std::vector<std::size_t> numbers;
    for (const auto &[number, obstacle] : excludedKernels(problem, kernels))
      numbers.push_back(number);
    return numbers;
  };
  using Numbers = std::vector<std::size_t>;
  EXPECT_EQ(excluded({tested(false, 1), tested(true, 2)}), Numbers{0});
  EXPECT_EQ(excluded({tested(false, 2), tested(true, 1)}), Numbers{1});
  EXPECT_EQ(excluded({tested(true, 1), tested(true, 1)}), Numbers{});
  FusedKernel untested = tested(false, 9);
  untested.conditions.clear();
  EXPECT_EQ(excluded({untested, tested(true, 1)}), Numbers{});
}

} // namespace
} // namespace kfuse
