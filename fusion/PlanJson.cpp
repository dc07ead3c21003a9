//===- fusion/PlanJson.cpp - Plans as versioned JSON ----------------------===//
//
// A saved plan is meant to be edited: a group is a list of launches, each named
// by its kernel and line. Only the groups are read back; everything else in the
// file is for the reader and is decided anew.
//
//===----------------------------------------------------------------------===//

#include "fusion/Problem.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace kfuse {
namespace {

using Json = nlohmann::ordered_json;

/// How a launch is found again: the nth launch of that kernel in that line.
struct LaunchKey {
  std::string kernel;
  std::uint32_t line = 0;
  std::uint32_t index = 0;
  bool operator==(const LaunchKey &) const = default;
};

std::vector<LaunchKey> keysOf(const Program &program) {
  std::vector<LaunchKey> keys;
  for (std::uint32_t i = 0; i < program.launches.size(); ++i) {
    LaunchKey key{program.kernelOf(LaunchId{i}).name,
                  program.launches[i].range.line, 0};
    while (std::find(keys.begin(), keys.end(), key) != keys.end())
      ++key.index;
    keys.push_back(std::move(key));
  }
  return keys;
}

/// Whether the line alone doesn't tell the launch.
bool needsIndex(const std::vector<LaunchKey> &keys, const LaunchKey &key) {
  return std::count_if(keys.begin(), keys.end(), [&](const LaunchKey &other) {
           return other.kernel == key.kernel && other.line == key.line;
         }) > 1;
}

Json namesOf(const Program &program, const std::vector<ArrayId> &arrays) {
  Json names = Json::array();
  for (ArrayId array : arrays)
    names.push_back(program[array].name);
  return names;
}

std::vector<ArrayId> placedAs(const FusedKernel &kernel, PlacementKind kind) {
  std::vector<ArrayId> arrays;
  for (const Placement &placement : kernel.placements)
    if (placement.kind == kind)
      arrays.push_back(placement.array);
  return arrays;
}

/// Each array in shared memory: its halo, and its slot, which tiles that live
/// one after the other share.
Json saveTiles(const Program &program, const FusedKernel &kernel) {
  Json tiles = Json::array();
  for (const Placement &placement : kernel.placements)
    if (placement.isTile)
      tiles.push_back({{"array", program[placement.array].name},
                       {"slot", placement.slot},
                       {"low", placement.halo.low},
                       {"high", placement.halo.high}});
  return tiles;
}

Json saveKernel(const Program &program, const FusedKernel &kernel,
                const std::vector<LaunchKey> &keys) {
  Json group;
  group["name"] = kernel.name;
  Json launches = Json::array();
  for (LaunchId launch : kernel.launches) {
    const LaunchKey &key = keys[indexOf(launch)];
    Json entry = {{"kernel", key.kernel}, {"line", key.line}};
    if (needsIndex(keys, key))
      entry["index"] = key.index;
    launches.push_back(std::move(entry));
  }
  group["launches"] = std::move(launches);
  if (kernel.schedule == Schedule::Single)
    return group;
  group["schedule"] = scheduleName(kernel.schedule);
  group["elementsPerThread"] = kernel.elementsPerThread;
  group["forwarded"] =
      namesOf(program, placedAs(kernel, PlacementKind::Register));
  group["neverStored"] =
      namesOf(program, placedAs(kernel, PlacementKind::RegisterOnly));
  group["throughMemory"] =
      namesOf(program, placedAs(kernel, PlacementKind::Memory));
  if (kernel.schedule == Schedule::Tile)
    group["tiles"] = saveTiles(program, kernel);
  group["conditions"] = kernel.conditions.size();
  if (!kernel.promises.empty())
    group["promises"] = kernel.promises.size();
  return group;
}

/// Reads one saved plan; the first thing wrong with it ends the reading.
class Loader {
public:
  explicit Loader(const Program &program)
      : Keys(keysOf(program)), IsUsed(Keys.size(), false) {}

  std::variant<Groups, std::string> load(std::string_view text);

private:
  std::string readGroup(const Json &entry, std::size_t number);
  std::string readLaunch(const Json &entry, const std::string &place,
                         std::vector<LaunchId> &group);

