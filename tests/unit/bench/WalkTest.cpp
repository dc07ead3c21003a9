//===- WalkTest.cpp - How groups walk over arrays -------------------------===//

#include "bench/roofline/probes/Walk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace kfuse {
namespace {

constexpr std::size_t GroupSize = 64;

std::vector<Walker> walkersOf(const Walk &walk) {
  std::vector<Walker> walkers;
  for (std::size_t group = 0; group < walk.groups; ++group)
    walkers.emplace_back(walk, group);
  return walkers;
}

/// Returns how often each step of the set is visited in one pass.
std::vector<int> visitsOf(const Walk &walk, std::vector<Walker> &walkers) {
  const auto granule =
      static_cast<std::int32_t>(vectorsPerStep(walk.groupSize));
  std::vector<int> visits(walk.vectors / std::size_t(granule));
  for (Walker &walker : walkers)
    for (std::int32_t step = 0; step < walk.steps; ++step) {
      EXPECT_EQ(walker.place() % granule, 0);
      ++visits.at(std::size_t(walker.place() / granule));
      walker.advance();
    }
  return visits;
}

TEST(Walk, SeesEachVectorOnceAPass) {
  const std::size_t granule = vectorsPerStep(GroupSize);
  for (const std::size_t steps :
       {32, 33, 63, 64, 65, 100, 170, 1000, 1001, 4096}) {
    const std::size_t vectors = steps * granule + 5;
    for (const Walk &walk : {walkShared(vectors, 4, 8, GroupSize),
                             walkApart(vectors, 32, GroupSize),
                             walkAbreast(vectors, 32, GroupSize)}) {
      SCOPED_TRACE(testing::Message() << steps << " steps, " << walk.parts
                                      << " parts, stride " << walk.stride);
      EXPECT_LE(walk.vectors, vectors);
      EXPECT_LE(walk.groups, 32U);
      EXPECT_GT(double(walk.vectors), 0.5 * double(vectors));
      std::vector<Walker> walkers = walkersOf(walk);
      for (int pass = 0; pass < 5; ++pass)
        for (const int visits : visitsOf(walk, walkers))
          ASSERT_EQ(visits, 1);
    }
  }
}

TEST(Walk, SharesASmallSetEvenly) {
  for (const std::size_t steps : {1, 2, 3, 5, 11, 12, 16, 31}) {
    const Walk walk =
        walkShared(steps * vectorsPerStep(GroupSize), 4, 8, GroupSize);
    std::vector<Walker> walkers = walkersOf(walk);
    for (int pass = 0; pass < 50; ++pass) {
      const std::vector<int> visits = visitsOf(walk, walkers);
      const auto [least, most] =
          std::minmax_element(visits.begin(), visits.end());
      EXPECT_LE(*most - *least, 1) << steps << " steps, pass " << pass;
    }
  }
}

TEST(Walk, FollowsAnotherGroupEachPass) {
  for (const std::size_t steps : {3, 13, 31, 32, 48, 1000}) {
    const Walk walk =
        walkShared(steps * vectorsPerStep(GroupSize), 4, 8, GroupSize);
    SCOPED_TRACE(testing::Message() << steps << " steps");
    Walker walker(walk, 1);
    // All jumps come before one comes again, and none leads nowhere.
    std::set<std::int32_t> jumps;
    for (std::int32_t pass = 1; pass < walk.parts; ++pass) {
      const std::int32_t before = walker.part();
      for (std::int32_t step = 0; step < walk.steps; ++step)
        walker.advance();
      jumps.insert((walker.part() - before + walk.parts) % walk.parts);
    }
    EXPECT_EQ(jumps.count(0), 0U);
    EXPECT_EQ(jumps.size(), std::size_t(walk.parts - 1));
  }
}

TEST(Walk, KeepsGroupsOfAUnitApart) {
  // Units may get their groups side by side or in turns.
  constexpr std::size_t Units = 132, PerUnit = 8;
  for (std::size_t steps = 16; steps < Units * PerUnit; steps += 7) {
    const Walk walk = walkShared(steps * vectorsPerStep(GroupSize), Units,
                                 PerUnit, GroupSize);
    for (const std::size_t distance : {std::size_t(1), Units}) {
      std::set<std::int32_t> parts;
      for (std::size_t i = 0; i < PerUnit; ++i)
        parts.insert(Walker(walk, i * distance).part());
      EXPECT_EQ(parts.size(), PerUnit) << steps << " steps";
    }
  }
}

} // namespace
} // namespace kfuse
