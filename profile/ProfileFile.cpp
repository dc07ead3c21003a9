//===- ProfileFile.cpp - What was measured of a program's launches --------===//

#include "profile/ProfileFile.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace kfuse {
namespace {

using Json = nlohmann::ordered_json;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The first thing that is wrong with a profile.
struct ProfileError {
  std::string text;
};

/// An object of the file, with the words that say which.
class Entry {
public:
  Entry(const Json &object, std::string place,
        std::initializer_list<std::string_view> keys)
      : Object(object), Place(std::move(place)) {
    if (!Object.is_object())
      throw ProfileError{Place + " is not an object"};
    for (const auto &[key, value] : Object.items())
      if (std::find(keys.begin(), keys.end(), key) == keys.end())
        throw ProfileError{Place + ": unknown key \"" + key + "\""};
  }

  bool has(const char *key) const { return Object.contains(key); }
  const Json &operator[](const char *key) const { return Object[key]; }
  const std::string &place() const { return Place; }

  /// Returns a text; an empty one if there is none and that is allowed.
  std::string text(const char *key, bool isNeeded = false) const {
    if (!has(key) && !isNeeded)
      return {};
    if (!has(key) || !Object[key].is_string())
      throw ProfileError{Place + " has no \"" + key + "\""};
    return Object[key].get<std::string>();
  }
  /// Returns a number above zero.
  double positive(const char *key) const {
    if (!has(key) || !Object[key].is_number() ||
        !(Object[key].get<double>() > 0))
      throw ProfileError{Place + ": \"" + key + "\" is not a number above 0"};
    return Object[key].get<double>();
  }
  std::optional<double> number(const char *key) const {
    if (!has(key))
      return std::nullopt;
    if (!Object[key].is_number())
      throw ProfileError{Place + ": \"" + key + "\" is not a number"};
    return Object[key].get<double>();
  }
  std::optional<std::uint64_t> count(const char *key) const {
    if (!has(key))
      return std::nullopt;
    if (!Object[key].is_number_unsigned())
      throw ProfileError{Place + ": \"" + key + "\" is not a count"};
    return Object[key].get<std::uint64_t>();
  }
  std::optional<LaunchExtents> extents(const char *key) const {
    if (!has(key))
      return std::nullopt;
    const Json &list = Object[key];
    const auto isExtent = [](const Json &each) {
      return each.is_number_unsigned() && each.get<std::uint64_t>() > 0;
    };
    if (!list.is_array() || list.size() != 3 ||
        !std::all_of(list.begin(), list.end(), isExtent))
      throw ProfileError{Place + ": \"" + key +
                         "\" is not a list of three numbers above 0"};
    return list.get<LaunchExtents>();
  }
  /// Returns a list; an empty one if there is none.
  Json list(const char *key) const {
    if (!has(key))
      return Json::array();
    if (!Object[key].is_array())
      throw ProfileError{Place + ": \"" + key + "\" is not a list"};
    return Object[key];
  }

private:
  const Json &Object;
  const std::string Place;
};

std::string placeIn(const std::string &place, const char *what,
                    std::size_t index) {
  return place + ", " + what + " " + std::to_string(index + 1);
}

MeasuredTime timeOf(const Entry &launch, std::uint64_t count) {
  const Json &given = launch["seconds"];
  if (!given.is_object()) {
    const double seconds = launch.positive("seconds");
    return {seconds, seconds, seconds, seconds * static_cast<double>(count)};
  }
  const Entry entry(given, launch.place() + ", \"seconds\"",
                    {"median", "min", "max", "total"});
  MeasuredTime time = {entry.positive("median"), entry.positive("min"),
                       entry.positive("max"), 0};
  if (time.min > time.median || time.median > time.max)
    throw ProfileError{entry.place() +
                       ": the median isn't between min and max"};
  time.total = entry.has("total") ? entry.positive("total")
                                  : time.median * static_cast<double>(count);
  return time;
}

std::uint32_t indexIn(const Entry &entry) {
  const auto index = entry.count("index");
  if (!index)
    throw ProfileError{entry.place() + " has no \"index\""};
  return static_cast<std::uint32_t>(*index);
}

MeasuredScalar scalarOf(const Json &object, std::string place) {
  const Entry entry(object, std::move(place),
                    {"index", "name", "value", "min", "max", "raw"});
  MeasuredScalar scalar;
  scalar.index = indexIn(entry);
  scalar.name = entry.text("name");
  scalar.raw = entry.text("raw");
  if (scalar.raw.find_first_not_of("0123456789abcdef") != std::string::npos ||
      scalar.raw.size() % 2 != 0)
    throw ProfileError{entry.place() +
                       ": \"raw\" is not made of hexadecimal digits"};
  scalar.min = entry.has("value") ? entry.number("value") : entry.number("min");
  scalar.max = entry.has("value") ? entry.number("value") : entry.number("max");
  if (scalar.min.has_value() != scalar.max.has_value() ||
      (scalar.min && *scalar.min > *scalar.max))
    throw ProfileError{entry.place() + ": \"min\" and \"max\" are no range"};
  return scalar;
}

MeasuredArray arrayOf(const Json &object, std::string place) {
  const Entry entry(object, std::move(place),
                    {"index", "name", "bytes", "min", "max"});
  MeasuredArray array;
  array.index = indexIn(entry);
  array.name = entry.text("name");
  array.minBytes =
      entry.count(entry.has("bytes") ? "bytes" : "min").value_or(0);
  array.maxBytes =
      entry.count(entry.has("bytes") ? "bytes" : "max").value_or(0);
  if (array.minBytes > array.maxBytes)
    throw ProfileError{entry.place() + ": \"min\" and \"max\" are no range"};
  return array;
}

MeasuredLaunch launchOf(const Json &object, const std::string &place,
                        int version) {
  const Entry entry =
      version == 1
          ? Entry(object, place, {"name", "seconds", "threads"})
          : Entry(object, place,
                  {"name", "function", "first", "count", "stream", "grid",
                   "block", "threads", "seconds", "scalars", "arrays"});
  MeasuredLaunch launch;
  launch.name = entry.text("name", /*isNeeded=*/true);
  launch.function = entry.text("function");
  launch.first = entry.count("first").value_or(0);
  launch.count = std::max<std::uint64_t>(1, entry.count("count").value_or(1));
  if (const auto stream = entry.count("stream"))
    launch.stream = static_cast<std::uint32_t>(*stream);
  launch.grid = entry.extents("grid");
  launch.block = entry.extents("block");
  if (!entry.has("seconds"))
    entry.positive("seconds"); // which says so
  launch.seconds = timeOf(entry, launch.count);
  if (entry.has("threads"))
    launch.threads = entry.positive("threads");
  const Json scalars = entry.list("scalars"), arrays = entry.list("arrays");
  for (std::size_t i = 0; i < scalars.size(); ++i)
    launch.scalars.push_back(scalarOf(scalars[i], placeIn(place, "scalar", i)));
  for (std::size_t i = 0; i < arrays.size(); ++i)
    launch.arrays.push_back(arrayOf(arrays[i], placeIn(place, "array", i)));
  return launch;
}

MeasuredCopies copiesOf(const Json &object, const std::string &place) {
  const Entry entry(object, place, {"kind", "count", "bytes", "seconds"});
  return {entry.text("kind", /*isNeeded=*/true),
          entry.count("count").value_or(1), entry.count("bytes").value_or(0),
          entry.number("seconds").value_or(0)};
}

ProfileFile profileIn(const Json &json) {
  if (!json.is_object())
    throw ProfileError{"it is not a JSON object"};
  const Json version = json.value("version", Json());
  if (version != 1 && version != ProfileFile::Version)
    throw ProfileError{"it is not of version 1 or 2"};
  const auto kernels = json.find("kernels");
  if (kernels == json.end() || !kernels->is_array())
    throw ProfileError{"it has no list of \"kernels\""};
  ProfileFile profile;
  if (version == ProfileFile::Version) {
    const Entry entry(json, "it",
                      {"version", "program", "arguments", "device", "driver",
                       "deviceFile", "date", "runs", "kernels", "copies"});
    profile.program = entry.text("program");
    profile.device = entry.text("device");
    profile.driver = entry.text("driver");
    profile.deviceFile = entry.text("deviceFile");
    profile.date = entry.text("date");
    profile.runs = std::max<std::uint64_t>(1, entry.count("runs").value_or(1));
    for (const Json &each : entry.list("arguments"))
      profile.arguments.push_back(each.is_string() ? each.get<std::string>()
                                                   : each.dump());
    const Json copies = entry.list("copies");
    for (std::size_t i = 0; i < copies.size(); ++i)
      profile.copies.push_back(
          copiesOf(copies[i], "copy " + std::to_string(i + 1)));
  }
  for (std::size_t i = 0; i < kernels->size(); ++i)
    profile.launches.push_back(launchOf(
        (*kernels)[i], "kernel " + std::to_string(i + 1), version.get<int>()));
  return profile;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Returns a number as the integer that it is, if it is one.
Json numberJson(double value) {
  constexpr double Exact = 9007199254740992.0; // 2^53
  if (value == std::floor(value) && std::abs(value) <= Exact)
    return static_cast<std::int64_t>(value);
  return value;
}

Json namedJson(std::uint32_t index, const std::string &name) {
  Json json = {{"index", index}};
  if (!name.empty())
    json["name"] = name;
  return json;
}

Json scalarJson(const MeasuredScalar &scalar) {
  Json json = namedJson(scalar.index, scalar.name);
  if (scalar.min && scalar.max && *scalar.min == *scalar.max) {
    json["value"] = numberJson(*scalar.min);
  } else if (scalar.min && scalar.max) {
    json["min"] = numberJson(*scalar.min);
    json["max"] = numberJson(*scalar.max);
  }
  if (!scalar.raw.empty())
    json["raw"] = scalar.raw;
  return json;
}

Json arrayJson(const MeasuredArray &array) {
  Json json = namedJson(array.index, array.name);
  if (array.minBytes == array.maxBytes) {
    json["bytes"] = array.minBytes;
  } else {
    json["min"] = array.minBytes;
    json["max"] = array.maxBytes;
  }
  return json;
}

Json launchJson(const MeasuredLaunch &launch) {
  Json json = {{"name", launch.name}};
  if (!launch.function.empty() && launch.function != launch.name)
    json["function"] = launch.function;
  json["first"] = launch.first;
  json["count"] = launch.count;
  if (launch.stream)
    json["stream"] = *launch.stream;
  if (launch.grid)
    json["grid"] = *launch.grid;
  if (launch.block)
    json["block"] = *launch.block;
  if (launch.threads)
    json["threads"] = numberJson(*launch.threads);
  json["seconds"] = {{"median", launch.seconds.median},
                     {"min", launch.seconds.min},
                     {"max", launch.seconds.max},
                     {"total", launch.seconds.total}};
  for (const MeasuredScalar &scalar : launch.scalars)
    if (scalar.min || !scalar.raw.empty())
      json["scalars"].push_back(scalarJson(scalar));
  for (const MeasuredArray &array : launch.arrays)
    json["arrays"].push_back(arrayJson(array));
  return json;
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

bool isSameConfiguration(const MeasuredLaunch &lhs, const MeasuredLaunch &rhs) {
  return lhs.name == rhs.name && lhs.function == rhs.function &&
         lhs.stream == rhs.stream && lhs.grid == rhs.grid &&
         lhs.block == rhs.block && lhs.threads == rhs.threads;
}

void mergeScalar(MeasuredScalar &into, const MeasuredScalar &from) {
  if (into.min && from.min) {
    into.min = std::min(*into.min, *from.min);
    into.max = std::max(*into.max, *from.max);
  } else {
    into.min = into.max = std::nullopt;
  }
  if (into.raw != from.raw)
    into.raw.clear();
}

void mergeArray(MeasuredArray &into, const MeasuredArray &from) {
  into.minBytes = std::min(into.minBytes, from.minBytes);
  into.maxBytes = std::max(into.maxBytes, from.maxBytes);
}

/// Merges the arguments of one index, and adds those that aren't there.
template <typename Argument, typename Merge>
void mergeArguments(std::vector<Argument> &into,
                    const std::vector<Argument> &from, Merge merge) {
  for (const Argument &each : from) {
    const auto found =
        std::find_if(into.begin(), into.end(), [&](const Argument &other) {
          return other.index == each.index;
        });
    if (found == into.end())
      into.push_back(each);
    else
      merge(*found, each);
  }
}

/// A median, and of how many launches it is.
using WeightedMedian = std::pair<double, std::uint64_t>;

double medianOf(std::vector<WeightedMedian> medians) {
  std::sort(medians.begin(), medians.end());
  std::uint64_t all = 0, before = 0;
  for (const auto &[median, count] : medians)
    all += count;
  for (const auto &[median, count] : medians)
    if (before += count; 2 * before >= all)
      return median;
  return medians.back().first;
}

void mergeLaunch(MeasuredLaunch &into, const MeasuredLaunch &from) {
  into.first = std::min(into.first, from.first);
  into.count += from.count;
  into.seconds.min = std::min(into.seconds.min, from.seconds.min);
  into.seconds.max = std::max(into.seconds.max, from.seconds.max);
  into.seconds.total += from.seconds.total;
  mergeArguments(into.scalars, from.scalars, mergeScalar);
  mergeArguments(into.arrays, from.arrays, mergeArray);
}

} // namespace

std::variant<ProfileFile, std::string> readProfile(std::string_view text) {
  try {
    return profileIn(Json::parse(text, nullptr, false));
  } catch (const ProfileError &error) {
    return error.text;
  }
}

std::string profileJson(const ProfileFile &profile) {
  Json json = {{"version", ProfileFile::Version},
               {"program", profile.program},
               {"arguments", profile.arguments},
               {"device", profile.device},
               {"driver", profile.driver},
               {"deviceFile", profile.deviceFile},
               {"date", profile.date},
               {"runs", profile.runs}};
  json["kernels"] = Json::array();
  for (const MeasuredLaunch &launch : profile.launches)
    json["kernels"].push_back(launchJson(launch));
  json["copies"] = Json::array();
  for (const MeasuredCopies &copies : profile.copies)
    json["copies"].push_back({{"kind", copies.kind},
                              {"count", copies.count},
                              {"bytes", copies.bytes},
                              {"seconds", copies.seconds}});
  // Names are the user's bytes, which need not be UTF-8.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void sortByTime(ProfileFile &profile) {
  const auto key = [](const MeasuredLaunch &launch) {
    return std::tuple(-launch.seconds.total, std::string_view(launch.name),
                      launch.first);
  };
  std::sort(profile.launches.begin(), profile.launches.end(),
            [&](const MeasuredLaunch &lhs, const MeasuredLaunch &rhs) {
              return key(lhs) < key(rhs);
            });
}

std::variant<ProfileFile, std::string>
mergedProfiles(const std::vector<ProfileFile> &profiles) {
  ProfileFile all = profiles.front();
  if (profiles.size() == 1)
    return all; // in its own order, which is all that version 1 tells
  std::vector<std::vector<WeightedMedian>> medians;
  for (const MeasuredLaunch &launch : all.launches)
    medians.push_back({{launch.seconds.median, launch.count}});
  for (auto each = profiles.begin() + 1; each != profiles.end(); ++each) {
    if (!each->device.empty() && !all.device.empty() &&
        each->device != all.device)
      return "they are of several devices: '" + all.device + "' and '" +
             each->device + "'";
    if (all.device.empty()) {
      all.device = each->device;
      all.driver = each->driver;
      all.deviceFile = each->deviceFile;
    }
    all.runs += each->runs;
    all.date = std::max(all.date, each->date);
    for (const MeasuredLaunch &launch : each->launches) {
      const auto found =
          std::find_if(all.launches.begin(), all.launches.end(),
                       [&](const MeasuredLaunch &other) {
                         return isSameConfiguration(other, launch);
                       });
      const auto place = static_cast<std::size_t>(found - all.launches.begin());
      if (found == all.launches.end()) {
        all.launches.push_back(launch);
        medians.emplace_back();
      } else {
        mergeLaunch(*found, launch);
      }
      medians[place].emplace_back(launch.seconds.median, launch.count);
    }
    for (const MeasuredCopies &copies : each->copies) {
      const auto found = std::find_if(
          all.copies.begin(), all.copies.end(),
          [&](const MeasuredCopies &o) { return o.kind == copies.kind; });
      if (found == all.copies.end()) {
        all.copies.push_back(copies);
        continue;
      }
      found->count += copies.count;
      found->bytes += copies.bytes;
      found->seconds += copies.seconds;
    }
  }
  for (std::size_t i = 0; i < medians.size(); ++i)
    all.launches[i].seconds.median = medianOf(std::move(medians[i]));
  sortByTime(all);
  return all;
}

} // namespace kfuse
