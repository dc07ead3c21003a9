//===- SweepTests.cpp - Choices of groups ---------------------------------===//

#include "ga/groups/Sweep.h"
#include "ga/problem/Random.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace kfuse;

namespace {

struct Choosable {
  std::vector<std::uint32_t> items;
  double cost = 0;
};

/// Returns single items, and more groups whose items are at most `span` apart.
std::vector<Choosable> randomGroups(std::uint32_t size, std::uint32_t span,
                                    Random &random) {
  std::vector<Choosable> groups;
  for (std::uint32_t item = 0; item < size; ++item)
    groups.push_back({{item}, 1 + random.unit()});
  for (std::uint32_t i = 0; i < 4 * size; ++i) {
    Choosable group{{random.below(size)}, 1};
    for (std::uint32_t j = 1 + random.below(3); j > 0; --j)
      group.items.push_back(
          std::min(size - 1, group.items.front() + 1 + random.below(span)));
    std::sort(group.items.begin(), group.items.end());
    group.items.erase(std::unique(group.items.begin(), group.items.end()),
                      group.items.end());
    group.cost += random.unit();
    groups.push_back(group);
  }
  return groups;
}

double bruteForce(const std::vector<Choosable> &groups,
                  std::vector<bool> &taken, std::size_t next) {
  while (next < taken.size() && taken[next])
    ++next;
  if (next == taken.size())
    return 0;
  double best = 1e9;
  for (const Choosable &group : groups) {
    if (group.items.front() != next ||
        std::any_of(group.items.begin(), group.items.end(),
                    [&](std::uint32_t item) { return taken[item]; }))
      continue;
    for (std::uint32_t item : group.items)
      taken[item] = true;
    best = std::min(best, group.cost + bruteForce(groups, taken, next));
    for (std::uint32_t item : group.items)
      taken[item] = false;
  }
  return best;
}

Sweep sweepOf(std::uint32_t size, const std::vector<Choosable> &groups) {
  Sweep sweep(size);
  for (const Choosable &group : groups)
    EXPECT_TRUE(sweep.add(group.items, group.cost));
  return sweep;
}

/// Checks that the choice has each item once and costs what it claims.
void expectChoice(const std::vector<Choosable> &groups, std::uint32_t size,
                  const SweepResult &result) {
  std::vector<int> times(size);
  double cost = 0;
  for (std::size_t number : result.groups) {
    cost += groups[number].cost;
    for (std::uint32_t item : groups[number].items)
      ++times[item];
  }
  EXPECT_EQ(times, std::vector<int>(size, 1));
  EXPECT_NEAR(cost, result.cost, 1e-9);
}

TEST(Sweep, IsBruteForce) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const auto groups = randomGroups(10, 6, random);
    std::vector<bool> taken(10);
    const auto result = sweepOf(10, groups).run({});
    ASSERT_TRUE(result);
    expectChoice(groups, 10, *result);
    EXPECT_NEAR(result->cost, bruteForce(groups, taken, 0), 1e-9) << seed;
  }
}

/// Checks that masks of taken items may cover more items than they have bits.
TEST(Sweep, TakesManyItemsAndWideGroups) {
  Random random(1);
  const auto groups = randomGroups(300, 120, random);
  const auto result = sweepOf(300, groups).run({.width = 50});
  ASSERT_TRUE(result);
  expectChoice(groups, 300, *result);
  const auto wider = sweepOf(300, groups).run({.width = 2000});
  ASSERT_TRUE(wider);
  EXPECT_LE(wider->cost, result->cost);
}

TEST(Sweep, FindsNothingBelowTheOptimum) {
  Random random(3);
  const auto groups = randomGroups(40, 6, random);
  const auto best = sweepOf(40, groups).run({});
  ASSERT_TRUE(best);
  const auto same = sweepOf(40, groups).run({.cost = best->cost * (1 + 1e-9)});
  ASSERT_TRUE(same);
  EXPECT_NEAR(same->cost, best->cost, 1e-9);
  const auto none = sweepOf(40, groups).run({.cost = best->cost * (1 - 1e-9)});
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->groups.empty());
}

TEST(Sweep, SaysWhenItIsTooMuch) {
  Random random(5);
  const auto groups = randomGroups(40, 20, random);
  EXPECT_FALSE(sweepOf(40, groups).run({.states = 10}));
  const std::vector<std::uint32_t> near = {0, 127}, far = {0, 128};
  EXPECT_TRUE(Sweep(200).add(near, 1));
  EXPECT_FALSE(Sweep(200).add(far, 1));
}

} // namespace
