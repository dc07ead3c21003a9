//===- ProfileFile.h - What was measured of a program's launches ----------===//
//
// kfuse-bench writes profiles and kfuse reads them (docs/reference.md has the
// keys). Version 1, which has a time and a number of threads for each kernel,
// can be read too.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_PROFILE_PROFILEFILE_H
#define KFUSE_PROFILE_PROFILEFILE_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kfuse {

/// Seconds of several launches.
struct MeasuredTime {
  double median = 0, min = 0, max = 0; ///< of a launch
  double total = 0;                    ///< of all of them
  bool operator==(const MeasuredTime &) const = default;
};

/// A scalar argument over several launches. Numbers are there if the type is
/// known; the bytes are, as hexadecimal digits in memory's order, if they were
/// the same in all launches.
struct MeasuredScalar {
  std::uint32_t index = 0; ///< of the parameter
  std::string name;        ///< empty if it isn't known
  std::optional<double> min, max;
  std::string raw;
  bool operator==(const MeasuredScalar &) const = default;
};

/// The memory behind an argument over several launches, in bytes.
struct MeasuredArray {
  std::uint32_t index = 0; ///< of the parameter
  std::string name;        ///< empty if it isn't known
  std::uint64_t minBytes = 0, maxBytes = 0;
  bool operator==(const MeasuredArray &) const = default;
};

using LaunchExtents = std::array<std::uint64_t, 3>;

/// Launches of one kernel in one configuration, over all runs.
struct MeasuredLaunch {
  std::string name;        ///< `scale`
  std::string function;    ///< `void scale<float>(float*)`, if known
  std::uint64_t first = 0; ///< which launch of the kernel in a run
  std::uint64_t count = 1; ///< of launches, in all runs
  std::optional<std::uint32_t> stream; ///< or queue
  std::optional<LaunchExtents> grid;   ///< in blocks, else in work-items
  std::optional<LaunchExtents> block;  ///< none if the driver chose it
  std::optional<double> threads;       ///< of a launch
  MeasuredTime seconds;
  std::vector<MeasuredScalar> scalars;
  std::vector<MeasuredArray> arrays;
};

/// Copies or fills of one kind, over all runs.
struct MeasuredCopies {
  std::string kind; ///< "copy", "fill", "read", "write" or "map"
  std::uint64_t count = 0, bytes = 0;
  double seconds = 0; ///< of all of them
};

struct ProfileFile {
  static constexpr int Version = 2;
  std::string program;                ///< empty in version 1
  std::vector<std::string> arguments; ///< of the program
  std::string device, driver;         ///< empty if they aren't known
  std::string deviceFile; ///< the shipped one for the device, if there is one
  std::string date;       ///< ISO 8601
  std::uint64_t runs = 1;
  std::vector<MeasuredLaunch> launches; ///< what took longest in all first
  std::vector<MeasuredCopies> copies;
};

/// Reads a profile of version 1 or 2; returns a message if it can't.
std::variant<ProfileFile, std::string> readProfile(std::string_view json);

/// Returns the profile as JSON of version 2.
std::string profileJson(const ProfileFile &profile);

/// Sorts what took longest in all to the front.
void sortByTime(ProfileFile &profile);

/// Joins profiles, of which there is at least one: launches of one
/// configuration become one, whose median is the median of both, weighted by
/// their counts. Returns a message if the profiles are of several devices.
std::variant<ProfileFile, std::string>
mergedProfiles(const std::vector<ProfileFile> &profiles);

} // namespace kfuse

#endif
