//===- MakeProfile.cpp - From records of launches to a profile ------------===//

#include "bench/profile/MakeProfile.h"

#include "bench/Statistics.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <map>
#include <tuple>

namespace kfuse {
namespace {

/// A clock may be too coarse for an empty kernel, but no time is 0.
constexpr double LeastSeconds = 1e-9;

using LaunchKey =
    std::tuple<std::string, std::uint32_t, std::array<std::uint64_t, 3>,
               std::optional<std::array<std::uint64_t, 3>>>;

LaunchKey keyOf(const LaunchRecord &record) {
  return {record.function, record.stream, record.threads, record.block};
}

/// Launches of one configuration, over all runs.
struct LaunchGroup {
  std::uint64_t first = 0; ///< among the kernel's launches of a run
  std::vector<const LaunchRecord *> launches;
};

std::string digitsOf(const std::string &raw) {
  static constexpr char Digits[] = "0123456789abcdef";
  std::string digits;
  for (const char each : raw) {
    const auto byte = static_cast<unsigned char>(each);
    digits += {Digits[byte >> 4], Digits[byte & 15]};
  }
  return digits;
}

void addScalar(std::vector<MeasuredScalar> &scalars,
               const RecordedArgument &argument) {
  const auto found =
      std::find_if(scalars.begin(), scalars.end(), [&](const auto &each) {
        return each.index == argument.index;
      });
  if (found == scalars.end()) {
    scalars.push_back({argument.index, argument.name, argument.value,
                       argument.value, digitsOf(argument.raw)});
    return;
  }
  if (found->min && argument.value) {
    found->min = std::min(*found->min, *argument.value);
    found->max = std::max(*found->max, *argument.value);
  }
  if (found->raw != digitsOf(argument.raw))
    found->raw.clear();
}

void addArray(std::vector<MeasuredArray> &arrays,
              const RecordedArgument &argument) {
  const auto found =
      std::find_if(arrays.begin(), arrays.end(), [&](const auto &each) {
        return each.index == argument.index;
      });
  const std::uint64_t bytes = *argument.arrayBytes;
  if (found == arrays.end()) {
    arrays.push_back({argument.index, argument.name, bytes, bytes});
    return;
  }
  found->minBytes = std::min(found->minBytes, bytes);
  found->maxBytes = std::max(found->maxBytes, bytes);
}

MeasuredLaunch measuredLaunch(const LaunchGroup &group) {
  const LaunchRecord &like = *group.launches.front();
  MeasuredLaunch launch;
  launch.name = like.name;
  launch.function = like.function;
  launch.first = group.first;
  launch.count = group.launches.size();
  launch.stream = like.stream;
  launch.block = like.block;
  LaunchExtents grid = like.threads;
  launch.threads = 1;
  for (std::size_t axis = 0; axis < grid.size(); ++axis) {
    *launch.threads *= static_cast<double>(like.threads[axis]);
    if (like.block && (*like.block)[axis] != 0)
      grid[axis] = (grid[axis] + (*like.block)[axis] - 1) / (*like.block)[axis];
  }
  launch.grid = grid;
  std::vector<double> seconds;
  for (const LaunchRecord *record : group.launches) {
    seconds.push_back(std::max(LeastSeconds, *record->seconds()));
    launch.seconds.total += seconds.back();
    for (const RecordedArgument &argument : record->arguments)
      if (argument.arrayBytes)
        addArray(launch.arrays, argument);
      else if (!argument.raw.empty())
        addScalar(launch.scalars, argument);
  }
  const Summary summary = summarise(std::move(seconds));
  launch.seconds.median = summary.median;
  launch.seconds.min = summary.least;
  launch.seconds.max = summary.most;
  return launch;
}

const char *copyName(RecordKind kind) {
  switch (kind) {
  case RecordKind::Copy:
    return "copy";
  case RecordKind::Fill:
    return "fill";
  case RecordKind::Read:
    return "read";
  case RecordKind::Write:
    return "write";
  default:
    return "map";
  }
}

/// Returns the time as ISO 8601 writes it, in UTC.
std::string dateNow() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%FT%TZ", &parts);
  return text.data();
}

} // namespace

ProfileFile profileOf(const std::vector<std::vector<LaunchRecord>> &runs) {
  ProfileFile profile;
  profile.runs = runs.size();
  std::map<LaunchKey, LaunchGroup> groups;
  std::map<RecordKind, MeasuredCopies> copies;
  for (const std::vector<LaunchRecord> &records : runs) {
    std::map<std::string, std::uint64_t> counts; // of each kernel in this run
    for (const LaunchRecord &record : records) {
      const std::optional<double> seconds = record.seconds();
      if (profile.device.empty()) {
        profile.device = record.deviceName;
        profile.driver = record.driver;
      }
      if (record.kind != RecordKind::Kernel) {
        MeasuredCopies &sum = copies[record.kind];
        sum.kind = copyName(record.kind);
        ++sum.count;
        sum.bytes += record.bytes;
        sum.seconds += seconds.value_or(0);
        continue;
      }
      const std::uint64_t number = counts[record.function]++;
      if (!seconds)
        continue;
      LaunchGroup &group = groups[keyOf(record)];
      if (group.launches.empty())
        group.first = number;
      group.first = std::min(group.first, number);
      group.launches.push_back(&record);
    }
  }
  for (const auto &[key, group] : groups)
    profile.launches.push_back(measuredLaunch(group));
  for (const auto &[kind, sum] : copies)
    profile.copies.push_back(sum);
  sortByTime(profile);
  return profile;
}

void signProfile(ProfileFile &profile, const std::string &program,
                 const std::vector<std::string> &arguments) {
  profile.program = program;
  profile.arguments = arguments;
  profile.date = dateNow();
}

std::size_t untimedLaunches(const std::vector<LaunchRecord> &records) {
  return static_cast<std::size_t>(std::count_if(
      records.begin(), records.end(), [](const LaunchRecord &record) {
        return record.kind == RecordKind::Kernel && !record.seconds();
      }));
}

} // namespace kfuse
