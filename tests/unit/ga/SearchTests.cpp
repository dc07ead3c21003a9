//===- SearchTests.cpp - Searchers against each other ---------------------===//

#include "ga/Search.h"
#include "ga/problem/AbstractCost.h"
#include "ga/problem/Check.h"
#include "ga/problem/Families.h"
#include "ga/problem/SearchOptions.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace kfuse;

namespace {

using Bits = boost::dynamic_bitset<>;
using Edge = std::pair<std::uint32_t, std::uint32_t>;

/// Describes launches by the arrays that they read and write.
struct Toy {
  std::vector<std::set<int>> reads, writes;
  std::set<int> kept; ///< arrays that must be stored
  double launch = 2;
  std::size_t mostArrays = 100; ///< a group with more arrays is illegal
};

void close(std::vector<Bits> &reach) {
  for (std::size_t i = reach.size(); i-- > 0;)
    for (std::size_t j = i + 1; j < reach.size(); ++j)
      if (reach[i][j])
        reach[i] |= reach[j];
}

PartitionProblem emptyProblem(std::uint32_t size) {
  PartitionProblem problem;
  problem.size = size;
  problem.reach.assign(size, Bits(size));
  problem.separated = problem.kin = problem.reach;
  problem.cost = [](const ItemSet &) { return 1.0; };
  return problem;
}

PartitionProblem edgesOnly(std::uint32_t size, std::vector<Edge> edges) {
  PartitionProblem problem = emptyProblem(size);
  for (auto [from, to] : edges) {
    problem.reach[from].set(to);
    problem.kin[from].set(to);
    problem.kin[to].set(from);
  }
  close(problem.reach);
  return problem;
}

bool meet(const std::set<int> &lhs, const std::set<int> &rhs) {
  return std::any_of(lhs.begin(), lhs.end(),
                     [&](int array) { return rhs.contains(array); });
}

double costOf(const Toy &toy, const ItemSet &set) {
  std::set<int> loaded, made, stored;
  for (std::uint32_t item : set) {
    for (int array : toy.reads[item])
      if (!made.contains(array))
        loaded.insert(array);
    made.insert(toy.writes[item].begin(), toy.writes[item].end());
  }
  for (int array : made) {
    bool isWanted = toy.kept.contains(array);
    for (std::uint32_t item = 0; item < toy.reads.size(); ++item)
      isWanted |= toy.reads[item].contains(array) &&
                  !std::binary_search(set.begin(), set.end(), item);
    if (isWanted)
      stored.insert(array);
  }
  return toy.launch + static_cast<double>(loaded.size() + stored.size());
}

/// Returns a problem in which each array is written once.
PartitionProblem problemOf(const Toy &toy, bool horizontal) {
  PartitionProblem problem =
      emptyProblem(static_cast<std::uint32_t>(toy.reads.size()));
  problem.horizontal = horizontal;
  for (std::uint32_t i = 0; i < problem.size; ++i)
    for (std::uint32_t j = 0; j < problem.size; ++j) {
      problem.reach[i][j] = i < j && meet(toy.writes[i], toy.reads[j]);
      problem.kin[i][j] = i != j && (meet(toy.writes[i], toy.reads[j]) ||
                                     meet(toy.reads[i], toy.writes[j]) ||
                                     meet(toy.reads[i], toy.reads[j]));
    }
  close(problem.reach);
  problem.cost = [toy](const ItemSet &set) -> std::optional<double> {
    std::set<int> arrays;
    for (std::uint32_t item : set) {
      arrays.insert(toy.reads[item].begin(), toy.reads[item].end());
      arrays.insert(toy.writes[item].begin(), toy.writes[item].end());
    }
    if (set.size() > 1 && arrays.size() > toy.mostArrays)
      return std::nullopt;
    return costOf(toy, set);
  };
  return problem;
}

/// Returns the nine kernels that kfuse must always get right.
Toy nineKernels() {
  enum : std::uint8_t { A, B, C, D, E, F, G, H, I, J, K, L };
  Toy toy;
  toy.reads = {{A}, {A}, {B, C}, {F}, {F}, {F}, {H, I}, {I}, {J, K}};
  toy.writes = {{B}, {C}, {D}, {E}, {G}, {H}, {J}, {K}, {L}};
  toy.kept = {D, G, H, L};
  return toy;
}

Toy randomToy(std::uint64_t seed, std::uint32_t size) {
  std::mt19937_64 random(seed);
  Toy toy;
  toy.mostArrays = 4 + random() % 6;
  toy.launch = static_cast<double>(random() % 3);
  int arrays = 3;
  for (std::uint32_t item = 0; item < size; ++item) {
    std::set<int> reads;
    for (std::size_t i = 0; i < 1 + random() % 2; ++i)
      reads.insert(
          static_cast<int>(random() % static_cast<std::uint64_t>(arrays)));
    toy.reads.push_back(reads);
    toy.writes.push_back({arrays});
    if (random() % 4 == 0)
      toy.kept.insert(arrays);
    ++arrays;
  }
  return toy;
}

SearchResult run(const PartitionProblem &problem, SearchKind kind,
                 std::uint64_t seed = 1) {
  SearchOptions options;
  options.kind = kind;
  options.seed = seed;
  return search(problem, options);
}

/// Returns the lowest cost of all partitions by trying each of them, which is
/// slow but reliable.
double bruteForce(const PartitionProblem &problem) {
  double best = INFINITY;
  std::vector<std::uint32_t> groupOf(problem.size);
  auto visit = [&](auto &&self, std::uint32_t item,
                   std::uint32_t groups) -> void {
    if (item == problem.size) {
      Partition partition(groups);
      for (std::uint32_t i = 0; i < problem.size; ++i)
        partition[groupOf[i]].push_back(i);
      if (!checkPartition(problem, partition).empty())
        return;
      double cost = 0;
      for (const ItemSet &set : partition)
        cost += *problem.cost(set);
      best = std::min(best, cost);
      return;
    }
    for (std::uint32_t group = 0; group <= groups; ++group) {
      groupOf[item] = group;
      self(self, item + 1, std::max(groups, group + 1));
    }
  };
  visit(visit, 0, 0);
  return best;
}

TEST(Search, FusesTheNineKernelsIntoThree) {
  const Partition expected = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}};
  for (bool horizontal : {false, true}) {
    // Groups are limited, because a single group of all kernels may pay
    // otherwise.
    Toy toy = nineKernels();
    toy.mostArrays = 5;
    PartitionProblem problem = problemOf(toy, horizontal);
    for (SearchKind kind : {SearchKind::Genetic, SearchKind::Exact})
      EXPECT_EQ(run(problem, kind).partition, expected) << horizontal;
  }
}

