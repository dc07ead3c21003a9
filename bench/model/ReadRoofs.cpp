//===- ReadRoofs.cpp - The roofs of a device file -------------------------===//

#include "bench/model/JsonFields.h"
#include "bench/model/Roofs.h"

#include <algorithm>
#include <iterator>
#include <utility>

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
  const char *x, *y; ///< what the file says of its axes
  CurveKind kind;
};
constexpr KindOfCurve KindsOfCurves[] = {
    {"bytes", "B/s", CurveKind::Bandwidth},
    {"bytes", "s", CurveKind::Latency},
    {"bytes in flight", "B/s", CurveKind::InFlight},
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

DeviceRoof roofOf(JsonFields &fields) {
  DeviceRoof roof;
  const std::string kindName = fields.text("kind");
  const KindOfRoof *kind = std::find_if(
      std::begin(KindsOfRoofs), std::end(KindsOfRoofs),
      [&](const KindOfRoof &each) { return each.name == kindName; });
  if (kind == std::end(KindsOfRoofs)) {
    fields.fail("'" + kindName + "' is no kind of roof");
    return roof;
  }
  roof.kind = kind->kind;
  roof.name = fields.text("name");
  if (kind->place)
    roof.place = fields.text(kind->place);
  roof.value = fields.amount("value");
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

bool isAboveZero(const nlohmann::json &value) {
  return value.is_number() && value.get<double>() > 0 &&
         isUsable(value.get<double>());
}

void readPoints(const nlohmann::json &list, JsonFields &fields,
                DeviceCurve &curve) {
  for (const nlohmann::json &point : list) {
    if (!point.is_array() || point.size() < 2 || !isAboveZero(point[0]) ||
        !isAboveZero(point[1])) {
      fields.fail("a point is no pair of numbers above 0");
      return;
    }
    curve.points.push_back({point[0].get<double>(), point[1].get<double>()});
  }
  std::sort(curve.points.begin(), curve.points.end());
}

void readPlateaus(const nlohmann::json &list, JsonFields &fields,
                  DeviceCurve &curve) {
  for (const nlohmann::json &object : list) {
    JsonFields plateau(object, "a plateau");
    CurvePlateau read{plateau.text("level"), plateau.positive("from"),
                      plateau.positive("to"), plateau.positive("value")};
    if (!plateau.error().empty())
      fields.fail(plateau.error());
    curve.plateaus.push_back(std::move(read));
  }
}

DeviceCurve curveOf(const nlohmann::json &object, JsonFields &fields) {
  DeviceCurve curve;
  const std::string x = fields.text("x"), y = fields.text("y");
  const KindOfCurve *kind = std::find_if(
      std::begin(KindsOfCurves), std::end(KindsOfCurves),
      [&](const KindOfCurve &each) { return each.x == x && each.y == y; });
  if (kind == std::end(KindsOfCurves))
    fields.fail("there is no curve of '" + y + "' over '" + x + "'");
  else
    curve.kind = kind->kind;
  if (fields.has("points") && object["points"].is_array())
    readPoints(object["points"], fields, curve);
  else
    fields.fail("'points' is no list");
  if (fields.has("plateaus"))
    readPlateaus(object["plateaus"], fields, curve);
  return curve;
}

/// Reads the list `roofs`, which may be left out. Returns the first problem.
std::string readRoofs(const nlohmann::json &file, DeviceRoofs &device) {
  if (!file.contains("roofs"))
    return {};
  if (!file["roofs"].is_array())
    return "'roofs' is no list";
  for (std::size_t i = 0; i < file["roofs"].size(); ++i) {
    JsonFields fields(file["roofs"][i], "roofs[" + std::to_string(i) + "]");
    DeviceRoof roof = roofOf(fields);
    if (!fields.error().empty())
      return fields.error();
    // An overhead may be too short to be measured.
    if (roof.value > 0)
      device.roofs.push_back(std::move(roof));
  }
  return {};
}

/// Reads the object `curves`, which may be left out. Returns the first problem.
std::string readCurves(const nlohmann::json &file, DeviceRoofs &device) {
  if (!file.contains("curves"))
    return {};
  if (!file["curves"].is_object())
    return "'curves' is no object";
  for (const auto &[name, object] : file["curves"].items()) {
    JsonFields fields(object, "the curve '" + name + "'");
    DeviceCurve curve = curveOf(object, fields);
    if (!fields.error().empty())
      return fields.error();
    curve.name = name;
    device.curves.push_back(std::move(curve));
  }
  return {};
}

/// Adds the roofs that a file's plain numbers are. Returns the first problem.
std::string addPlainRoofs(const nlohmann::json &file, DeviceRoofs &device) {
  for (const PlainRoof &plain : PlainRoofs) {
    if (!file.contains(plain.key))
      continue;
    JsonFields fields(file[plain.key], "'" + std::string(plain.key) + "'");
    DeviceRoof roof;
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

/// Reads the law of the bytes in flight, if the device's was fitted. Returns
/// the first problem.
std::string readFlight(const nlohmann::json &file, DeviceRoofs &device) {
  for (const char *key : {"bandwidth", "latencySeconds", "bandwidthKnee"})
    if (!file.contains(key))
      return {};
  JsonFields knee(file["bandwidthKnee"], "'bandwidthKnee'");
  JsonFields bandwidth(file["bandwidth"], "'bandwidth'");
  JsonFields latency(file["latencySeconds"], "'latencySeconds'");
  const bool isFitted = knee.text("origin") == "measured";
  const FlightLaw law{bandwidth.positive("value"), latency.positive("value"),
                      knee.positive("value")};
  for (const JsonFields *fields : {&knee, &bandwidth, &latency})
    if (!fields->error().empty())
      return fields->error();
  if (isFitted)
    device.flight = law;
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
  std::string why = readRoofs(file, device);
  if (why.empty() && device.roofs.empty())
    why = addPlainRoofs(file, device);
  if (why.empty())
    why = readCurves(file, device);
  if (why.empty())
    why = readFlight(file, device);
  if (!why.empty())
    return why;
  return device;
}

} // namespace kfuse
