//===- ProfileFileTest.cpp - What was measured of a program's launches ----===//

#include "profile/ProfileFile.h"

#include <gtest/gtest.h>

namespace kfuse {
namespace {

ProfileFile read(const std::string &json) {
  auto profile = readProfile(json);
  if (const auto *why = std::get_if<std::string>(&profile)) {
    ADD_FAILURE() << *why;
    return {};
  }
  return std::get<ProfileFile>(std::move(profile));
}

std::string kernels(const std::string &list) {
  return R"({"version": 2, "kernels": [)" + list + "]}";
}

TEST(ProfileFile, VersionOneHasTimesAndThreads) {
  const ProfileFile profile = read(
      R"({"version": 1, "kernels": [
          {"name": "scale", "seconds": 2e-5, "threads": 1024},
          {"name": "shift", "seconds": 1e-5}]})");
  ASSERT_EQ(profile.launches.size(), 2u);
  EXPECT_EQ(profile.launches[0].name, "scale");
  EXPECT_EQ(profile.launches[0].threads, 1024);
  EXPECT_EQ(profile.launches[0].seconds,
            (MeasuredTime{2e-5, 2e-5, 2e-5, 2e-5}));
  EXPECT_FALSE(profile.launches[0].grid);
  EXPECT_FALSE(profile.launches[1].threads);
}

TEST(ProfileFile, WhatIsWrittenIsRead) {
  ProfileFile profile;
  profile.program = "./a \"b\"";
  profile.arguments = {"10", "x"};
  profile.device = "H200";
  profile.driver = "CUDA 13.0";
  profile.date = "2026-01-02T03:04:05Z";
  profile.runs = 3;
  MeasuredLaunch launch;
  launch.name = "scale";
  launch.function = "void scale<float>(float*, int)";
  launch.first = 2;
  launch.count = 9;
  launch.stream = 1;
  launch.grid = LaunchExtents{8, 4, 1};
  launch.block = LaunchExtents{128, 1, 1};
  launch.threads = 4096;
  launch.seconds = {2e-6, 1e-6, 4e-6, 2.1e-5};
  launch.scalars = {{1, "n", 7.0, 7.0, "07000000"},
                    {2, "", 0.5, 1.5, ""},
                    {3, "", std::nullopt, std::nullopt, "00ff"}};
  launch.arrays = {{0, "a", 64, 64}, {4, "", 16, 32}};
  profile.launches = {launch};
  profile.copies = {{"read", 3, 4096, 1e-5}};
  const std::string text = profileJson(profile);
  const ProfileFile again = read(text);
  EXPECT_EQ(profileJson(again), text);
  EXPECT_EQ(again.program, profile.program);
  EXPECT_EQ(again.arguments, profile.arguments);
  EXPECT_EQ(again.runs, 3u);
  ASSERT_EQ(again.launches.size(), 1u);
  EXPECT_EQ(again.launches[0].function, launch.function);
  EXPECT_EQ(again.launches[0].first, 2u);
  EXPECT_EQ(again.launches[0].count, 9u);
  EXPECT_EQ(again.launches[0].stream, launch.stream);
  EXPECT_EQ(again.launches[0].grid, launch.grid);
  EXPECT_EQ(again.launches[0].block, launch.block);
  EXPECT_EQ(again.launches[0].seconds, launch.seconds);
  EXPECT_EQ(again.launches[0].scalars, launch.scalars);
  EXPECT_EQ(again.launches[0].arrays, launch.arrays);
  ASSERT_EQ(again.copies.size(), 1u);
  EXPECT_EQ(again.copies[0].bytes, 4096u);
}