TEST(Search, ExactIsBruteForce) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    PartitionProblem problem = problemOf(randomToy(seed, 7), seed % 2 == 0);
    SearchResult result = run(problem, SearchKind::Exact);
    EXPECT_NEAR(result.cost, bruteForce(problem), 1e-9) << seed;
    EXPECT_TRUE(result.provenOptimal);
  }
}

TEST(Search, FewItemsAreSolvedExactlyToo) {
  for (std::uint32_t size : {7U, 10U, 11U}) {
    PartitionProblem problem = problemOf(randomToy(size, size), true);
    SearchOptions options;
    options.lookUpsPerItem = 1;
    EXPECT_FALSE(search(problem, options).provenOptimal);
    options.proves = true;
    const SearchResult result = search(problem, options);
    EXPECT_EQ(checkResult(problem, result), "");
    EXPECT_EQ(result.provenOptimal, size <= 10) << size;
    if (result.provenOptimal)
      EXPECT_NEAR(result.cost, run(problem, SearchKind::Exact).cost, 1e-9);
  }
}

TEST(Search, GeneticFindsTheOptimumOfSmallProblems) {
  int optimal = 0;
  const int problems = 60;
  for (std::uint64_t seed = 0; seed < problems; ++seed) {
    PartitionProblem problem =
        problemOf(randomToy(seed, 8 + static_cast<std::uint32_t>(seed % 6)),
                  seed % 2 == 0);
    SearchResult best = run(problem, SearchKind::Exact);
    SearchResult found = run(problem, SearchKind::Genetic);
    EXPECT_EQ(checkPartition(problem, found.partition), "") << seed;
    EXPECT_GE(found.cost, best.cost - 1e-9) << seed;
    EXPECT_LE(found.cost, best.cost * 1.02 + 1e-9) << seed;
    optimal += found.cost <= best.cost + 1e-9;
  }
  EXPECT_GE(optimal, problems - 1);
}

