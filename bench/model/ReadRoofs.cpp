//===- ReadRoofs.cpp - The roofs of a device file -----------------------===//

#include "bench/model/JsonFields.h"
#include "bench/model/Roofs.h"

#include <algorithm>

namespace kfuse {
namespace {

struct KindOfRoof {
  const char *name;
  RoofKind kind;
  const char *place; ///< the key of its level or unit, if it must have one
  const char *units;
};
constexpr KindOfRoof KindsOfRoofs[] = {
    {"memory", RoofKind::Memory, "level", "B/s"},
    {"compute", RoofKind::Compute, "unit", "op/s"},
    {"latency", RoofKind::Latency, nullptr, "s"},
    {"transfer", RoofKind::Transfer, nullptr, "B/s"},
    {"overhead", RoofKind::Overhead, nullptr, "s"},
};

struct KindOfCurve {
  const char *name;
  CurveKind kind;
};
constexpr KindOfCurve KindsOfCurves[] = {
    {"bandwidth", CurveKind::Bandwidth},
    {"latency", CurveKind::Latency},
    {"inFlight", CurveKind::InFlight},
};

/// The numbers of a device file that are roofs if it lists none.
struct PlainRoof {
  const char *key;
  RoofKind kind;
  const char *name, *place;
};
constexpr PlainRoof PlainRoofs[] = {
    {"bandwidth", RoofKind::Memory, "DRAM", "DRAM"},
    {"l2Bandwidth", RoofKind::Memory, "L2", "L2"},
    {"sharedBandwidth", RoofKind::Memory, "shared memory", "local"},
    {"flopRate", RoofKind::Compute, "fp32", "fp32"},
    {"latencySeconds", RoofKind::Latency, "load from DRAM", ""},
    {"launchSeconds", RoofKind::Overhead, "launch", ""},
};

template <typename Kind, std::size_t N>
const Kind *kindNamed(const Kind (&kinds)[N], const std::string &name) {
  const Kind *found =
      std::find_if(std::begin(kinds), std::end(kinds),
                   [&](const Kind &k) { return k.name == name; });
  return found == std::end(kinds) ? nullptr : found;
}

Roof roofOf(JsonFields &fields) {
  Roof roof;
  const std::string kindName = fields.text("kind");
  const KindOfRoof *kind = kindNamed(KindsOfRoofs, kindName);
  if (!kind) {
    fields.fail("'" + kindName + "' is no kind of roof");
    return roof;
  }
  roof.kind = kind->kind;
  roof.name = fields.text("name");
  if (kind->place)
    roof.place = fields.text(kind->place);
  roof.value = fields.positive("value");
  if (fields.text("units") != kind->units)
    fields.fail("the units of this kind are '" + std::string(kind->units) +
                "'");
  const std::string origin = fields.text("origin");
  roof.isMeasured = origin == "measured";
  if (!roof.isMeasured && origin != "theoretical")
    fields.fail("the origin is 'measured' or 'theoretical'");
  roof.spread = fields.amountOr("spread", 0);
  roof.method = fields.optionalText("method");
  return roof;
}

Curve curveOf(const nlohmann::json &object, JsonFields &fields) {
  Curve curve;
  const std::string kindName = fields.text("kind");
  const KindOfCurve *kind = kindNamed(KindsOfCurves, kindName);
  if (!kind)
    fields.fail("'" + kindName + "' is no kind of curve");
  curve.name = fields.text("name");
  if (!fields.has("points") || !object["points"].is_array())
    fields.fail("'points' is no list");
  if (!fields.error().empty())
    return curve;
  curve.kind = kind->kind;
  const auto isNumber = [](const nlohmann::json &value) {
    return value.is_number() && value.get<double>() > 0 &&
           isUsable(value.get<double>());
  };
  for (const nlohmann::json &point : object["points"]) {
    if (!point.is_array() || point.size() != 2 || !isNumber(point[0]) ||
        !isNumber(point[1])) {
      fields.fail("a point is no pair of numbers above 0");
      return curve;
    }
    curve.points.push_back({point[0].get<double>(), point[1].get<double>()});
  }
  std::sort(curve.points.begin(), curve.points.end());
  return curve;
}

/// Calls `read` with each object of the list `key`, which may be left out.
/// Returns the first problem.
template <typename Read>
std::string readList(const nlohmann::json &file, const char *key, Read read) {
  if (!file.contains(key))
    return {};
  if (!file[key].is_array())
    return "'" + std::string(key) + "' is no list";
  for (std::size_t i = 0; i < file[key].size(); ++i) {
    const nlohmann::json &object = file[key][i];
    JsonFields fields(object, std::string(key) + "[" + std::to_string(i) + "]");
    read(object, fields);
    if (!fields.error().empty())
      return fields.error();
  }
  return {};
}

/// Adds the roofs that a file's plain numbers are. Returns the first problem.
std::string addPlainRoofs(const nlohmann::json &file, DeviceRoofs &device) {
  for (const PlainRoof &plain : PlainRoofs) {
    if (!file.contains(plain.key))
      continue;
    JsonFields fields(file[plain.key], "'" + std::string(plain.key) + "'");
    Roof roof;
    roof.kind = plain.kind;
    roof.name = plain.name;
    roof.place = plain.place;
    roof.value = fields.amount("value");
    roof.isMeasured = fields.text("origin") == "measured";
    roof.method = fields.optionalText("note");
    if (!fields.error().empty())
      return fields.error();
    if (roof.value > 0)
      device.roofs.push_back(std::move(roof));
  }
  return {};
}

} // namespace

std::variant<DeviceRoofs, std::string> parseDeviceRoofs(std::string_view json) {
  const auto parsed = parseJson(json);
  if (const auto *why = std::get_if<std::string>(&parsed))
    return *why;
  const auto &file = std::get<nlohmann::json>(parsed);
  JsonFields fields(file, "the device file");
  DeviceRoofs device;
  device.name = fields.text("name");
  device.description = fields.optionalText("description");
  if (device.description.empty())
    device.description = device.name;
  if (!fields.error().empty())
    return fields.error();
  std::string why =
      readList(file, "roofs", [&](const nlohmann::json &, JsonFields &object) {
        device.roofs.push_back(roofOf(object));
      });
  if (why.empty() && device.roofs.empty())
    why = addPlainRoofs(file, device);
  if (why.empty())
    why = readList(file, "curves",
                   [&](const nlohmann::json &object, JsonFields &curve) {
                     device.curves.push_back(curveOf(object, curve));
                   });
  if (!why.empty())
    return why;
  return device;
}

} // namespace kfuse
