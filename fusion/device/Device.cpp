//===- Device.cpp - Reading device files ----------------------------------===//

#include "fusion/device/Device.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

namespace kfuse {
namespace {

struct ShippedDevice {
  const char *name;
  const char *json;
};
constexpr ShippedDevice Shipped[] = {
#include "fusion/device/ShippedDevices.inc"
};

/// A number of the file: where it goes and what values make sense.
struct NumberField {
  const char *key;
  std::variant<double Device::*, std::uint32_t Device::*,
               std::uint64_t Device::*>
      member;
  double least, most;
};

constexpr double Tiny = 1e-12, Huge = 1e18, Count = 1e9;

const std::array<NumberField, 25> NumberFields = {{
    {"bandwidth", &Device::bandwidth, 1, Huge},
    {"bandwidthKnee", &Device::bandwidthKnee, 1, 100},
    {"l2Bandwidth", &Device::l2Bandwidth, 1, Huge},
    {"l2Bytes", &Device::l2Bytes, 0, Huge},
    {"l2Residency", &Device::l2Residency, 0, 1},
    {"transactionBytes", &Device::transactionBytes, 1, Count},
    {"storeTraffic", &Device::storeTraffic, 1, 100},
    {"sharedBandwidth", &Device::sharedBandwidth, 1, Huge},
    {"overlapLoss", &Device::overlapLoss, 0, 1},
    {"flopRate", &Device::flopRate, 1, Huge},
    {"launchSeconds", &Device::launchSeconds, 0, 1},
    {"blockSeconds", &Device::blockSeconds, 0, 1},
    {"emptySeconds", &Device::emptySeconds, 0, 1},
    {"latencySeconds", &Device::latencySeconds, Tiny, 1},
    {"multiprocessors", &Device::multiprocessors, 1, Count},
    {"threadsPerWarp", &Device::threadsPerWarp, 1, Count},
    {"threadsPerMultiprocessor", &Device::threadsPerMultiprocessor, 1, Count},
    {"blocksPerMultiprocessor", &Device::blocksPerMultiprocessor, 1, Count},
    {"registersPerMultiprocessor", &Device::registersPerMultiprocessor, 1,
     Count},
    {"registersPerAllocation", &Device::registersPerAllocation, 1, Count},
    {"registersPerThread", &Device::registersPerThread, 1, Count},
    {"sharedPerMultiprocessor", &Device::sharedPerMultiprocessor, 0, Huge},
    {"sharedPerBlock", &Device::sharedPerBlock, 0, Huge},
    {"sharedReservedPerBlock", &Device::sharedReservedPerBlock, 0, Huge},
    {"threadsPerBlock", &Device::threadsPerBlock, 1, Count},
}};

DeviceResult failure(std::string error) { return {{}, std::move(error)}; }

std::string keyName(std::string_view key) {
  return "'" + std::string(key) + "'";
}

bool isOrigin(const nlohmann::json &value) {
  static constexpr const char *Origins[] = {"measured", "specification",
                                            "derived"};
  return value.is_string() &&
         std::any_of(std::begin(Origins), std::end(Origins),
                     [&](const char *origin) { return value == origin; });
}

/// Checks what may stand beside a value, its origin and the note; returns what
/// is wrong with it, or an empty text.
std::string checkProvenance(const NumberField &field,
                            const nlohmann::json &entry) {
  for (const auto &[key, value] : entry.items()) {
    if (key == "value" || key == "origin" || key == "note")
      continue;
    if (key == "spread") {
      if (!value.is_number() || !(value.get<double>() >= 0))
        return keyName(field.key) + ": the spread must be a number from 0 on";
    } else if (key != "method" && key != "date" && key != "driver") {
      return keyName(field.key) + ": unknown key " + keyName(key);
    } else if (!value.is_string()) {
      return keyName(field.key) + ": the " + key + " must be a string";
    }
  }
  return {};
}

/// Stores a checked number; returns what is wrong with it, or an empty text.
std::string setNumber(Device &device, const NumberField &field,
                      const nlohmann::json &entry) {
  if (!entry.is_object() || !entry.contains("value") ||
      !entry.contains("origin") || !entry.contains("note"))
    return keyName(field.key) +
           " must be an object of 'value', 'origin' and 'note'";
  if (std::string error = checkProvenance(field, entry); !error.empty())
    return error;
  if (!isOrigin(entry["origin"]))
    return keyName(field.key) +
           ": the origin must be 'measured', 'specification' or 'derived'";
  if (!entry["note"].is_string())
    return keyName(field.key) + ": the note must be a string";
  if (!entry["value"].is_number())
    return keyName(field.key) + ": the value must be a number";
  double value = entry["value"].get<double>();
  // The negation also catches what is no number.
  if (!(value >= field.least && value <= field.most))
    return keyName(field.key) + ": the value is out of range";
  if (!std::holds_alternative<double Device::*>(field.member) &&
      value != std::floor(value))
    return keyName(field.key) + ": the value must be a whole number";
  std::visit(
      [&](auto member) {
        using Number = std::remove_reference_t<decltype(device.*member)>;
        device.*member = static_cast<Number>(value);
      },
      field.member);
  return {};
}

std::string setText(std::string &text, std::string_view key,
                    const nlohmann::json &json) {
  auto entry = json.find(key);
  if (entry == json.end())
    return "missing key " + keyName(key);
  if (!entry->is_string() || entry->get_ref<const std::string &>().empty())
    return keyName(key) + " must be a string";
  text = entry->get<std::string>();
  return {};
}

/// Returns what is wrong with the keys of a file, without those of its numbers;
/// empty if nothing is.
std::string wrongKey(const nlohmann::json &json) {
  for (const auto &[key, value] : json.items()) {
    bool isNumber =
        std::any_of(NumberFields.begin(), NumberFields.end(),
                    [&](const NumberField &field) { return field.key == key; });
    const bool isProvenance = key == "date" || key == "driver";
    if (isProvenance && !value.is_string())
      return keyName(key) + " must be a string";
    if (!isNumber && !isProvenance && key != "name" && key != "description" &&
        key != "roofs" && key != "curves")
      return "unknown key " + keyName(key);
  }
  return {};
}

/// Takes the rates of the units from the roofs. What kernels have of special
/// functions are mostly quotients and roots, which processors do by an
/// instruction, and sines by many.
void readRates(Device &device) {
  for (const Roof &roof : device.roofs)
    for (std::size_t i = 1; i < ArithmeticUnitCount; ++i)
      if (roof.kind == "compute" && roof.unit == ArithmeticUnitNames[i] &&
          roof.isMeasured)
        device.rates[i] = std::max(device.rates[i], roof.value);
}

} // namespace

DeviceResult parseDevice(std::string_view json) {
  nlohmann::json file = nlohmann::json::parse(json, nullptr, false);
  if (!file.is_object())
    return failure("a device file must be one JSON object");
  if (std::string error = wrongKey(file); !error.empty())
    return failure(error);
  DeviceResult result;
  result.error = setText(result.device.name, "name", file);
  if (result.error.empty())
    result.error = setText(result.device.description, "description", file);
  for (const NumberField &field : NumberFields) {
    if (!result.error.empty())
      break;
    auto entry = file.find(field.key);
    result.error = entry == file.end()
                       ? "missing key " + keyName(field.key)
                       : setNumber(result.device, field, *entry);
  }
  if (result.error.empty() && file.contains("roofs"))
    result.error = readRoofs(result.device.roofs, file["roofs"]);
  readRates(result.device);
  if (result.error.empty() && file.contains("curves"))
    result.error = checkCurves(file["curves"]);
  return result.error.empty() ? result : failure(result.error);
}

double rateOf(const Device &device, ArithmeticUnit unit) {
  const double rate = device.rates[static_cast<std::size_t>(unit)];
  return rate == 0 ? device.flopRate : rate;
}

DeviceText readDevice(const std::string &nameOrPath) {
  for (const ShippedDevice &shipped : Shipped)
    if (nameOrPath == shipped.name)
      return {shipped.json, ""};
  // A folder can be opened, but not read.
  std::error_code ignored;
  const bool isFolder = std::filesystem::is_directory(nameOrPath, ignored);
  std::ifstream file(nameOrPath, std::ios::binary);
  if (isFolder)
    file.close();
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad()) {
    std::string names;
    for (const std::string &name : shippedDevices())
      names += (names.empty() ? "" : ", ") + name;
    return {"", "no device '" + nameOrPath + "': neither a file nor one of " +
                    names};
  }
  return {std::move(text), ""};
}

DeviceResult loadDevice(const std::string &nameOrPath) {
  const DeviceText text = readDevice(nameOrPath);
  if (!text.error.empty())
    return failure(text.error);
  DeviceResult result = parseDevice(text.json);
  if (!result.error.empty())
    result.error = nameOrPath + ": " + result.error;
  return result;
}

std::vector<std::string> shippedDevices() {
  std::vector<std::string> names;
  for (const ShippedDevice &shipped : Shipped)
    names.emplace_back(shipped.name);
  return names;
}

} // namespace kfuse
