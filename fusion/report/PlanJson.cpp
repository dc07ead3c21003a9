//===- PlanJson.cpp - Plans as versioned JSON -----------------------------===//
//
// A saved plan is meant to be edited: a group is a list of launches, each named
// by its kernel and line. Only the groups are read back; everything else in the
// file is for the reader and is decided anew.
//
//===----------------------------------------------------------------------===//

#include "fusion/report/PlanJson.h"

#include "fusion/plan/Problem.h"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>

namespace kfuse {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// How a launch is found again: the nth launch of that kernel in that line.
struct LaunchKey {
  std::string kernel;
  std::uint32_t line = 0;
  std::uint32_t index = 0;
  std::set<std::string> outputs; ///< of a part of the kernel, or empty
  bool operator==(const LaunchKey &) const = default;

  bool isBeside(const LaunchKey &other) const {
    return other.kernel == kernel && other.line == line;
  }
};

LaunchKey keyOf(const Program &program, LaunchId launch,
                const std::vector<LaunchKey> &before) {
  const Kernel &kernel = program.kernelOf(launch);
  LaunchKey key{kernel.part.of.empty() ? kernel.name : kernel.part.of,
                program[launch].range.line, 0, kernel.part.outputs};
  // A launch that is there in parts counts once, by one of its outputs.
  std::string output = key.outputs.empty() ? "" : *key.outputs.begin();
  for (const LaunchKey &other : before) {
    if (!key.isBeside(other))
      continue;
    if (output.empty() && !other.outputs.empty())
      output = *other.outputs.begin();
    if (other.outputs.empty() || other.outputs.count(output) != 0)
      ++key.index;
  }
  return key;
}

std::vector<LaunchKey> keysOf(const Program &program) {
  std::vector<LaunchKey> keys;
  for (std::uint32_t i = 0; i < program.launches.size(); ++i)
    keys.push_back(keyOf(program, LaunchId{i}, keys));
  return keys;
}

/// Checks whether the line alone doesn't identify the launch.
bool needsIndex(const std::vector<LaunchKey> &keys, const LaunchKey &key) {
  return std::any_of(keys.begin(), keys.end(), [&](const LaunchKey &other) {
    return key.isBeside(other) && other.index != 0;
  });
}

OrderedJson namesOf(const Program &program,
                    const std::vector<ArrayId> &arrays) {
  OrderedJson names = OrderedJson::array();
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

std::vector<ArrayId> computedIn(const FusedKernel &kernel) {
  std::vector<ArrayId> arrays;
  for (const Placement &placement : kernel.placements)
    if (placement.computed)
      arrays.push_back(placement.array);
  return arrays;
}

/// Returns each array in shared memory with its halo and its slot, which tiles
/// that live one after the other share.
OrderedJson saveTiles(const Program &program, const FusedKernel &kernel) {
  OrderedJson tiles = OrderedJson::array();
  for (const Placement &placement : kernel.placements)
    if (placement.isTile)
      tiles.push_back({{"array", program[placement.array].name},
                       {"slot", placement.slot},
                       {"low", placement.halo.low},
                       {"high", placement.halo.high}});
  return tiles;
}

OrderedJson saveKernel(const Program &program, const FusedKernel &kernel,
                       const std::vector<LaunchKey> &keys) {
  OrderedJson group;
  group["name"] = kernel.name;
  OrderedJson launches = OrderedJson::array();
  for (LaunchId launch : kernel.launches) {
    const LaunchKey &key = keys[indexOf(launch)];
    OrderedJson entry = {{"kernel", key.kernel}, {"line", key.line}};
    if (needsIndex(keys, key))
      entry["index"] = key.index;
    if (!key.outputs.empty())
      entry["outputs"] = key.outputs;
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
      namesOf(program, placedAs(kernel, PlacementKind::ThroughGlobal));
  if (kernel.schedule == Schedule::Recompute)
    group["computed"] = namesOf(program, computedIn(kernel));
  if (kernel.schedule == Schedule::Tile)
    group["tiles"] = saveTiles(program, kernel);
  group["conditions"] = kernel.conditions.size();
  if (!kernel.promises.empty())
    group["promises"] = kernel.promises.size();
  return group;
}

/// A launch as a plan names it.
struct Entry {
  std::string place; ///< in the file
  LaunchKey key;
  bool hasIndex = false;
};
struct EntryGroup {
  std::vector<Entry> launches;
  std::uint32_t elements = 0; ///< of a thread; 0 if the plan doesn't say
};
using EntryGroups = std::vector<EntryGroup>;

std::string describe(const LaunchKey &key) {
  return "'" + key.kernel + "' in line " + std::to_string(key.line);
}

/// Reads the entry's member `name` into `number`. Returns what is wrong if it
/// isn't a number that fits, or an empty text.
std::string readNumber(const OrderedJson &entry, const char *name,
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

std::string readOutputs(const OrderedJson &list, const std::string &place,
                        std::set<std::string> &outputs) {
  const auto isName = [](const OrderedJson &each) { return each.is_string(); };
  if (!list.is_array() || list.empty() ||
      !std::all_of(list.begin(), list.end(), isName))
    return place + ": \"outputs\" is not a list of names";
  outputs = list.get<std::set<std::string>>();
  return {};
}

std::string readLaunch(const OrderedJson &launch, Entry &entry) {
  const std::string &place = entry.place;
  if (!launch.is_object())
    return place + " is not an object";
  for (const auto &[name, value] : launch.items())
    if (name != "kernel" && name != "line" && name != "index" &&
        name != "outputs")
      return std::string(place).append(": unknown key \"" + name + "\"");
  const auto kernel = launch.find("kernel");
  if (kernel == launch.end() || !kernel->is_string())
    return place + " has no \"kernel\"";
  entry.key.kernel = kernel->get<std::string>();
  entry.hasIndex = launch.contains("index");
  std::string error = readNumber(launch, "line", place, entry.key.line);
  if (error.empty() && entry.hasIndex)
    error = readNumber(launch, "index", place, entry.key.index);
  if (error.empty() && launch.contains("outputs"))
    error = readOutputs(launch["outputs"], place, entry.key.outputs);
  return error;
}

/// Returns the launches that a plan names, or the first thing that is wrong
/// with the plan.
/// Reads the count of elements that a thread works on, if the group has one.
std::string readElements(const OrderedJson &group, const std::string &place,
                         std::uint32_t &elements) {
  const char *const name = "elementsPerThread";
  if (!group.contains(name))
    return {};
  constexpr std::uint32_t Most = 16;
  if (std::string error = readNumber(group, name, place, elements);
      !error.empty())
    return error;
  if (std::has_single_bit(elements) && elements <= Most)
    return {};
  return place + ": \"" + name + "\" is not 1, 2, 4, 8 or 16";
}

std::variant<EntryGroups, std::string> readPlan(std::string_view text) {
  const OrderedJson plan = OrderedJson::parse(text, nullptr, false);
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
  EntryGroups found;
  for (const OrderedJson &group : *groups) {
    found.emplace_back();
    const std::string place = "group " + std::to_string(found.size());
    if (!group.is_object())
      return place + " is not an object";
    const auto launches = group.find("launches");
    if (launches == group.end() || !launches->is_array() || launches->empty())
      return place + " has no list of \"launches\"";
    for (const OrderedJson &launch : *launches) {
      std::vector<Entry> &entries = found.back().launches;
      Entry &entry = entries.emplace_back();
      entry.place = place + ", launch " + std::to_string(entries.size());
      if (std::string error = readLaunch(launch, entry); !error.empty())
        return error;
    }
    if (std::string error = readElements(group, place, found.back().elements);
        !error.empty())
      return error;
  }
  return found;
}

/// Finds the launch that `entry` means by the launches' `keys`.
std::variant<LaunchId, std::string> find(const std::vector<LaunchKey> &keys,
                                         const Entry &entry) {
  const LaunchKey &key = entry.key;
  const auto found = std::find(keys.begin(), keys.end(), key);
  if (found == keys.end())
    return entry.place + ": the program has no launch of " + describe(key) +
           (key.index != 0 ? " with index " + std::to_string(key.index) : "");
  if (!entry.hasIndex && needsIndex(keys, key))
    return entry.place + ": " + describe(key) +
           " is launched more than once; add \"index\"";
  return LaunchId{static_cast<std::uint32_t>(found - keys.begin())};
}

std::string listedTwice(const Entry &entry) {
  return entry.place + ": " + describe(entry.key) + " is listed twice";
}

/// Finds the launches of the parts that a plan names.
class PartLoader {
public:
  PartLoader(const Problem &problem, const std::vector<FissionCandidate> &known)
      : TheProblem(problem), Known(known), Keys(keysOf(problem.program)) {}

  /// Adds an entry that names a part; returns what is wrong with it.
  std::string add(Entry entry) {
    const std::set<std::string> outputs = std::move(entry.key.outputs);
    entry.key.outputs.clear();
    const auto launch = find(Keys, entry);
    if (const auto *error = std::get_if<std::string>(&launch))
      return *error;
    Fission *fission = fissionOf(std::get<LaunchId>(launch));
    if (!fission)
      return entry.place + ": " + describe(entry.key) + " has no parts";
    PartSet piece;
    std::set<std::string> left = outputs;
    const FissionCandidate &separation = Known[fission->separation];
    const Kernel &kernel = TheProblem.program[separation.kernel];
    for (std::uint32_t part = 0; part < separation.parts.size(); ++part)
      for (const std::uint32_t output : separation.parts[part].outputs)
        if (outputs.count(kernel.parameters[output].name) != 0)
          piece.insert(part);
    for (const std::uint32_t part : piece)
      for (const std::uint32_t output : separation.parts[part].outputs)
        if (left.erase(kernel.parameters[output].name) == 0)
          return entry.place + ": what of " + describe(entry.key) +
                 " writes '" + *outputs.begin() + "' writes '" +
                 kernel.parameters[output].name + "' too";
    if (!left.empty())
      return entry.place + ": no part of " + describe(entry.key) + " writes '" +
             *left.begin() + "'";
    for (const PartSet &other : fission->pieces)
      for (const std::uint32_t part : other)
        if (piece.count(part) != 0)
          return listedTwice(entry);
    fission->pieces.push_back(std::move(piece));
    return {};
  }

  /// Checks whether the entry, which names a whole launch, names one that is
  /// there in parts.
  bool hasParts(const Entry &entry) const {
    const auto launch = find(Keys, entry);
    return std::holds_alternative<LaunchId>(launch) &&
           std::any_of(Found.begin(), Found.end(), [&](const Fission &each) {
             return each.launch == std::get<LaunchId>(launch);
           });
  }

  /// Returns what is wrong with the launches that are there in parts.
  std::string check() {
    for (Fission &fission : Found) {
      const std::string name = describe(Keys[indexOf(fission.launch)]);
      std::size_t count = 0;
      for (const PartSet &piece : fission.pieces)
        count += piece.size();
      if (count < Known[fission.separation].parts.size())
        return "not all parts of " + name + " are in groups";
      if (fission.pieces.size() < 2)
        return name + " is there as a whole; leave out \"outputs\"";
      std::sort(fission.pieces.begin(), fission.pieces.end());
      if (std::string why = whyWhole(TheProblem, Known, fission); !why.empty())
        return name + " can't be several: " + why;
    }
    return {};
  }

  std::vector<Fission> take() {
    std::sort(Found.begin(), Found.end(),
              [](const Fission &lhs, const Fission &rhs) {
                return lhs.launch < rhs.launch;
              });
    return std::move(Found);
  }

private:
  /// Finds the fission of the launch, or adds one without pieces; returns
  /// nullptr if the launch has no parts.
  Fission *fissionOf(LaunchId launch) {
    for (Fission &fission : Found)
      if (fission.launch == launch)
        return &fission;
    for (std::uint32_t i = 0; i < Known.size(); ++i)
      if (const auto &launches = Known[i].launches;
          std::find(launches.begin(), launches.end(), launch) != launches.end())
        return &Found.emplace_back(Fission{launch, i, {}});
    return nullptr;
  }

  const Problem &TheProblem;
  const std::vector<FissionCandidate> &Known;
  std::vector<LaunchKey> Keys;
  std::vector<Fission> Found;
};

} // namespace

std::string savePlan(const Program &program, const FusionPlan &plan) {
  const std::vector<LaunchKey> keys = keysOf(program);
  OrderedJson json;
  json["version"] = FusionPlan::Version;
  json["device"] = plan.device;
  json["groups"] = OrderedJson::array();
  for (const FusedKernel &kernel : plan.kernels)
    json["groups"].push_back(saveKernel(program, kernel, keys));
  if (!program.keptLoops.empty())
    json["keptLoops"] = program.keptLoops;
  json["removed"] = namesOf(program, plan.removed);
  json["dead"] = namesOf(program, plan.dead);
  // Names are the user's bytes, which need not be UTF-8.
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

std::variant<std::set<std::string>, std::string>
loadKeptLoops(std::string_view text) {
  const auto plan = readPlan(text);
  if (const auto *error = std::get_if<std::string>(&plan))
    return *error;
  const OrderedJson json = OrderedJson::parse(text);
  std::set<std::string> loops;
  const auto saved = json.find("keptLoops");
  if (saved == json.end())
    return loops;
  for (const OrderedJson &loop : *saved) {
    if (!loop.is_string())
      return std::string("\"keptLoops\" is no list of texts");
    loops.insert(loop.get<std::string>());
  }
  return loops;
}

std::variant<std::vector<Fission>, std::string>
loadFissions(const Problem &problem, const std::vector<FissionCandidate> &known,
             std::string_view json) {
  const auto plan = readPlan(json);
  if (const auto *error = std::get_if<std::string>(&plan))
    return *error;
  PartLoader loader(problem, known);
  for (const EntryGroup &group : std::get<EntryGroups>(plan))
    for (const Entry &entry : group.launches)
      if (!entry.key.outputs.empty())
        if (std::string error = loader.add(entry); !error.empty())
          return error;
  for (const EntryGroup &group : std::get<EntryGroups>(plan))
    for (const Entry &entry : group.launches)
      if (entry.key.outputs.empty() && loader.hasParts(entry))
        return entry.place + ": " + describe(entry.key) +
               " is listed whole and in parts";
  if (std::string error = loader.check(); !error.empty())
    return error;
  return loader.take();
}

std::variant<LoadedPlan, std::string> loadPlan(const Program &program,
                                               std::string_view json) {
  const auto plan = readPlan(json);
  if (const auto *error = std::get_if<std::string>(&plan))
    return *error;
  const std::vector<LaunchKey> keys = keysOf(program);
  std::set<LaunchId> used;
  LoadedPlan loaded;
  for (const EntryGroup &saved : std::get<EntryGroups>(plan)) {
    std::vector<LaunchId> &group = loaded.groups.emplace_back();
    for (const Entry &entry : saved.launches) {
      const auto found = find(keys, entry);
      if (const auto *error = std::get_if<std::string>(&found))
        return *error;
      group.push_back(std::get<LaunchId>(found));
      if (!used.insert(group.back()).second)
        return listedTwice(entry);
    }
    std::sort(group.begin(), group.end());
    if (saved.elements != 0)
      loaded.elements[group] = saved.elements;
  }
  for (std::uint32_t i = 0; i < keys.size(); ++i)
    if (used.count(LaunchId{i}) == 0)
      return "the launch of " + describe(keys[i]) + " is in no group";
  std::sort(loaded.groups.begin(), loaded.groups.end());
  return loaded;
}

} // namespace kfuse