/// Checks small problems, in which one neighbourhood covers everything and is
/// the first one that is tried.
TEST(Search, GeneticSolvesSmallProblemsAtOnce) {
  for (Family kind : Families)
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      SCOPED_TRACE(testing::Message() << familyName(kind) << " " << seed);
      const PartitionProblem problem = partitionProblem(
          generateProblem(kind, 14, seed, loadDevice("h200").device));
      const SearchResult found = run(problem, SearchKind::Genetic);
      EXPECT_NEAR(found.cost, run(problem, SearchKind::Exact).cost,
                  1e-9 * found.cost);
      EXPECT_EQ(found.generations, 0U);
    }
}

TEST(Search, GreedyIsLegalAndNoWorseThanNothing) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    PartitionProblem problem = problemOf(randomToy(seed, 30), seed % 2 == 0);
    SearchResult greedy = run(problem, SearchKind::Greedy);
    SearchResult genetic = run(problem, SearchKind::Genetic);
    EXPECT_EQ(checkPartition(problem, greedy.partition), "") << seed;
    EXPECT_EQ(checkPartition(problem, genetic.partition), "") << seed;
    EXPECT_LE(greedy.cost, greedy.singles + 1e-9);
    EXPECT_LE(genetic.cost, greedy.cost + 1e-9) << seed;
  }
}

TEST(Search, RepeatsWithTheSeed) {
  PartitionProblem problem = problemOf(randomToy(5, 40), false);
  SearchResult first = run(problem, SearchKind::Genetic, 7);
  SearchResult second = run(problem, SearchKind::Genetic, 7);
  EXPECT_EQ(first.partition, second.partition);
  EXPECT_EQ(first.cost, second.cost);
  EXPECT_EQ(first.evaluations, second.evaluations);
  EXPECT_EQ(first.generations, second.generations);
}

TEST(Search, AsksForEachSetOnce) {
  PartitionProblem problem = problemOf(randomToy(3, 20), false);
  std::map<ItemSet, int> asked;
  auto cost = problem.cost;
  problem.cost = [&asked, cost](const ItemSet &set) {
    ++asked[set];
    return cost(set);
  };
  for (const auto &[set, times] : (run(problem, SearchKind::Genetic), asked))
    EXPECT_EQ(times, 1) << testing::PrintToString(set);
}

TEST(Search, PassesThroughGroupsThatLose) {
  PartitionProblem problem = edgesOnly(3, {{0, 1}, {1, 2}, {0, 2}});
  // Groups of two are slower, groups of three are faster.
  problem.cost = [](const ItemSet &set) -> std::optional<double> {
    return set.size() == 2 ? 5.0 : set.size() == 3 ? 1.5 : 1.0;
  };
  const Partition all = {{0, 1, 2}};
  EXPECT_EQ(run(problem, SearchKind::Genetic).partition, all);
  EXPECT_EQ(run(problem, SearchKind::Exact).partition, all);
}

TEST(Search, KeepsNoGroupWithoutProfit) {
  PartitionProblem problem = edgesOnly(2, {{0, 1}});
  problem.cost = [](const ItemSet &set) -> std::optional<double> {
    return static_cast<double>(set.size());
  };
  const Partition apart = {{0}, {1}};
  for (SearchKind kind :
       {SearchKind::Genetic, SearchKind::Greedy, SearchKind::Exact})
    EXPECT_EQ(run(problem, kind).partition, apart) << static_cast<int>(kind);
}

