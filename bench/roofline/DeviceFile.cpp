//===- DeviceFile.cpp - A measured device as a device file ----------------===//

#include "bench/roofline/DeviceFile.h"

#include "bench/roofline/DeviceConstants.h"
#include "fusion/device/Device.h"

#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

namespace kfuse {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// Rounds to so many digits: more aren't known, and the file is for people,
/// too.
double rounded(double value, int digits) {
  if (value == 0 || !std::isfinite(value))
    return value;
  const double scale = std::pow(
      10,
      digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value)))));
  // Powers below one aren't exact, but their inverses are.
  return scale >= 1 ? std::round(value * scale) / scale
                    : std::round(value / std::round(1 / scale)) *
                          std::round(1 / scale);
}

constexpr int ValueDigits = 5, SpreadDigits = 2;

/// Returns the name in lower case, with hyphens for what is no letter or digit.
std::string fileName(const std::string &name) {
  std::string text;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0)
      text += static_cast<char>(std::tolower(byte));
    else if (!text.empty() && text.back() != '-')
      text += '-';
  }
  while (!text.empty() && text.back() == '-')
    text.pop_back();
  return text.empty() ? "device" : text;
}

OrderedJson constantJson(const DeviceConstant &constant,
                         const MeasuredDevice &measured) {
  // A limit that the driver tells stays as it is.
  const bool isExact = constant.origin != "measured";
  OrderedJson json = {{"value", isExact ? constant.value
                                        : rounded(constant.value, ValueDigits)},
                      {"origin", constant.origin},
                      {"note", constant.note}};
  if (constant.spread)
    json["spread"] = rounded(*constant.spread, SpreadDigits);
  if (constant.origin != "measured")
    return json;
  json["method"] = constant.method;
  json["date"] = measured.date;
  json["driver"] = measured.device.driver;
  return json;
}

OrderedJson roofJson(const Roof &roof) {
  OrderedJson json = {{"kind", roof.kind}, {"name", roof.name}};
  if (!roof.level.empty())
    json["level"] = roof.level;
  if (!roof.unit.empty())
    json["unit"] = roof.unit;
  json["value"] = rounded(roof.value, ValueDigits);
  json["units"] = roof.units;
  json["origin"] = roof.isMeasured ? "measured" : "theoretical";
  if (roof.isMeasured)
    json["spread"] = rounded(roof.spread, SpreadDigits);
  json["method"] = roof.method;
  return json;
}

OrderedJson curveJson(const MeasuredCurve &curve) {
  OrderedJson json = {{"x", curve.x}, {"y", curve.y}};
  json["points"] = OrderedJson::array();
  for (const CurvePoint &point : curve.points)
    json["points"].push_back({point.x, rounded(point.y, ValueDigits),
                              rounded(point.spread, SpreadDigits)});
  if (!curve.levels.empty())
    json["plateaus"] = OrderedJson::array();
  for (const MemoryLevel &level : curve.levels)
    json["plateaus"].push_back({{"level", level.name},
                                {"from", level.from},
                                {"to", level.to},
                                {"value", rounded(level.value, ValueDigits)}});
  return json;
}

/// Prints the outer two levels with a line for each entry, and what is inside
/// on one line.
void print(const OrderedJson &json, int depth, std::string &text) {
  constexpr int Inner = 2;
  if (!json.is_structured() || json.empty() || depth == Inner) {
    text += json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
    return;
  }
  const std::string indent(static_cast<std::size_t>(2 * (depth + 1)), ' ');
  text += json.is_array() ? '[' : '{';
  const char *comma = "\n";
  for (const auto &[key, value] : json.items()) {
    text += comma + indent;
    if (json.is_object())
      text += OrderedJson(key).dump() + ": ";
    print(value, depth + 1, text);
    comma = ",\n";
  }
  text += '\n' + indent.substr(2) + (json.is_array() ? ']' : '}');
}

} // namespace

DeviceFileText deviceFile(const MeasuredDevice &measured) {
  const ComputeDevice &device = measured.device;
  OrderedJson json;
  json["name"] = fileName(device.name);
  json["description"] = device.name + ", " + device.platform + ", " +
                        device.version + ", driver " + device.driver;
  json["date"] = measured.date;
  json["driver"] = device.driver;
  const std::vector<DeviceConstant> constants =
      deviceConstants(device, measured.limits, measured.ceilings);
  for (const DeviceConstant &constant : constants)
    json[constant.key] = constantJson(constant, measured);
  json["roofs"] = OrderedJson::array();
  for (const Roof &roof : measured.ceilings.roofs)
    json["roofs"].push_back(roofJson(roof));
  for (const Roof &roof : theoreticalRoofs(device, measured.limits)) {
    // A rate that is passed comes of a clock that isn't the highest one.
    const Roof *reached =
        roof.unit.empty() ? nullptr : measured.ceilings.fastest(roof.unit);
    if (!reached || reached->value <= roof.value)
      json["roofs"].push_back(roofJson(roof));
  }
  json["curves"] = OrderedJson::object();
  for (const auto &[name, curve] : measured.ceilings.curves)
    json["curves"][name] = curveJson(curve);
  DeviceFileText file;
  print(json, 0, file.json);
  file.json += '\n';
  // The reader is the judge: a device with a measurement that can't be is none.
  file.error = parseDevice(file.json).error;
  return file;
}

} // namespace kfuse
