//===- AbstractJson.cpp - Abstract problems as versioned JSON -------------===//

#include "ga/problem/AbstractJson.h"

#include <limits>
#include <nlohmann/json.hpp>

namespace kfuse {
namespace {

using Json = nlohmann::ordered_json;

/// Reads the values of one object, and remembers the first thing that is wrong
/// with it. Every key must be asked for.
class Reader {
public:
  Reader(const Json &json, std::string where, std::string &error)
      : Object(json), Where(std::move(where)), Error(error) {
    if (!Object.is_object())
      fail("must be an object");
  }

  void read(const char *key, std::string &value) {
    if (const Json *entry = find(key)) {
      if (entry->is_string())
        value = entry->get<std::string>();
      else
        fail(quoted(key) + " must be a string");
    }
  }
  void read(const char *key, bool &value) {
    if (const Json *entry = find(key)) {
      if (entry->is_boolean())
        value = entry->get<bool>();
      else
        fail(quoted(key) + " must be true or false");
    }
  }
  void read(const char *key, double &value) {
    if (const Json *entry = find(key)) {
      if (entry->is_number())
        value = entry->get<double>();
      else
        fail(quoted(key) + " must be a number");
    }
  }
  void read(const char *key, std::uint32_t &value) {
    if (const Json *entry = find(key))
      value = whole(*entry, key);
  }
  void read(const char *key, std::vector<std::uint32_t> &values) {
    for (const Json &entry : list(key))
      values.push_back(whole(entry, key));
  }
  /// Pairs of numbers, as lists of two.
  template <typename Take> void readPairs(const char *key, Take take) {
    for (const Json &entry : list(key)) {
      if (!entry.is_array() || entry.size() != 2)
        return fail(quoted(key) + " must be a list of pairs");
      take(whole(entry[0], key), whole(entry[1], key));
    }
  }
  template <typename Take> void readObjects(const char *key, Take take) {
    std::size_t number = 0;
    for (const Json &entry : list(key)) {
      Reader part(entry,
                  (Where.empty() ? "" : Where + ": ") + std::string(key) + "[" +
                      std::to_string(number++) + "]",
                  Error);
      take(part);
      part.finish();
    }
  }
  template <typename Take> void readObject(const char *key, Take take) {
    const Json *entry = find(key);
    if (!entry)
      return;
    Reader part(*entry, key, Error);
    take(part);
    part.finish();
  }
  void finish() {
    if (Error.empty() && Object.size() != Asked.size())
      for (const auto &[key, value] : Object.items())
        if (std::find(Asked.begin(), Asked.end(), key) == Asked.end())
          return fail("unknown key " + quoted(key));
  }

private:
  static std::string quoted(const std::string &key) { return "'" + key + "'"; }

  void fail(const std::string &what) {
    if (Error.empty())
      Error = (Where.empty() ? "the problem" : Where) + ": " + what;
  }

  const Json *find(const char *key) {
    if (!Error.empty())
      return nullptr;
    Asked.emplace_back(key);
    auto entry = Object.find(key);
    if (entry != Object.end())
      return &*entry;
    fail("missing key " + quoted(key));
    return nullptr;
  }

  const Json &list(const char *key) {
    static const Json Nothing = Json::array();
    const Json *entry = find(key);
    if (!entry)
      return Nothing;
    if (entry->is_array())
      return *entry;
    fail(quoted(key) + " must be a list");
    return Nothing;
  }

  std::uint32_t whole(const Json &entry, const char *key) {
    if (entry.is_number_unsigned() &&
        entry.get<std::uint64_t>() <= std::numeric_limits<std::uint32_t>::max())
      return entry.get<std::uint32_t>();
    fail(quoted(key) + " must have whole numbers");
    return 0;
  }

