//===- MakeProfileTest.cpp - From records of launches to a profile --------===//

#include "bench/profile/MakeProfile.h"
#include "bench/profile/ProfileReport.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kfuse {
namespace {

LaunchRecord launchOf(const std::string &name, std::uint64_t threads,
                      std::uint64_t nanoseconds) {
  LaunchRecord record;
  record.name = record.function = name;
  record.deviceName = "a device";
  record.threads = {threads, 1, 1};
  record.block = {64, 1, 1};
  record.begin = 1000;
  record.end = 1000 + nanoseconds;
  return record;
}

RecordedArgument scalarOf(std::uint32_t index, double value,
                          const std::string &raw) {
  RecordedArgument argument;
  argument.index = index;
  argument.value = value;
  argument.raw = raw;
  return argument;
}

TEST(MakeProfile, LaunchesOfOneConfiguration) {
  LaunchRecord one = launchOf("k", 130, 2000), two = launchOf("k", 130, 4000);
  one.arguments = {scalarOf(0, 1, "\x01"), scalarOf(1, 5, "\x05")};
  two.arguments = {scalarOf(0, 2, "\x02"), scalarOf(1, 5, "\x05")};
  RecordedArgument array;
  array.index = 2;
  array.arrayBytes = 64;
  one.arguments.push_back(array);
  array.arrayBytes = 32;
  two.arguments.push_back(array);
  const ProfileFile profile = profileOf({{one, two}, {one, two}});
  EXPECT_EQ(profile.runs, 2u);
  EXPECT_EQ(profile.device, "a device");
  ASSERT_EQ(profile.launches.size(), 1u);
  const MeasuredLaunch &launch = profile.launches[0];
  EXPECT_EQ(launch.count, 4u);
  EXPECT_EQ(launch.grid, (LaunchExtents{3, 1, 1})); // the last one in part
  EXPECT_EQ(launch.threads, 130);
  EXPECT_DOUBLE_EQ(launch.seconds.median, 3e-6);
  EXPECT_DOUBLE_EQ(launch.seconds.min, 2e-6);
  EXPECT_DOUBLE_EQ(launch.seconds.max, 4e-6);
  EXPECT_DOUBLE_EQ(launch.seconds.total, 12e-6);
  ASSERT_EQ(launch.scalars.size(), 2u);
  EXPECT_EQ(launch.scalars[0], (MeasuredScalar{0, "", 1.0, 2.0, ""}));
  EXPECT_EQ(launch.scalars[1], (MeasuredScalar{1, "", 5.0, 5.0, "05"}));
  ASSERT_EQ(launch.arrays.size(), 1u);
  EXPECT_EQ(launch.arrays[0], (MeasuredArray{2, "", 32, 64}));
}

TEST(MakeProfile, ConfigurationsInTheOrderOfTheProgram) {
  LaunchRecord stream = launchOf("k", 64, 500);
  stream.stream = 1;
  const std::vector<LaunchRecord> run = {
      launchOf("other", 64, 10), launchOf("k", 64, 2000),
      launchOf("k", 128, 3000), stream, launchOf("k", 128, 3000)};
  const ProfileFile profile = profileOf({run, run});
  ASSERT_EQ(profile.launches.size(), 4u);
  // The kernel that took longest in all comes first.
  EXPECT_EQ(profile.launches[0].threads, 128);
  EXPECT_EQ(profile.launches[0].first, 1u);
  EXPECT_EQ(profile.launches[0].count, 4u);
  EXPECT_EQ(profile.launches[1].first, 0u);
  EXPECT_EQ(profile.launches[2].first, 2u);
  EXPECT_EQ(profile.launches[2].stream, 1u);
  EXPECT_EQ(profile.launches[3].name, "other");
}

TEST(MakeProfile, WhatHasNoTimesOrNoBlocks) {
  LaunchRecord lost = launchOf("k", 64, 0), chosen = launchOf("k", 100, 0);
  lost.begin = std::nullopt;
  chosen.block = std::nullopt;
  LaunchRecord copy;
  copy.kind = RecordKind::Read;
  copy.bytes = 100;
  const std::vector<LaunchRecord> run = {lost, chosen, copy};
  EXPECT_EQ(untimedLaunches(run), 1u);
  const ProfileFile profile = profileOf({run});
  ASSERT_EQ(profile.launches.size(), 1u);
  EXPECT_EQ(profile.launches[0].first, 1u);
  // Without blocks the grid is in work-items; and no time is 0.
  EXPECT_FALSE(profile.launches[0].block);
  EXPECT_EQ(profile.launches[0].grid, (LaunchExtents{100, 1, 1}));
  EXPECT_GT(profile.launches[0].seconds.min, 0);
  ASSERT_EQ(profile.copies.size(), 1u);
  EXPECT_EQ(profile.copies[0].kind, "read");
  EXPECT_TRUE(
      std::holds_alternative<ProfileFile>(readProfile(profileJson(profile))));
}

TEST(ProfileReport, HasTwentyLinesAtMost) {
  std::vector<LaunchRecord> run;
  for (std::uint64_t i = 1; i <= 40; ++i)
    run.push_back(launchOf("kernel" + std::to_string(i), 64, 1000 * i));
  for (const RecordKind kind :
       {RecordKind::Copy, RecordKind::Fill, RecordKind::Read, RecordKind::Write,
        RecordKind::Map}) {
    run.push_back(launchOf("", 1, 10));
    run.back().kind = kind;
  }
  const ProfileFile profile = profileOf({run});
  const std::string few = profileText(profile, false);
  EXPECT_EQ(std::count(few.begin(), few.end(), '\n'), 20);
  EXPECT_NE(few.find("kernel40"), std::string::npos);
  EXPECT_NE(few.find("28 more (--all)"), std::string::npos) << few;
  EXPECT_EQ(few.find("kernel1 "), std::string::npos);
  const std::string all = profileText(profile, true);
  EXPECT_NE(all.find("kernel1 "), std::string::npos);
  EXPECT_EQ(all.find("more"), std::string::npos);
}

} // namespace
} // namespace kfuse
