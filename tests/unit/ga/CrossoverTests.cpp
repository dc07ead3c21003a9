//===- CrossoverTests.cpp - Crossover -------------------------------------===//

#include "ga/Search.h"
#include "ga/genetic/Crossover.h"
#include "ga/genetic/RandomOrder.h"
#include "ga/genetic/Rebuild.h"
#include "ga/genetic/Windows.h"
#include "ga/problem/AbstractCost.h"
#include "ga/problem/Check.h"
#include "ga/problem/Families.h"
#include "ga/problem/SearchOptions.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace kfuse;

namespace {

constexpr std::uint64_t Plenty = 1'000'000;

ItemSet allItems(const PartitionProblem &problem) {
  ItemSet items(problem.size);
  std::iota(items.begin(), items.end(), 0U);
  return items;
}

/// Returns a row of items that are kin of the next one; pairs are the best
/// groups.
PartitionProblem rowOfPairs(std::uint32_t size) {
  PartitionProblem problem;
  problem.size = size;
  problem.horizontal = false;
  problem.reach.assign(size, boost::dynamic_bitset<>(size));
  problem.separated = problem.kin = problem.reach;
  for (std::uint32_t item = 1; item < size; ++item) {
    problem.kin[item - 1].set(item);
    problem.kin[item].set(item - 1);
  }
  problem.cost = [](const ItemSet &set) -> std::optional<double> {
    return set.size() == 1 ? 1.0 : set.size() == 2 ? 1.2 : 9.0;
  };
  return problem;
}

TEST(Crossover, TakesTheBestOfEverybody) {
  const PartitionProblem problem = rowOfPairs(8);
  const Relations relations(problem);
  CostMemo memo(relations);
  Costs costs(memo, Plenty);
  GroupPool pool(problem.size);
  Grouping child({{0, 1}, {2}, {3}, {4}, {5}, {6}, {7}}, costs);
  pool.add(child);
  pool.add(Grouping({{0}, {1, 2}, {3, 4}, {5}, {6}, {7}}, costs));
  pool.add(Grouping({{0}, {1}, {2, 3}, {4, 5}, {6, 7}}, costs));
  EXPECT_EQ(recombine(child, pool, {0, 1, 2, 3, 4, 5}, costs),
            (ItemSet{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(child.partition(), (Partition{{0, 1}, {2, 3}, {4, 5}, {6}, {7}}));
  EXPECT_EQ(recombine(child, pool, {0, 1, 2, 3, 4, 5}, costs), ItemSet());
}

TEST(Crossover, TriesWhatIsMuchLikeKnownGroups) {
  PartitionProblem problem = rowOfPairs(8);
  problem.hereditary = true;
  const Relations relations(problem);
  CostMemo memo(relations);
  Costs costs(memo, Plenty);
  GroupPool pool(problem.size);
  Grouping child({{0}, {1, 2}, {3, 4}, {5, 6}, {7}}, costs);
  pool.add(child);
  EXPECT_FALSE(recombine(child, pool, allItems(problem), costs).empty());
  EXPECT_EQ(child.partition(), (Partition{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
}

TEST(Crossover, IsLegalAndNeverWorse) {
  int better = 0;
  for (Family kind : Families)
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      SCOPED_TRACE(testing::Message() << familyName(kind) << " " << seed);
      const PartitionProblem problem = partitionProblem(
          generateProblem(kind, 80, seed, loadDevice("h200").device));
      const Relations relations(problem);
      CostMemo memo(relations);
      Costs costs(memo, Plenty);
      Random random(seed);
      GroupPool pool(problem.size);
      for (int i = 0; i < 6; ++i)
        pool.add(cutRandomOrder(costs, random));
      Grouping child = cutRandomOrder(costs, random);
      pool.add(child);
      const double before = child.cost();
      const bool isBetter =
          !recombine(child, pool, allItems(problem), costs).empty();
      EXPECT_EQ(checkPartition(problem, child.partition()), "");
      EXPECT_EQ(isBetter, child.cost() < before);
      better += isBetter;
    }
  EXPECT_GT(better, 10);
}

/// Checks the row with circles, in which 0 and 3 wait for 4 and 1. Triples are
/// legal if 5 isn't in any of them.
TEST(Rebuild, KeepsWhatIsLegal) {
  PartitionProblem problem = rowOfPairs(8);
  problem.horizontal = true;
  problem.reach[0].set(4);
  problem.reach[1].set(3);
  problem.cost = [](const ItemSet &set) -> std::optional<double> {
    if (set.size() > 3 ||
        (set.size() > 1 && std::count(set.begin(), set.end(), 5U) != 0))
      return std::nullopt;
    return 1.0;
  };
  const Relations relations(problem);
  CostMemo memo(relations);
  Costs costs(memo, Plenty);
  const std::pair<Partition, Partition> cases[] = {
      {{}, {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}},
      {{{0, 1, 2}, {3}, {4, 6}, {5}, {7}}, {{0, 1, 2}, {3}, {4, 6}, {5}, {7}}},
      {{{0, 1, 2, 6}, {3}, {4, 5, 7}}, {{0, 1, 2}, {3}, {4, 7}, {5}, {6}}},
      {{{0, 3}, {1, 4}, {2}, {5}, {6}, {7}},
       {{0, 3}, {1}, {2}, {4}, {5}, {6}, {7}}},
  };
  for (const auto &[wanted, found] : cases)
    EXPECT_EQ(rebuild(wanted, costs).partition(), found);
}

TEST(Rebuild, IsWhereASearchStarts) {
  const PartitionProblem problem = partitionProblem(
      generateProblem(Family::Weather, 60, 1, loadDevice("h200").device));
  SearchOptions options;
  const SearchResult best = search(problem, options);
  options.start = best.partition;
  options.lookUpsPerItem = 1;
  EXPECT_LE(search(problem, options).cost, best.cost);
  EXPECT_LT(search(problem, options).evaluations, best.evaluations);
}

} // namespace
