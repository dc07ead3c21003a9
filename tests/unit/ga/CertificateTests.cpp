//===- CertificateTests.cpp - Lower bounds and proofs ---------------------===//

#include "ga/Search.h"
#include "ga/exact/Certify.h"
#include "ga/exact/LinearProgram.h"
#include "ga/groups/GroupList.h"
#include "ga/problem/AbstractCost.h"
#include "ga/problem/Check.h"
#include "ga/problem/Families.h"
#include "ga/problem/SearchOptions.h"

#include <gtest/gtest.h>

using namespace kfuse;

namespace {

PartitionProblem family(Family kind, std::uint32_t size, std::uint64_t seed) {
  return partitionProblem(
      generateProblem(kind, size, seed, loadDevice("h200").device));
}

SearchResult run(const PartitionProblem &problem, SearchKind kind) {
  SearchOptions options;
  options.kind = kind;
  return search(problem, options);
}

/// Returns the lowest cost of all partitions by trying each of them.
double bruteForce(const PartitionProblem &problem) {
  double best = INFINITY;
  Partition partition;
  auto visit = [&](auto &&self, std::uint32_t item) -> void {
    if (item == problem.size) {
      double cost = 0;
      for (const ItemSet &group : partition)
        cost += problem.cost(group).value_or(INFINITY);
      if (cost < best && checkPartition(problem, partition).empty())
        best = cost;
      return;
    }
    for (std::size_t group = 0; group < partition.size(); ++group) {
      partition[group].push_back(item);
      self(self, item + 1);
      partition[group].pop_back();
    }
    partition.push_back({item});
    self(self, item + 1);
    partition.pop_back();
  };
  visit(visit, 0);
  return best;
}

TEST(Exact, IsBruteForceOnEveryFamily) {
  for (Family kind : Families)
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const auto size = static_cast<std::uint32_t>(2 + seed % 8);
      const PartitionProblem problem = family(kind, size, seed);
      const SearchResult found = run(problem, SearchKind::Exact);
      EXPECT_EQ(checkResult(problem, found), "");
      EXPECT_NEAR(found.cost, bruteForce(problem), 1e-9 * found.cost)
          << familyName(kind) << " " << seed;
    }
}

TEST(Genetic, IsExactOnSmallProblemsOfEveryFamily) {
  for (Family kind : Families)
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto size = static_cast<std::uint32_t>(6 + seed % 9);
      const PartitionProblem problem = family(kind, size, seed);
      const SearchResult best = run(problem, SearchKind::Exact);
      const SearchResult found = run(problem, SearchKind::Genetic);
      EXPECT_EQ(checkResult(problem, found), "");
      EXPECT_NEAR(found.cost, best.cost, 1e-9 * best.cost)
          << familyName(kind) << " " << seed;
    }
}

/// Compares the list with all sets of a small problem.
TEST(GroupList, HasEveryGroupOnce) {
  for (Family kind : Families)
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      SCOPED_TRACE(testing::Message() << familyName(kind) << " " << seed);
      const PartitionProblem problem = family(kind, 11, seed);
      const Relations relations(problem);
      std::vector<ItemSet> expected, listed;
      for (std::uint32_t mask = 1; mask < 1U << 11U; ++mask) {
        ItemSet set;
        for (std::uint32_t item = 0; item < 11; ++item)
          if ((mask >> item & 1U) != 0)
            set.push_back(item);
        if (mayBeGroup(relations, set) && problem.cost(set))
          expected.push_back(set);
      }
      const GroupList groups = listGroups(relations, 1U << 20U);
      EXPECT_TRUE(groups.isComplete);
      for (std::size_t i = 0; i < groups.size(); ++i) {
        listed.emplace_back(groups[i].begin(), groups[i].end());
        EXPECT_EQ(groups.costs[i], problem.cost(listed.back()));
      }
      std::sort(expected.begin(), expected.end());
      std::sort(listed.begin(), listed.end());
      EXPECT_EQ(listed, expected);
    }
}

TEST(GroupList, SaysWhenItStops) {
  const PartitionProblem problem = family(Family::Sharing, 30, 1);
  EXPECT_FALSE(listGroups(Relations(problem), 10).isComplete);
}

TEST(Certificate, IsNeverAboveTheOptimum) {
  for (Family kind : Families)
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      SCOPED_TRACE(testing::Message() << familyName(kind) << " " << seed);
      const PartitionProblem problem = family(kind, 14, seed);
      const SearchResult best = run(problem, SearchKind::Exact);
      const SearchResult poor = run(problem, SearchKind::Greedy);
      const Certificate bound = certify(problem, poor.partition, {});
      EXPECT_NE(bound.kind, BoundKind::None);
      EXPECT_LE(bound.bound, best.cost * (1 + 1e-9));
      EXPECT_GE(bound.bound, best.cost * 0.5) << "as good as none";
    }
}

TEST(Certificate, KnowsWhenThereAreTooManyGroups) {
  const PartitionProblem problem = family(Family::Sharing, 30, 1);
  CertifyOptions options;
  options.mostSets = 10;
  EXPECT_EQ(
      certify(problem, run(problem, SearchKind::Greedy).partition, options)
          .kind,
      BoundKind::None);
}

TEST(Prove, FindsTheOptimumFromAPoorStart) {
  CertifyOptions options;
  options.prove = true;
  int better = 0;
  for (Family kind : Families)
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      SCOPED_TRACE(testing::Message() << familyName(kind) << " " << seed);
      const PartitionProblem problem = family(kind, 14, seed);
      const SearchResult best = run(problem, SearchKind::Exact);
      const SearchResult poor = run(problem, SearchKind::Greedy);
      const Certificate proof = certify(problem, poor.partition, options);
      EXPECT_EQ(proof.kind, BoundKind::Proof);
      EXPECT_NEAR(proof.bound, best.cost, 1e-7 * best.cost);
      if (!proof.better.empty()) {
        ++better;
        EXPECT_EQ(checkPartition(problem, proof.better), "");
      } else {
        EXPECT_NEAR(poor.cost, best.cost, 1e-7 * best.cost);
      }
    }
  EXPECT_GT(better, 0);
}

/// Checks two pairs that wait for each other: a1 -> b2 and b1 -> a2. Both pairs
/// are groups, and the cheapest ones. The numbers are topological: a1, b1, a2,
/// b2.
TEST(Prove, CutsOffCircles) {
  if (!SetPartitionProgram::make(1, 1))
    GTEST_SKIP() << "built without a solver";
  PartitionProblem problem;
  problem.size = 4;
  problem.horizontal = false;
  problem.hereditary = true;
  problem.reach.assign(4, boost::dynamic_bitset<>(4));
  problem.separated = problem.kin = problem.reach;
  problem.reach[0].set(3);
  problem.reach[1].set(2);
  for (auto [i, j] : {std::pair(0, 2), std::pair(1, 3)}) {
    problem.kin[i].set(j);
    problem.kin[j].set(i);
  }
  problem.cost = [](const ItemSet &set) -> std::optional<double> {
    return set.size() == 1 ? 1.0 : 1.2;
  };
  CertifyOptions options;
  options.prove = true;
  const Partition apart = {{0}, {1}, {2}, {3}};
  const Certificate proof = certify(problem, apart, options);
  EXPECT_EQ(proof.kind, BoundKind::Proof);
  EXPECT_NEAR(proof.bound, 3.2, 1e-9);
  EXPECT_EQ(checkPartition(problem, proof.better), "");
}

} // namespace