  std::vector<LaunchKey> Keys;
  std::vector<bool> IsUsed;
  Groups Found;
};

std::string describe(const LaunchKey &key) {
  return "'" + key.kernel + "' in line " + std::to_string(key.line);
}

/// The member as a number that fits, or why it isn't one.
std::string readNumber(const Json &entry, const char *name,
                       const std::string &place, std::uint32_t &number) {
  const auto found = entry.find(name);
  if (found == entry.end())
    return place + " has no \"" + name + "\"";
  if (!found->is_number_unsigned() ||
      found->get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max())
    return place + ": \"" + name + "\" is not a number";
  number = found->get<std::uint32_t>();
  return {};
}

std::string Loader::readLaunch(const Json &entry, const std::string &place,
                               std::vector<LaunchId> &group) {
  if (!entry.is_object())
    return place + " is not an object";
  for (const auto &[name, value] : entry.items())
    if (name != "kernel" && name != "line" && name != "index")
      return std::string(place).append(": unknown key \"" + name + "\"");
  const auto kernel = entry.find("kernel");
  if (kernel == entry.end() || !kernel->is_string())
    return place + " has no \"kernel\"";
  LaunchKey key;
  key.kernel = kernel->get<std::string>();
  std::string error = readNumber(entry, "line", place, key.line);
  if (error.empty() && entry.contains("index"))
    error = readNumber(entry, "index", place, key.index);
  if (!error.empty())
    return error;
  const auto found = std::find(Keys.begin(), Keys.end(), key);
  if (found == Keys.end())
    return place + ": the program has no launch of " + describe(key) +
           (key.index != 0 ? " with index " + std::to_string(key.index) : "");
  if (!entry.contains("index") && needsIndex(Keys, key))
    return place + ": " + describe(key) +
           " is launched more than once; add \"index\"";
  const auto number = static_cast<std::size_t>(found - Keys.begin());
  if (IsUsed[number])
    return place + ": " + describe(key) + " is listed twice";
  IsUsed[number] = true;
  group.push_back(LaunchId{static_cast<std::uint32_t>(number)});
  return {};
}

std::string Loader::readGroup(const Json &entry, std::size_t number) {
  const std::string place = "group " + std::to_string(number + 1);
  if (!entry.is_object())
    return place + " is not an object";
  const auto launches = entry.find("launches");
  if (launches == entry.end() || !launches->is_array() || launches->empty())
    return place + " has no list of \"launches\"";
  std::vector<LaunchId> group;
  for (std::size_t i = 0; i < launches->size(); ++i) {
    std::string error = readLaunch(
        (*launches)[i], place + ", launch " + std::to_string(i + 1), group);
    if (!error.empty())
      return error;
  }
  std::sort(group.begin(), group.end());
  Found.push_back(std::move(group));
  return {};
}

std::variant<Groups, std::string> Loader::load(std::string_view text) {
  const Json plan = Json::parse(text, nullptr, false);
  if (plan.is_discarded())
    return std::string("it is not JSON");
  if (!plan.is_object())
    return std::string("it is not a JSON object");
  const auto version = plan.find("version");
  if (version == plan.end())
    return std::string("it has no \"version\"");
  if (!version->is_number_integer() ||
      version->get<std::int64_t>() != FusionPlan::Version)
    return "its version is " + version->dump() + "; this kfuse reads version " +
           std::to_string(FusionPlan::Version);
  const auto groups = plan.find("groups");
  if (groups == plan.end() || !groups->is_array())
    return std::string("it has no list of \"groups\"");
  for (std::size_t i = 0; i < groups->size(); ++i) {
    std::string error = readGroup((*groups)[i], i);
    if (!error.empty())
      return error;
  }
  for (std::size_t i = 0; i < Keys.size(); ++i)
    if (!IsUsed[i])
      return "the launch of " + describe(Keys[i]) + " is in no group";
  std::sort(Found.begin(), Found.end());
  return std::move(Found);
}

} // namespace

std::string savePlan(const Program &program, const FusionPlan &plan) {
  const std::vector<LaunchKey> keys = keysOf(program);
  Json json;
  json["version"] = FusionPlan::Version;
  json["device"] = plan.device;
  json["groups"] = Json::array();
  for (const FusedKernel &kernel : plan.kernels)
    json["groups"].push_back(saveKernel(program, kernel, keys));
  json["removed"] = namesOf(program, plan.removed);
  json["dead"] = namesOf(program, plan.dead);
  // Names are the user's bytes, which need not be UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::variant<Groups, std::string> loadPlan(const Program &program,
                                           std::string_view json) {
  return Loader(program).load(json);
}

} // namespace kfuse