/// Builds a1 -> b2 and b1 -> a2: each pair is convex, but both together are
/// circular. Numbers must be topological: a1 = 0, b1 = 1, a2 = 2, b2 = 3.
PartitionProblem circularPair() {
  PartitionProblem problem = emptyProblem(4);
  problem.reach[0].set(3);
  problem.reach[1].set(2);
  problem.cost = [](const ItemSet &set) -> std::optional<double> {
    if (set.size() == 1)
      return 1.0;
    if (set == ItemSet{0, 2} || set == ItemSet{1, 3})
      return 1.2;
    return std::nullopt;
  };
  return problem;
}

TEST(Search, NeverTakesBothGroupsOfACircle) {
  PartitionProblem problem = circularPair();
  for (SearchKind kind :
       {SearchKind::Genetic, SearchKind::Greedy, SearchKind::Exact}) {
    SCOPED_TRACE(static_cast<int>(kind));
    SearchResult result = run(problem, kind);
    EXPECT_EQ(checkPartition(problem, result.partition), "");
    EXPECT_NEAR(result.cost, 3.2, 1e-9);
  }
  EXPECT_EQ(checkPartition(problem, {{0, 2}, {1, 3}}),
            "groups wait for each other in a circle");
}

TEST(Search, RandomGroupsAreLegalAndNeedNotPay) {
  const PartitionProblem problem = problemOf(randomToy(3, 40), false);
  const SearchResult one = run(problem, SearchKind::Random, 1);
  const SearchResult other = run(problem, SearchKind::Random, 2);
  EXPECT_EQ(checkPartition(problem, one.partition), "");
  EXPECT_NE(one.partition, other.partition);
  EXPECT_GT(one.cost, run(problem, SearchKind::Greedy).cost);
}

TEST(Search, SolvesALargeProblemWithinItsBudget) {
  PartitionProblem problem = problemOf(randomToy(11, 150), false);
  SearchResult result = run(problem, SearchKind::Genetic);
  EXPECT_EQ(checkPartition(problem, result.partition), "");
  EXPECT_LT(result.cost, result.singles);
}

TEST(Search, TakesAnEmptyProblem) {
  for (SearchKind kind :
       {SearchKind::Genetic, SearchKind::Greedy, SearchKind::Exact}) {
    SCOPED_TRACE(static_cast<int>(kind));
    SearchResult result = run(emptyProblem(0), kind);
    EXPECT_TRUE(result.partition.empty());
    EXPECT_EQ(result.cost, 0);
  }
}

TEST(Search, ExactRefusesWhatItCantEnumerate) {
  PartitionProblem problem = emptyProblem(ExactLimit + 1);
  EXPECT_NE(run(problem, SearchKind::Exact).error, "");
}

/// Returns a problem whose costs are cheap and may be computed by several
/// threads.
PartitionProblem cheap(const Toy &toy, bool horizontal) {
  PartitionProblem problem = problemOf(toy, horizontal);
  problem.hereditary = problem.concurrent = true;
  return problem;
}

TEST(Search, DoesNotDependOnThreads) {
  const PartitionProblem problem = cheap(randomToy(5, 60), false);
  SearchOptions options;
  options.islands = 4;
  options.lookUpsPerItem = 2000;
  const SearchResult one = search(problem, options);
  options.threads = 3;
  const SearchResult three = search(problem, options);
  EXPECT_EQ(one.partition, three.partition);
  EXPECT_EQ(one.evaluations, three.evaluations);
  EXPECT_EQ(one.generations, three.generations);
}

TEST(Search, EveryPartAloneIsLegal) {
  const PartitionProblem problem = cheap(randomToy(9, 40), false);
  for (int without = 0; without < 3; ++without) {
    SearchOptions options;
    options.lookUpsPerItem = 500;
    options.parts = {without != 0, without != 1, without != 2};
    EXPECT_EQ(checkResult(problem, search(problem, options)), "") << without;
  }
}

