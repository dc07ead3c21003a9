//===- Roof.cpp - The ceilings of a device file ---------------------------===//

#include "fusion/device/Roof.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace kfuse {
namespace {

using Json = nlohmann::json;

/// A kind of ceiling: its units, and the key that says which part it is of.
struct RoofKind {
  const char *name;
  const char *units;
  const char *tag; ///< null if there is none
};

constexpr std::array<RoofKind, 5> RoofKinds = {{{"memory", "B/s", "level"},
                                                {"compute", "op/s", "unit"},
                                                {"latency", "s", "level"},
                                                {"transfer", "B/s", nullptr},
                                                {"overhead", "s", nullptr}}};

/// Returns the kind that a roof says it is of; null if there is none.
const RoofKind *kindOf(const Json &entry) {
  const auto *kind = std::find_if(
      RoofKinds.begin(), RoofKinds.end(), [&](const RoofKind &each) {
        return entry.contains("kind") && entry["kind"] == each.name;
      });
  return kind == RoofKinds.end() ? nullptr : kind;
}

bool isNumberAtLeast(const Json &value, double least) {
  return value.is_number() && value.get<double>() >= least;
}

/// Returns the text of a key that has to be there and not to be empty.
std::string requiredText(const Json &entry, const char *key,
                         std::string &error) {
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_string() ||
      found->get_ref<const std::string &>().empty()) {
    if (error.empty())
      error = std::string("'") + key + "' must be a string";
    return {};
  }
  return found->get<std::string>();
}

std::string unknownRoofKey(const Json &entry, const RoofKind &kind) {
  static constexpr std::array<const char *, 7> Keys = {
      "kind", "name", "value", "units", "origin", "spread", "method"};
  for (const auto &[key, value] : entry.items())
    if (std::find(Keys.begin(), Keys.end(), key) == Keys.end() &&
        (!kind.tag || key != kind.tag))
      return "unknown key '" + key + "'";
  return {};
}

std::string readRoof(Roof &roof, const Json &entry) {
  if (!entry.is_object())
    return "must be an object";
  const RoofKind *kind = kindOf(entry);
  if (!kind)
    return "the kind must be 'memory', 'compute', 'latency', 'transfer' or "
           "'overhead'";
  std::string error = unknownRoofKey(entry, *kind);
  roof.kind = kind->name;
  roof.name = requiredText(entry, "name", error);
  roof.units = requiredText(entry, "units", error);
  if (error.empty() && roof.units != kind->units)
    error = std::string("the units must be '") + kind->units + "'";
  if (kind->tag)
    (kind->tag == std::string("unit") ? roof.unit : roof.level) =
        requiredText(entry, kind->tag, error);
  const std::string origin = requiredText(entry, "origin", error);
  if (error.empty() && origin != "measured" && origin != "theoretical")
    error = "the origin must be 'measured' or 'theoretical'";
  roof.isMeasured = origin == "measured";
  if (error.empty() &&
      (!entry.contains("value") || !isNumberAtLeast(entry["value"], 0)))
    error = "the value must be a number from 0 on";
  if (error.empty() && entry.contains("spread") &&
      !isNumberAtLeast(entry["spread"], 0))
    error = "the spread must be a number from 0 on";
  if (error.empty() && entry.contains("method") && !entry["method"].is_string())
    error = "the method must be a string";
  if (!error.empty())
    return error;
  roof.value = entry["value"].get<double>();
  roof.spread = entry.value("spread", 0.0);
  roof.method = entry.value("method", "");
  return {};
}

/// Checks for an array of `least` to `most` numbers.
bool isNumbers(const Json &entry, std::size_t least, std::size_t most) {
  return entry.is_array() && entry.size() >= least && entry.size() <= most &&
         std::all_of(entry.begin(), entry.end(),
                     [](const Json &each) { return each.is_number(); });
}

std::string checkPlateau(const Json &plateau) {
  if (!plateau.is_object() || plateau.size() != 4 ||
      !plateau.contains("level") || !plateau["level"].is_string())
    return "a plateau must be an object of 'level', 'from', 'to' and 'value'";
  for (const char *key : {"from", "to", "value"})
    if (!plateau.contains(key) || !plateau[key].is_number())
      return std::string("'") + key + "' of a plateau must be a number";
  return {};
}

std::string checkCurve(const Json &curve) {
  if (!curve.is_object())
    return "must be an object";
  for (const auto &[key, value] : curve.items())
    if (key != "x" && key != "y" && key != "points" && key != "plateaus")
      return "unknown key '" + key + "'";
  std::string error;
  requiredText(curve, "x", error);
  requiredText(curve, "y", error);
  if (!error.empty())
    return error;
  if (!curve.contains("points") || !curve["points"].is_array() ||
      !std::all_of(curve["points"].begin(), curve["points"].end(),
                   [](const Json &each) { return isNumbers(each, 2, 3); }))
    return "the points must be arrays of x, y and perhaps a spread";
  if (curve.contains("plateaus")) {
    if (!curve["plateaus"].is_array())
      return "the plateaus must be an array";
    for (const Json &plateau : curve["plateaus"])
      if (error = checkPlateau(plateau); !error.empty())
        return error;
  }
  return {};
}

} // namespace

std::string readRoofs(std::vector<Roof> &roofs, const Json &entry) {
  if (!entry.is_array())
    return "'roofs' must be an array";
  for (const Json &each : entry) {
    Roof roof;
    if (const std::string error = readRoof(roof, each); !error.empty())
      return "'roofs', number " + std::to_string(roofs.size() + 1) + ": " +
             error;
    roofs.push_back(std::move(roof));
  }
  return {};
}

std::string checkCurves(const Json &entry) {
  if (!entry.is_object())
    return "'curves' must be an object";
  for (const auto &[name, curve] : entry.items())
    if (const std::string error = checkCurve(curve); !error.empty())
      return "'curves', '" + name + "': " + error;
  return {};
}

} // namespace kfuse
