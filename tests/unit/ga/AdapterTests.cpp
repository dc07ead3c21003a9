//===- AdapterTests.cpp - Programs through the search ---------------------===//

#include "fusion/MakePlan.h"
#include "fusion/plan/Problem.h"
#include "ga/Search.h"
#include "ga/problem/AbstractCost.h"
#include "ga/problem/AbstractJson.h"
#include "ga/problem/AbstractProgram.h"
#include "ga/problem/Adapter.h"
#include "ga/problem/Check.h"
#include "ga/problem/SearchOptions.h"
#include "tests/unit/graphs/Build.h"

#include <gtest/gtest.h>
#include <map>

using namespace kfuse;
using namespace kfuse::test;

namespace {

/// Returns the nine kernels of the design. What is read afterwards is copied
/// back.
Program nineKernels() {
  Builder build;
  std::map<char, ArrayId> arrays;
  for (char name = 'A'; name <= 'L'; ++name)
    arrays[name] = build.array(std::string(1, name));
  for (const std::string names :
       {"AB", "AC", "BCD", "FE", "FG", "FH", "HIJ", "IK", "JKL"}) {
    std::vector<ArrayId> reads;
    for (char name : names.substr(0, names.size() - 1))
      reads.push_back(arrays[name]);
    build.launch(reads, {arrays[names.back()]});
  }
  for (char name : {'D', 'G', 'H', 'L'})
    build.step(StepKind::CopyToHost, {{arrays[name], true, false}});
  return build.program();
}

struct World {
  explicit World(Program value)
      : program(std::move(value)), deps(dependencies(program)),
        order(executionOrder(program, deps)),
        problem{program, deps, order, loadDevice("h200").device, {}} {}
  Program program;
  DependencyGraph deps;
  ExecutionGraph order;
  Problem problem;
};

TEST(Adapter, NineKernelsGoThroughTheWholeModel) {
  World world(nineKernels());
  world.problem.options.horizontal = false;
  PartitionProblem problem = partitionProblem(world.problem);
  SearchOptions exact;
  exact.kind = SearchKind::Exact;
  SearchResult best = search(problem, exact);
  SearchResult found = search(problem, {});
  EXPECT_EQ(checkPartition(problem, found.partition), "");
  EXPECT_EQ(found.partition, best.partition);
  EXPECT_LT(found.cost, 0.7 * found.singles);
  auto plan = makePlan(world.problem, toGroups(world.problem, found.partition));
  EXPECT_TRUE(std::holds_alternative<FusionPlan>(plan));
}

TEST(Adapter, HostStepsSeparate) {
  Builder build;
  ArrayId a = build.array("a"), b = build.array("b"), c = build.array("c");
  build.launch({a}, {b});
  build.step(StepKind::CopyToHost, {{b, true, false}});
  build.launch({b}, {c});
  build.launch({b}, {});
  World world(build.program());
  PartitionProblem problem = partitionProblem(world.problem);
  EXPECT_TRUE(problem.separated[0][1]);
  EXPECT_FALSE(problem.separated[1][2]);
  EXPECT_FALSE(problem.kin[0][1]);
  EXPECT_TRUE(problem.kin[1][2]);
  EXPECT_TRUE(problem.reach[0][2]);
}

TEST(Adapter, RegionsSeparate) {
  Builder build;
  ArrayId a = build.array("a"), b = build.array("b");
  build.launch({a}, {});
  build.enter(StepKind::Loop, {{a, true, false}, {b, false, true}});
  build.launch({a}, {b});
  build.leave();
  World world(build.program());
  PartitionProblem problem = partitionProblem(world.problem);
  EXPECT_TRUE(problem.separated[0][1]);
  EXPECT_FALSE(problem.kin[0][1]);
}

TEST(Adapter, ProgramsAreAbstractProblems) {
  World world(nineKernels());
  const AbstractProblem problem = abstractProblem(world.problem, "nine");
  EXPECT_EQ(validate(problem), "");
  EXPECT_EQ(problem.kernels.size(), 9U);
  EXPECT_EQ(std::get<AbstractProblem>(loadProblem(saveProblem(problem))),
            problem);
  // The order is that of the program.
  const PartitionProblem own = partitionProblem(world.problem);
  const PartitionProblem abstract = partitionProblem(problem);
  EXPECT_EQ(abstract.reach, own.reach);
  EXPECT_EQ(abstract.kin, own.kin);
}

TEST(Adapter, AbstractProblemsKnowWhatIsKeptAndParted) {
  Builder build;
  ArrayId a = build.array("a"), b = build.array("b"), c = build.array("c");
  build.launch({a}, {b});
  build.step(StepKind::CopyToHost, {{b, true, false}});
  build.launch({b}, {c});
  build.launch({c}, {});
  World world(build.program());
  const AbstractProblem problem = abstractProblem(world.problem, "host");
  using Pair = std::pair<std::uint32_t, std::uint32_t>;
  EXPECT_EQ(std::count(problem.separated.begin(), problem.separated.end(),
                       Pair(0, 1)),
            1);
  EXPECT_EQ(problem.kernels[1].after, std::vector<std::uint32_t>{0});
  for (const AbstractArray &array : problem.arrays)
    if (array.name.starts_with("b"))
      EXPECT_TRUE(array.kept) << array.name;
}

TEST(Adapter, PartitionsAndGroupsAreTheSame) {
  World world(nineKernels());
  const Partition partition = {{0, 2}, {1}, {3}, {4}, {5}, {6}, {7, 8}};
  Groups groups = toGroups(world.problem, partition);
  EXPECT_EQ(toPartition(world.problem, groups), partition);
  groups.erase(groups.begin() + 1);
  EXPECT_EQ(toPartition(world.problem, groups), partition);
}

} // namespace
