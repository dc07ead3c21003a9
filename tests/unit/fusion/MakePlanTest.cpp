//===- MakePlanTest.cpp - Whole plans -------------------------------------===//

#include "PlanBuilder.h"

#include "fusion/MakePlan.h"
#include "fusion/report/Explain.h"
#include "fusion/report/PlanJson.h"
#include "fusion/report/PlanText.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

namespace kfuse {
namespace {

using namespace test;

FusionPlan planOf(PlanBuilder &builder, const Groups &groups) {
  auto plan = makePlan(builder.problem(), groups);
  EXPECT_TRUE(std::holds_alternative<FusionPlan>(plan));
  return std::get<FusionPlan>(plan);
}

/// Builds the example of nine kernels, whose arrays are named by letters.
struct NineKernels {
  PlanBuilder builder;
  std::map<char, ArrayId> arrays;
  std::vector<LaunchId> k;

  NineKernels() {
    for (char name = 'A'; name <= 'L'; ++name) {
      arrays[name] = builder.array(std::string(1, name));
      builder.program().arrays.back().lifetimeStatements = {StepId{0}};
    }
    const Polynomial n = builder.value("n");
    int number = 0;
    for (const char *edge :
         {"AB", "AC", "BCD", "FE", "FG", "FH", "HIJ", "IK", "JKL"}) {
      const std::string names = edge;
      const KernelId kernel =
          builder.pointwise("k" + std::to_string(++number),
                            static_cast<unsigned>(names.size() - 1));
      std::vector<ArrayId> pointers;
      for (char name : names)
        pointers.push_back(arrays[name]);
      k.push_back(builder.launch(kernel, pointers, {n}));
    }
    for (char name : {'D', 'G', 'H', 'L'})
      builder.step(StepKind::CopyToHost, {{arrays[name], true, false}});
  }
  std::string lettersOf(const std::vector<ArrayId> &ids) const {
    std::string letters;
    for (const auto &[name, array] : arrays)
      if (std::find(ids.begin(), ids.end(), array) != ids.end())
        letters += name;
    return letters;
  }
};

TEST(MakePlan, NineKernelsBecomeThree) {
  NineKernels nine;
  const auto &k = nine.k;
  const FusionPlan plan =
      planOf(nine.builder,
             {{k[0], k[1], k[2]}, {k[3], k[4], k[5]}, {k[6], k[7], k[8]}});
  ASSERT_EQ(plan.kernels.size(), 3u);
  EXPECT_EQ(nine.lettersOf(plan.removed), "BCEJK");
  EXPECT_EQ(nine.lettersOf(plan.dead), "BCEJK");
  EXPECT_EQ(placementOf(plan.kernels[0], nine.arrays['B']),
            "never stored 0->2");
  EXPECT_EQ(placementOf(plan.kernels[0], nine.arrays['D']), "global");
  EXPECT_EQ(placementOf(plan.kernels[2], nine.arrays['J']),
            "never stored 0->2");
  for (const Remark &remark : explain(nine.builder.problem(), plan))
    if (remark.fused)
      EXPECT_EQ(remark.name, "Fused") << remark.text;
}

TEST(MakePlan, AReaderOutsideKeepsTheStore) {
  NineKernels nine;
  const auto &k = nine.k;
  const FusionPlan plan =
      planOf(nine.builder,
             {{k[0], k[1]}, {k[2]}, {k[3], k[4], k[5]}, {k[6], k[7]}, {k[8]}});
  EXPECT_EQ(nine.lettersOf(plan.dead), "E"); // which nobody reads
}

struct ChainProgram {
  PlanBuilder builder;
  ArrayId a, t, c;
  LaunchId x, y;
  explicit ChainProgram(ArrayOrigin origin = ArrayOrigin::Allocation) {
    a = builder.array("A", origin);
    t = builder.array("T", origin);
    c = builder.array("C", origin);
    const Polynomial n = builder.value("n");
    x = builder.launch(builder.pointwise("one", 1), {a, t}, {n});
    y = builder.launch(builder.pointwise("two", 1), {t, c}, {n});
    builder.program().arrays[indexOf(t)].lifetimeStatements = {StepId{0}};
    if (origin == ArrayOrigin::Allocation)
      builder.step(StepKind::CopyToHost, {{c, true, false}});
  }
  FusionPlan plan() { return planOf(builder, {{x, y}}); }
};

TEST(Liveness, OnlyPrivateArraysAreDropped) {
  ChainProgram plain;
  EXPECT_EQ(plain.plan().dead.size(), 1u);
  ChainProgram escaping;
  escaping.builder.program().arrays[1].escapes = true;
  EXPECT_TRUE(escaping.plan().dead.empty());
  ChainProgram managed;
  managed.builder.program().arrays[1].origin = ArrayOrigin::Managed;
  EXPECT_TRUE(managed.plan().dead.empty());
}

TEST(Liveness, HostReadsKeepTheStore) {
  ChainProgram copied;
  copied.builder.step(StepKind::CopyToHost, {{copied.t, true, false}});
  EXPECT_TRUE(copied.plan().dead.empty());
  // An unknown call finds an array whose address escaped, and in OpenCL what
  // kernel objects were given.
  const auto isDropped = [](bool escapes, Language language) {
    ChainProgram opaque;
    opaque.builder.step(StepKind::Opaque, {});
    Program &program = opaque.builder.program();
    program.steps.back().touchesEverything = true;
    program.arrays[indexOf(opaque.t)].escapes = escapes;
    program.language = language;
    return !opaque.plan().dead.empty();
  };
  EXPECT_TRUE(isDropped(false, Language::Cuda));
  EXPECT_FALSE(isDropped(true, Language::Cuda));
  EXPECT_FALSE(isDropped(false, Language::OpenCL));
  // A step before the array's allocation can't access it.
  ChainProgram before;
  std::vector<HostStep> &steps = before.builder.program().steps;
  HostStep unknown;
  unknown.kind = StepKind::Opaque;
  unknown.touchesEverything = true;
  steps.insert(steps.begin(), unknown);
  for (Launch &launch : before.builder.program().launches)
    launch.step = StepId{indexOf(launch.step) + 1};
  for (StepId &step : before.builder.program().regions.front().steps)
    step = StepId{indexOf(step) + 1};
  before.builder.program().regions.front().steps.insert(
      before.builder.program().regions.front().steps.begin(), StepId{0});
  EXPECT_EQ(before.plan().dead.size(), 1u);
  ChainProgram written;
  written.builder.step(StepKind::Free, {{written.t, false, true}});
  EXPECT_EQ(written.plan().dead.size(), 1u);
}

TEST(Liveness, AnotherNameKeepsTheStore) {
  ChainProgram program;
  const ArrayId other = program.builder.array("P", ArrayOrigin::Unknown);
  program.builder.program().arrays.back().candidates = {program.t};
  const ArrayId out = program.builder.array("O");
  const LaunchId z =
      program.builder.launch(program.builder.pointwise("three", 1),
                             {other, out}, {sym(SymbolKind::HostValue, 0)});
  EXPECT_TRUE(
      planOf(program.builder, {{program.x, program.y}, {z}}).dead.empty());
}

TEST(Liveness, ScratchMayBeReusedByAnotherGroup) {
  PlanBuilder builder;
  const ArrayId a = builder.array("A"), t = builder.array("T"),
                b = builder.array("B"), c = builder.array("C");
  const Polynomial n = builder.value("n");
  const KernelId copy = builder.pointwise("copy", 1);
  const LaunchId w = builder.launch(copy, {a, t}, {n});
  const LaunchId x = builder.launch(copy, {t, b}, {n});
  const LaunchId y = builder.launch(copy, {a, t}, {n});
  const LaunchId z = builder.launch(copy, {t, c}, {n});
  for (ArrayId out : {b, c})
    builder.step(StepKind::CopyToHost, {{out, true, false}});
  const FusionPlan plan = planOf(builder, {{w, x}, {y, z}});
  EXPECT_EQ(plan.dead, std::vector<ArrayId>{t});
  EXPECT_EQ(placementOf(plan.kernels[0], t), "never stored 0->1");
  EXPECT_NE(plan.kernels[0].name, plan.kernels[1].name);
}

TEST(Liveness, ThePromiseOfTheUserCounts) {
  ChainProgram plain(ArrayOrigin::PointerArgument);
  EXPECT_TRUE(plain.plan().dead.empty());
  ChainProgram promised(ArrayOrigin::PointerArgument);
  promised.builder.options().dead = {"T"};
  const FusionPlan plan = promised.plan();
  EXPECT_EQ(plan.dead, std::vector<ArrayId>{promised.t});
  // The `else` branch of the conditions still needs it.
  EXPECT_FALSE(plan.kernels[0].conditions.empty());
  EXPECT_TRUE(plan.removed.empty());
}

TEST(Liveness, ThePromiseIsAboutWhatFollowsAllLaunches) {
  const auto deadBefore = [](RegionKind kind) {
    ChainProgram program(ArrayOrigin::PointerArgument);
    program.builder.options().dead = {"T"};
    program.builder.step(StepKind::Opaque, {});
    program.builder.program().steps.back().touchesEverything = true;
    program.builder.program().regions[0].kind = kind;
    return program.plan().dead.size();
  };
  EXPECT_EQ(deadBefore(RegionKind::Function), 1u);
  EXPECT_EQ(deadBefore(RegionKind::LoopBody), 0u);
}

TEST(Liveness, AReaderInAnotherGroupKeepsTheStore) {
  ChainProgram plain;
  EXPECT_EQ(placementOf(plain.builder.plan({plain.x, plain.y}), plain.t),
            "never stored 0->1");
  ChainProgram read;
  const ArrayId out = read.builder.array("O");
  read.builder.launch(read.builder.pointwise("three", 1), {read.t, out},
                      {sym(SymbolKind::HostValue, 0)});
  EXPECT_EQ(placementOf(read.builder.plan({read.x, read.y}), read.t),
            "register 0->1");
}

TEST(MakePlan, CircularGroupsAreRefused) {
  PlanBuilder builder;
  std::vector<ArrayId> arrays;
  for (const char *name : {"X", "Y", "P", "Q", "R", "S"})
    arrays.push_back(builder.array(name));
  const Polynomial n = builder.value("n");
  const KernelId copy = builder.pointwise("copy", 1);
  const KernelId sum = builder.pointwise("sum", 2);
  // The launches are a: X→P, c: X→Q, b: X,Q→R and d: X,P→S; a comes before d,
  // and c before b.
  const LaunchId a = builder.launch(copy, {arrays[0], arrays[2]}, {n});
  const LaunchId c = builder.launch(copy, {arrays[0], arrays[3]}, {n});
  const LaunchId b =
      builder.launch(sum, {arrays[0], arrays[3], arrays[4]}, {n});
  const LaunchId d =
      builder.launch(sum, {arrays[0], arrays[2], arrays[5]}, {n});
  EXPECT_EQ(builder.verdict({a, b}), "fused");
  EXPECT_EQ(builder.verdict({c, d}), "fused");
  auto plan = makePlan(builder.problem(), {{a, b}, {c, d}});
  ASSERT_TRUE(std::holds_alternative<Obstacle>(plan));
  EXPECT_EQ(std::get<Obstacle>(plan).kind, ObstacleKind::CyclicGroups);
  EXPECT_TRUE(
      std::holds_alternative<Obstacle>(makePlan(builder.problem(), {{a, b}})));
}

TEST(PlanJson, PlansComeBack) {
  NineKernels nine;
  const auto &k = nine.k;
  const Groups groups = {
      {k[0], k[1], k[2]}, {k[3], k[4], k[5]}, {k[6], k[7], k[8]}};
  const FusionPlan plan = planOf(nine.builder, groups);
  const Program &program = nine.builder.program();
  const std::string json = savePlan(program, plan);
  auto loaded = loadPlan(program, json);
  ASSERT_TRUE(std::holds_alternative<LoadedPlan>(loaded))
      << std::get<std::string>(loaded);
  EXPECT_EQ(std::get<LoadedPlan>(loaded).groups, groups);
  for (const FusedKernel &kernel : plan.kernels)
    EXPECT_EQ(std::get<LoadedPlan>(loaded).elements.at(kernel.launches),
              kernel.elementsPerThread);
  EXPECT_NE(print(program, plan).find("never stored"), std::string::npos);
}

TEST(PlanJson, MistakesAreNamed) {
  ChainProgram chain;
  const Program &program = chain.builder.program();
  auto error = [&](const std::string &json) {
    auto loaded = loadPlan(program, json);
    return std::holds_alternative<LoadedPlan>(loaded)
               ? std::string()
               : std::get<std::string>(loaded);
  };
  auto plan = [](const std::string &launches) {
    return R"({"version": 1, "groups": [{"launches": [)" + launches + "]}]}";
  };
  const std::string one = R"({"kernel": "one", "line": 100})";
  const std::string two = R"({"kernel": "two", "line": 101})";
  EXPECT_EQ(error(plan(one + "," + two)), "");
  EXPECT_EQ(error("{"), "it is not JSON");
  EXPECT_EQ(error("[]"), "it is not a JSON object");
  EXPECT_EQ(error("{}"), "it has no \"version\"");
  EXPECT_EQ(error(R"({"version": 2, "groups": []})"),
            "its version is 2; this kfuse reads version 1");
  EXPECT_EQ(error(R"({"version": 1})"), "it has no list of \"groups\"");
  EXPECT_EQ(error(plan(one)), "the launch of 'two' in line 101 is in no group");
  const auto withElements = [&](const std::string &elements) {
    return R"({"version": 1, "groups": [{"launches": [)" + one + "," + two +
           R"(], "elementsPerThread": )" + elements + "}]}";
  };
  EXPECT_EQ(error(withElements("8")), "");
  for (const char *elements : {"0", "3", "32"})
    EXPECT_EQ(error(withElements(elements)),
              "group 1: \"elementsPerThread\" is not 1, 2, 4, 8 or 16");
  EXPECT_EQ(error(withElements("\"2\"")),
            "group 1: \"elementsPerThread\" is not a number");
  EXPECT_EQ(error(plan(one + "," + one)),
            "group 1, launch 2: 'one' in line 100 is listed twice");
  EXPECT_EQ(error(plan(R"({"kernel": "one", "line": 5})")),
            "group 1, launch 1: the program has no launch of 'one' in line 5");
  EXPECT_EQ(error(plan(R"({"kernel": "one", "line": -5})")),
            "group 1, launch 1: \"line\" is not a number");
  EXPECT_EQ(error(plan(R"({"kernel": "one"})")),
            "group 1, launch 1 has no \"line\"");
  EXPECT_EQ(error(plan(R"({"kernal": "one"})")),
            "group 1, launch 1: unknown key \"kernal\"");
  EXPECT_EQ(error(R"({"version": 1, "groups": [7]})"),
            "group 1 is not an object");
}

TEST(Explain, PairsThatStayApartHaveAReason) {
  NineKernels nine;
  Groups groups;
  for (LaunchId launch : nine.k)
    groups.push_back({launch});
  const FusionPlan plan = planOf(nine.builder, groups);
  const auto remarks = explain(nine.builder.problem(), plan);
  ASSERT_FALSE(remarks.empty());
  for (const Remark &remark : remarks) {
    SCOPED_TRACE(remark.text);
    EXPECT_FALSE(remark.fused);
    EXPECT_EQ(remark.launches.size(), 2u);
    EXPECT_EQ(remark.name, obstacleName(remark.kind));
    EXPECT_FALSE(remark.text.empty());
    EXPECT_FALSE(remark.remedy.empty());
  }
}

TEST(Obstacles, NamesAreStableAndDistinct) {
  std::vector<std::string> names;
  for (ObstacleKind kind : allObstacleKinds())
    names.emplace_back(obstacleName(kind));
  EXPECT_EQ(names.front(), "NoSharedArrays");
  EXPECT_EQ(names.back(), "NoGain");
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::unique(names.begin(), names.end()), names.end());
  EXPECT_FALSE(names.front().empty());
}

} // namespace
} // namespace kfuse
