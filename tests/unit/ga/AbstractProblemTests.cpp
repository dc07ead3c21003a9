//===- AbstractProblemTests.cpp - Problems as values ----------------------===//

#include "ga/problem/AbstractCost.h"
#include "ga/problem/AbstractJson.h"
#include "ga/problem/AbstractProblem.h"
#include "ga/problem/Families.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace kfuse;

namespace {

/// Builds x -first-> y -second-> z, and a third kernel that reads x alone.
/// Nobody reads z, but it is kept. Ten bytes take a second, and so do ten
/// operations.
AbstractProblem chain() {
  AbstractProblem problem;
  problem.name = "chain";
  problem.device = {"paper", 1, 10, 10, 0.5};
  problem.limits = {4000, 100, 0.5, 2};
  problem.tiles = {{10, 10}};
  problem.arrays = {{"x", 100, 4, false},
                    {"y", 100, 4, false},
                    {"z", 100, 4, true},
                    {"w", 100, 4, true}};
  problem.kernels = {{"first", 50, 40, {{0, 0}}, {1}, {}},
                     {"second", 50, 40, {{1, 0}}, {2}, {}},
                     {"third", 50, 40, {{0, 0}}, {3}, {}}};
  return problem;
}

Device h200() { return loadDevice("h200").device; }

TEST(AbstractCost, CountsLaunchTrafficAndOperations) {
  struct Case {
    const char *what;
    std::function<void(AbstractProblem &)> change;
    ItemSet group;
    std::optional<double> seconds;
  };
  const auto as = [](const AbstractProblem &) {};
  auto halo = [](AbstractProblem &problem) {
    problem.kernels[1].reads[0].halo = 1;
  };
  const Case cases[] = {
      {"one", as, {0}, 1 + 20 + 5},
      {"y stays inside", as, {0, 1}, 1 + 20 + 10},
      {"y is kept",
       [](AbstractProblem &problem) { problem.arrays[1].kept = true; },
       {0, 1},
       1 + 30 + 10},
      {"y is read outside",
       [](AbstractProblem &problem) {
         problem.kernels[2].reads.push_back({1, 0});
       },
       {0, 1},
       1 + 30 + 10},
      {"x is read once", as, {0, 2}, 1 + 30 + 10},
      // A tile of 12 by 12 cells takes 1.44 times the work and reads 0.22 times
      // more of x.
      {"a halo", halo, {0, 1}, 1 + 10 * 1.22 + 10 + 5 * 1.44 + 5},
      {"a halo from memory", halo, {1}, 1 + 10 * 1.22 + 10 + 5},
      {"a halo of a halo",
       [](AbstractProblem &problem) {
         problem.kernels[0].reads[0].halo = 1;
         problem.kernels[1].reads[0].halo = 1;
       },
       {0, 1},
       1 + 10 * 1.48 + 10 + 5 * 1.44 + 5},
      {"too far",
       [](AbstractProblem &problem) { problem.kernels[1].reads[0].halo = 3; },
       {0, 1},
       std::nullopt},
      {"as far as may be",
       [](AbstractProblem &problem) { problem.kernels[1].reads[0].halo = 2; },
       {0, 1},
       1 + 10 * 1.48 + 10 + 5 * 1.96 + 5},
      {"no shared memory",
       [&](AbstractProblem &problem) {
         halo(problem);
         problem.limits.sharedBytes = 4 * 144 - 1;
       },
       {0, 1},
       std::nullopt},
      {"registers that just suffice",
       [](AbstractProblem &problem) { problem.limits.registers = 60; },
       {0, 1},
       1 + 20 + 10},
      {"registers that don't",
       [](AbstractProblem &problem) { problem.limits.registers = 59; },
       {0, 1},
       std::nullopt},
      {"one kernel is always legal",
       [](AbstractProblem &problem) { problem.limits.registers = 1; },
       {0},
       1 + 20 + 5},
      {"the best tile",
       [&](AbstractProblem &problem) {
         halo(problem);
         problem.tiles.push_back({20, 20});
       },
       {0, 1},
       1 + 10 * 1.105 + 10 + 5 * 1.21 + 5},
  };
  for (const Case &test : cases) {
    AbstractProblem problem = chain();
    test.change(problem);
    ASSERT_EQ(validate(problem), "") << test.what;
    const std::optional<double> seconds = groupCost(problem)(test.group);
    ASSERT_EQ(seconds.has_value(), test.seconds.has_value()) << test.what;
    if (seconds)
      EXPECT_NEAR(*seconds, *test.seconds, 1e-9) << test.what;
  }
}

TEST(AbstractProblem, RelatesKernels) {
  AbstractProblem problem = chain();
  problem.kernels[2].after = {1};
  problem.separated = {{1, 2}};
  const PartitionProblem partition = partitionProblem(problem);
  EXPECT_TRUE(partition.reach[0][1]);
  EXPECT_TRUE(partition.reach[1][2]);
  EXPECT_TRUE(partition.reach[0][2]) << "closed";
  EXPECT_FALSE(partition.reach[1][0]);
  EXPECT_TRUE(partition.kin[0][2]) << "both read x";
  EXPECT_FALSE(partition.kin[1][2]);
  EXPECT_TRUE(partition.separated[1][2]);
  EXPECT_TRUE(partition.separated[2][1]);
}

TEST(AbstractProblem, GoesThroughJson) {
  AbstractProblem problem = chain();
  problem.kernels[2].after = {0, 1};
  problem.separated = {{0, 2}};
  problem.horizontal = true;
  for (const AbstractProblem &value :
       {problem, generateProblem(Family::Weather, 30, 3, h200())}) {
    auto loaded = loadProblem(saveProblem(value));
    ASSERT_TRUE(std::holds_alternative<AbstractProblem>(loaded))
        << std::get<std::string>(loaded);
    EXPECT_EQ(std::get<AbstractProblem>(loaded), value);
  }
}

TEST(AbstractProblem, SaysWhatIsWrongWithAFile) {
  using Json = nlohmann::ordered_json;
  struct Case {
    std::function<void(Json &)> change;
    const char *error;
  };
  const Case cases[] = {
      {[](Json &file) { file = Json::array(); },
       "a problem must be one JSON object"},
      {[](Json &file) { file["version"] = 2; },
       "the problem has version 2, not 1"},
      {[](Json &file) { file.erase("tiles"); },
       "the problem: missing key 'tiles'"},
      {[](Json &file) { file["colour"] = 1; },
       "the problem: unknown key 'colour'"},
      {[](Json &file) { file["tiles"] = Json::array(); }, "there is no tile"},
      {[](Json &file) { file["tiles"] = {{0, 8}}; }, "a tile is out of range"},
      {[](Json &file) { file["tiles"] = {{1, 2, 3}}; },
       "the problem: 'tiles' must be a list of pairs"},
      {[](Json &file) { file["device"] = 3; }, "device: must be an object"},
      {[](Json &file) { file["device"]["bandwidth"] = 0; },
       "the device has a number out of range"},
      {[](Json &file) { file["device"]["bandwidth"] = "fast"; },
       "device: 'bandwidth' must be a number"},
      {[](Json &file) { file["limits"]["halo"] = -1; },
       "limits: 'halo' must have whole numbers"},
      {[](Json &file) { file["limits"]["registerShare"] = 2; },
       "a limit is out of range"},
      {[](Json &file) { file["arrays"][1]["bytes"] = -1; },
       "array 1 ('y') has a number out of range"},
      {[](Json &file) { file["arrays"][1]["kept"] = 1; },
       "arrays[1]: 'kept' must be true or false"},
      {[](Json &file) { file["kernels"][0]["name"] = 1; },
       "kernels[0]: 'name' must be a string"},
      {[](Json &file) { file["kernels"] = 1; },
       "the problem: 'kernels' must be a list"},
      {[](Json &file) { file["kernels"][0]["reads"] = {{9, 0}}; },
       "kernel 0 ('first') reads array 9, which doesn't exist"},
      {[](Json &file) { file["kernels"][0]["reads"] = {{2, 0}}; },
       "kernel 0 ('first') reads array 2, which no earlier kernel writes"},
      {[](Json &file) { file["kernels"][0]["writes"] = {9}; },
       "kernel 0 ('first') writes array 9, which doesn't exist"},
      {[](Json &file) { file["kernels"][2]["writes"] = {1}; },
       "kernel 2 ('third') writes array 1, which is written already"},
      {[](Json &file) { file["kernels"][1]["after"] = {1}; },
       "kernel 1 ('second') comes after kernel 1, which is not an earlier "
       "one"},
      {[](Json &file) { file["separated"] = {{0, 3}}; },
       "a separated pair is not of two kernels"},
  };
  for (const Case &test : cases) {
    Json file = Json::parse(saveProblem(chain()));
    test.change(file);
    auto loaded = loadProblem(file.dump());
    ASSERT_TRUE(std::holds_alternative<std::string>(loaded)) << test.error;
    EXPECT_EQ(std::get<std::string>(loaded), test.error);
  }
  EXPECT_TRUE(std::holds_alternative<std::string>(loadProblem("{")));
}

TEST(Families, MakeValidProblems) {
  for (Family family : Families)
    for (std::uint32_t size : {1U, 2U, 14U, 142U}) {
      const AbstractProblem problem = generateProblem(family, size, 7, h200());
      EXPECT_EQ(validate(problem), "") << problem.name;
      EXPECT_EQ(problem.kernels.size(), size) << problem.name;
      EXPECT_EQ(problem, generateProblem(family, size, 7, h200()));
      if (size > 2)
        EXPECT_NE(problem.kernels,
                  generateProblem(family, size, 8, h200()).kernels);
    }
}

TEST(Families, WeatherUsesItsArraysAgain) {
  const AbstractProblem problem =
      generateProblem(Family::Weather, 142, 1, h200());
  std::size_t overwriting = 0;
  for (const AbstractKernel &kernel : problem.kernels)
    overwriting += !kernel.after.empty();
  EXPECT_GT(overwriting, problem.kernels.size() / 4);
  // There are the storages, and a version for each kernel.
  EXPECT_EQ(problem.arrays.size(), 142 * 45 / 100 + 142U);
}

TEST(Families, ReadTheirNames) {
  struct Case {
    const char *text;
    bool isGood;
  };
  for (const Case &test : {Case{"weather:14:1", true},
                           {"sharing:1:0", true},
                           {"pipelines:20000:1", false},
                           {"weather:0:1", false},
                           {"weather:14", false},
                           {"weather:14:", false},
                           {"wether:14:1", false},
                           {"weather:14:1x", false},
                           {"weather:-1:1", false},
                           {"", false}})
    EXPECT_EQ(std::holds_alternative<AbstractProblem>(
                  generateProblem(test.text, h200())),
              test.isGood)
        << test.text;
}

/// Checks that a legal group stays legal when kernels leave it. The searchers
/// and the lower bound rely on this.
TEST(AbstractCost, IsHereditary) {
  for (Family family : Families) {
    const AbstractProblem problem = generateProblem(family, 9, 4, h200());
    const auto cost = groupCost(problem);
    std::vector<bool> isLegal(1U << 9U);
    for (std::uint32_t mask = 1; mask < isLegal.size(); ++mask) {
      ItemSet set;
      bool hasLegalParts = true;
      for (std::uint32_t item = 0; item < 9; ++item)
        if ((mask >> item & 1U) != 0) {
          set.push_back(item);
          const std::uint32_t part = mask & ~(1U << item);
          hasLegalParts = hasLegalParts && (part == 0 || isLegal[part]);
        }
      isLegal[mask] = cost(set).has_value();
      EXPECT_TRUE(!isLegal[mask] || hasLegalParts) << problem.name << mask;
    }
  }
}

} // namespace