TEST(ProfileFile, Errors) {
  const std::string entry = R"("name": "k", "seconds": 1e-6)";
  const std::pair<std::string, std::string> table[] = {
      {"[]", "it is not a JSON object"},
      {"{", "it is not a JSON object"},
      {"", "it is not a JSON object"},
      {R"({"kernels": []})", "it is not of version 1 or 2"},
      {R"({"version": 3, "kernels": []})", "it is not of version 1 or 2"},
      {R"({"version": "2", "kernels": []})", "it is not of version 1 or 2"},
      {R"({"version": 2})", "it has no list of \"kernels\""},
      {R"({"version": 2, "kernels": {}})", "it has no list of \"kernels\""},
      {R"({"version": 2, "kernels": [], "key": 1})", "it: unknown key \"key\""},
      {kernels("1"), "kernel 1 is not an object"},
      {kernels("{" + entry + "}, {}"), "kernel 2 has no \"name\""},
      {kernels(R"({"name": 1})"), "kernel 1 has no \"name\""},
      {kernels(R"({"name": "k"})"),
       "kernel 1: \"seconds\" is not a number above 0"},
      {kernels(R"({"name": "k", "seconds": 0})"),
       "kernel 1: \"seconds\" is not a number above 0"},
      {kernels(R"({"name": "k", "seconds": {"median": 1, "min": 1}})"),
       "kernel 1, \"seconds\": \"max\" is not a number above 0"},
      {kernels(
           R"({"name": "k", "seconds": {"median": 1, "min": 2, "max": 3}})"),
       "kernel 1, \"seconds\": the median isn't between min and max"},
      {kernels("{" + entry + R"(, "grid": [1, 2]})"),
       "kernel 1: \"grid\" is not a list of three numbers above 0"},
      {kernels("{" + entry + R"(, "block": [1, 2, 0]})"),
       "kernel 1: \"block\" is not a list of three numbers above 0"},
      {kernels("{" + entry + R"(, "count": -1})"),
       "kernel 1: \"count\" is not a count"},
      {kernels("{" + entry + R"(, "time": 1})"),
       "kernel 1: unknown key \"time\""},
      {kernels("{" + entry + R"(, "scalars": 1})"),
       "kernel 1: \"scalars\" is not a list"},
      {kernels("{" + entry + R"(, "scalars": [{}]})"),
       "kernel 1, scalar 1 has no \"index\""},
      {kernels("{" + entry + R"(, "scalars": [{"index": 0, "min": 1}]})"),
       "kernel 1, scalar 1: \"min\" and \"max\" are no range"},
      {kernels("{" + entry + R"(, "scalars": [{"index": 0, "raw": "0x"}]})"),
       "kernel 1, scalar 1: \"raw\" is not made of hexadecimal digits"},
      {kernels("{" + entry +
               R"(, "arrays": [{"index": 0, "min": 2, "max": 1}]})"),
       "kernel 1, array 1: \"min\" and \"max\" are no range"},
      // A key of version 2 alone.
      {R"({"version": 1, "kernels": [{"name": "k", "seconds": 1, "grid": 1}]})",
       "kernel 1: unknown key \"grid\""},
  };
  for (const auto &[json, message] : table) {
    const auto profile = readProfile(json);
    ASSERT_TRUE(std::holds_alternative<std::string>(profile)) << json;
    EXPECT_EQ(std::get<std::string>(profile), message) << json;
  }
}

MeasuredLaunch launchOf(const std::string &name, std::uint64_t grid,
                        std::uint64_t count, MeasuredTime seconds) {
  MeasuredLaunch launch;
  launch.name = name;
  launch.grid = LaunchExtents{grid, 1, 1};
  launch.block = LaunchExtents{64, 1, 1};
  launch.count = count;
  launch.seconds = seconds;
  return launch;
}

TEST(ProfileFile, MergesOneConfiguration) {
  ProfileFile one, other;
  one.device = other.device = "H200";
  one.runs = 3;
  other.runs = 2;
  one.launches = {launchOf("k", 8, 3, {2, 1, 3, 6})};
  one.launches[0].scalars = {{1, "n", 4.0, 4.0, "04"},
                             {2, "m", 1.0, 1.0, "01"}};
  one.launches[0].arrays = {{0, "a", 64, 64}};
  other.launches = {launchOf("k", 8, 1, {9, 9, 9, 9}),
                    launchOf("k", 16, 1, {20, 20, 20, 20})};
  other.launches[0].first = 1;
  other.launches[0].scalars = {{1, "n", 6.0, 6.0, "06"},
                               {2, "m", 1.0, 1.0, "01"}};
  other.launches[0].arrays = {{0, "a", 32, 32}};
  const auto merged = mergedProfiles({one, other});
  ASSERT_TRUE(std::holds_alternative<ProfileFile>(merged));
  const auto &all = std::get<ProfileFile>(merged);
  EXPECT_EQ(all.runs, 5u);
  ASSERT_EQ(all.launches.size(), 2u);
  // All their time decides, then the configuration.
  EXPECT_EQ(all.launches[0].grid, (LaunchExtents{16, 1, 1}));
  const MeasuredLaunch &launch = all.launches[1];
  EXPECT_EQ(launch.count, 4u);
  EXPECT_EQ(launch.seconds, (MeasuredTime{2, 1, 9, 15}));
  EXPECT_EQ(launch.scalars[0], (MeasuredScalar{1, "n", 4.0, 6.0, ""}));
  EXPECT_EQ(launch.scalars[1], (MeasuredScalar{2, "m", 1.0, 1.0, "01"}));
  EXPECT_EQ(launch.arrays[0], (MeasuredArray{0, "a", 32, 64}));
}

TEST(ProfileFile, MergesNoOtherDevice) {
  ProfileFile one, other;
  one.device = "H200";
  other.device = "H100";
  const auto merged = mergedProfiles({one, other});
  ASSERT_TRUE(std::holds_alternative<std::string>(merged));
  EXPECT_EQ(std::get<std::string>(merged),
            "they are of several devices: 'H200' and 'H100'");
  // One that doesn't say fits to any.
  other.device.clear();
  EXPECT_TRUE(
      std::holds_alternative<ProfileFile>(mergedProfiles({one, other})));
}

} // namespace
} // namespace kfuse