  const Json &Object;
  std::string Where;
  std::string &Error;
  std::vector<std::string> Asked;
};

void readParts(Reader &file, AbstractProblem &problem) {
  file.read("name", problem.name);
  file.readObject("device", [&](Reader &part) {
    AbstractDevice &device = problem.device;
    part.read("name", device.name);
    part.read("launchSeconds", device.launchSeconds);
    part.read("bandwidth", device.bandwidth);
    part.read("flopRate", device.flopRate);
    part.read("haloShare", device.haloShare);
  });
  file.readObject("limits", [&](Reader &part) {
    AbstractLimits &limits = problem.limits;
    part.read("sharedBytes", limits.sharedBytes);
    part.read("registers", limits.registers);
    part.read("registerShare", limits.registerShare);
    part.read("halo", limits.halo);
  });
  file.readPairs("tiles", [&](std::uint32_t x, std::uint32_t y) {
    problem.tiles.push_back({x, y});
  });
  file.read("horizontal", problem.horizontal);
  file.readObjects("arrays", [&](Reader &part) {
    AbstractArray &array = problem.arrays.emplace_back();
    part.read("name", array.name);
    part.read("bytes", array.bytes);
    part.read("elementBytes", array.elementBytes);
    part.read("kept", array.kept);
  });
  file.readObjects("kernels", [&](Reader &part) {
    AbstractKernel &kernel = problem.kernels.emplace_back();
    part.read("name", kernel.name);
    part.read("flops", kernel.flops);
    part.read("registers", kernel.registers);
    part.readPairs("reads", [&](std::uint32_t array, std::uint32_t halo) {
      kernel.reads.push_back({array, halo});
    });
    part.read("writes", kernel.writes);
    part.read("after", kernel.after);
  });
  file.readPairs("separated", [&](std::uint32_t first, std::uint32_t second) {
    problem.separated.emplace_back(first, second);
  });
}

} // namespace

std::string saveProblem(const AbstractProblem &problem) {
  Json json;
  json["version"] = AbstractProblem::Version;
  json["name"] = problem.name;
  const AbstractDevice &device = problem.device;
  json["device"] = {{"name", device.name},
                    {"launchSeconds", device.launchSeconds},
                    {"bandwidth", device.bandwidth},
                    {"flopRate", device.flopRate},
                    {"haloShare", device.haloShare}};
  const AbstractLimits &limits = problem.limits;
  json["limits"] = {{"sharedBytes", limits.sharedBytes},
                    {"registers", limits.registers},
                    {"registerShare", limits.registerShare},
                    {"halo", limits.halo}};
  json["tiles"] = Json::array();
  for (const AbstractTile &tile : problem.tiles)
    json["tiles"].push_back(Json::array({tile.x, tile.y}));
  json["horizontal"] = problem.horizontal;
  json["arrays"] = Json::array();
  for (const AbstractArray &array : problem.arrays)
    json["arrays"].push_back({{"name", array.name},
                              {"bytes", array.bytes},
                              {"elementBytes", array.elementBytes},
                              {"kept", array.kept}});
  json["kernels"] = Json::array();
  for (const AbstractKernel &kernel : problem.kernels) {
    Json reads = Json::array();
    for (const AbstractRead &read : kernel.reads)
      reads.push_back(Json::array({read.array, read.halo}));
    json["kernels"].push_back({{"name", kernel.name},
                               {"flops", kernel.flops},
                               {"registers", kernel.registers},
                               {"reads", std::move(reads)},
                               {"writes", kernel.writes},
                               {"after", kernel.after}});
  }
  json["separated"] = Json::array();
  for (auto [first, second] : problem.separated)
    json["separated"].push_back(Json::array({first, second}));
  // Names may come from a source text, which need not be UTF-8.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::variant<AbstractProblem, std::string> loadProblem(std::string_view json) {
  const Json file = Json::parse(json, nullptr, false);
  if (!file.is_object())
    return std::string("a problem must be one JSON object");
  std::string error;
  Reader reader(file, "", error);
  std::uint32_t version = 0;
  reader.read("version", version);
  if (error.empty() && version != AbstractProblem::Version)
    return "the problem has version " + std::to_string(version) + ", not " +
           std::to_string(AbstractProblem::Version);
  AbstractProblem problem;
  readParts(reader, problem);
  reader.finish();
  if (error.empty())
    error = validate(problem);
  if (!error.empty())
    return error;
  return problem;
}

} // namespace kfuse
