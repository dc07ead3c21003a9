//===- DeviceChoice.cpp - Devices by name, type or number -----------------===//

#include "bench/DeviceChoice.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>

namespace kfuse {
namespace {

char lowered(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool containsInAnyCase(std::string_view text, std::string_view part) {
  return std::search(text.begin(), text.end(), part.begin(), part.end(),
                     [](char one, char other) {
                       return lowered(one) == lowered(other);
                     }) != text.end();
}

/// Checks whether `wanted` is the number, or a part of the name. A word of
/// digits alone is a number: that the name has it too means nothing.
bool isMeant(std::string_view wanted, std::uint32_t number,
             std::string_view name) {
  const bool isNumber =
      !wanted.empty() && std::all_of(wanted.begin(), wanted.end(), [](char c) {
        return std::isdigit(static_cast<unsigned char>(c)) != 0;
      });
  if (isNumber)
    return wanted == std::to_string(number);
  return containsInAnyCase(name, wanted);
}

bool isPlatform(std::string_view wanted, const ComputeDevice &device) {
  for (const Interface interface : {Interface::OpenCl, Interface::Cuda})
    if (wanted.size() == std::string_view(interfaceName(interface)).size() &&
        containsInAnyCase(interfaceName(interface), wanted))
      return device.interface == interface;
  return isMeant(wanted, device.platformNumber, device.platform);
}

/// Returns the words in quotes, each once, in alphabetical order.
std::string quoted(const std::set<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "'" : ", '") + word + "'";
  return text;
}

using Filter = std::function<bool(const ComputeDevice &)>;
using Name = std::function<std::string(const ComputeDevice &)>;

} // namespace

std::optional<DeviceType> deviceTypeOf(std::string_view name) {
  for (const DeviceType type : {DeviceType::Cpu, DeviceType::Gpu,
                                DeviceType::Accelerator, DeviceType::Other})
    if (name == deviceTypeName(type))
      return type;
  return std::nullopt;
}

std::variant<std::vector<ComputeDevice>, std::string>
chosenDevices(const std::vector<ComputeDevice> &all,
              const DeviceChoice &choice) {
  std::vector<ComputeDevice> left = all;
  std::string why;
  // One question after the other, so that the message names the first that
  // nothing answers, and what was there before it.
  const auto keep = [&](const std::string &what, const Filter &isKept,
                        const Name &nameOf) {
    if (!why.empty())
      return;
    std::set<std::string> names;
    for (const ComputeDevice &device : left)
      names.insert(nameOf(device));
    std::erase_if(left,
                  [&](const ComputeDevice &each) { return !isKept(each); });
    if (left.empty())
      why = "no " + what + "; there is " + quoted(names);
  };
  if (all.empty())
    return "there is no device";
  if (choice.platform)
    keep(
        "platform is called '" + *choice.platform + "'",
        [&](const ComputeDevice &each) {
          return isPlatform(*choice.platform, each);
        },
        [](const ComputeDevice &each) { return each.platform; });
  if (choice.type)
    keep(
        std::string("device is of the type '") + deviceTypeName(*choice.type) +
            "'",
        [&](const ComputeDevice &each) { return each.type == *choice.type; },
        [](const ComputeDevice &each) { return deviceTypeName(each.type); });
  if (choice.device)
    keep(
        "device is called '" + *choice.device + "'",
        [&](const ComputeDevice &each) {
          return isMeant(*choice.device, each.number, each.name);
        },
        [](const ComputeDevice &each) { return each.name; });
  if (!why.empty())
    return why;
  return left;
}

} // namespace kfuse