TEST(Search, BaselinesAreLegal) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const PartitionProblem problem = cheap(randomToy(seed, 30), seed % 2 == 0);
    for (SearchKind kind : {SearchKind::Greedy, SearchKind::Annealing,
                            SearchKind::PlainGenetic, SearchKind::MinCut}) {
      const SearchResult found = run(problem, kind);
      EXPECT_EQ(checkResult(problem, found), "") << seed;
      EXPECT_LT(found.cost, found.singles) << "as good as none: " << seed;
    }
  }
}

TEST(CheckResult, CatchesWrongSums) {
  const PartitionProblem problem = problemOf(nineKernels(), false);
  const SearchResult good = run(problem, SearchKind::Greedy);
  EXPECT_EQ(checkResult(problem, good), "");
  SearchResult bad = good;
  bad.cost *= 1.001;
  EXPECT_EQ(checkResult(problem, bad), "the groups cost something else");
  bad = good;
  bad.singles += 1;
  EXPECT_EQ(checkResult(problem, bad), "the items alone cost something else");
  bad = good;
  bad.partition.pop_back();
  EXPECT_NE(checkResult(problem, bad), "");
}

/// Checks that every mistake that a searcher could make in a good partition is
/// caught.
TEST(CheckResult, CatchesPlantedMistakes) {
  int planted = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const PartitionProblem problem = problemOf(randomToy(seed, 12), false);
    const SearchResult good = run(problem, SearchKind::Exact);
    ASSERT_EQ(checkResult(problem, good), "") << seed;
    const auto plant = [&](auto change, bool isWrong = true) {
      SearchResult bad = good;
      change(bad.partition);
      planted += isWrong;
      EXPECT_TRUE(!isWrong || !checkResult(problem, bad).empty()) << seed;
    };
    plant([](Partition &groups) { groups.erase(groups.begin()); });
    plant([](Partition &groups) { groups.push_back(groups.back()); });
    plant([](Partition &groups) { groups.front().push_back(12); });
    plant([](Partition &groups) { std::swap(groups.front(), groups.back()); },
          good.partition.size() > 1);
    // The result claims the cost of the optimum.
    plant(
        [](Partition &groups) {
          const ItemSet last = groups.back();
          groups.pop_back();
          groups.front().insert(groups.front().end(), last.begin(), last.end());
          std::sort(groups.front().begin(), groups.front().end());
        },
        good.partition.size() > 1);
  }
  EXPECT_GT(planted, 60);
}

TEST(CheckPartition, NamesWhatIsWrong) {
  PartitionProblem problem = edgesOnly(4, {{0, 1}, {1, 2}});
  problem.horizontal = false;
  problem.separated[0].set(2);
  auto cost = problem.cost;
  problem.cost = [cost](const ItemSet &set) -> std::optional<double> {
    return set == ItemSet{1, 2} ? std::nullopt : cost(set);
  };
  struct Case {
    Partition partition;
    const char *error;
  };
  const Case cases[] = {
      {{{0, 1}, {2}, {3}}, ""},
      {{{0}, {1}, {2}}, "item 3 is in no group"},
      {{{0}, {0, 1}, {2}, {3}}, "item 0 is in two groups"},
      {{{0}, {1}, {2}, {3}, {4}}, "item 4 doesn't exist"},
      {{{}, {0}, {1}, {2}, {3}}, "a group is empty"},
      {{{1, 0}, {2}, {3}}, "the group of item 1 is not in order"},
      {{{1}, {0}, {2}, {3}}, "the groups are not in order"},
      {{{0, 1, 2}, {3}}, "item 0 and item 2 may not meet"},
      {{{0, 3}, {1}, {2}}, "item 3 is no kin of its group"},
      {{{0}, {1, 2}, {3}}, "the group of item 1 is illegal"},
  };
  for (const Case &test : cases)
    EXPECT_EQ(checkPartition(problem, test.partition), test.error);
  problem.separated[0].reset();
  EXPECT_EQ(checkPartition(problem, {{0, 2}, {1}, {3}}),
            "item 1 runs between item 0 and item 2");
}

} // namespace
