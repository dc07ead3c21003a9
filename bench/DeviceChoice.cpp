//===- DeviceChoice.cpp - Devices by name, type or number -----------------===//

#include "bench/DeviceChoice.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <utility>

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

std::variant<ComputeDevice, std::string>
chosenDevice(const std::vector<ComputeDevice> &all,
             const DeviceChoice &choice) {
  auto chosen = chosenDevices(all, choice);
  if (auto *why = std::get_if<std::string>(&chosen))
    return std::move(*why);
  auto &devices = std::get<std::vector<ComputeDevice>>(chosen);
  if (devices.size() == 1)
    return std::move(devices.front());
  std::string text = "several devices are meant; choose one with -p, -t or -d:";
  for (const ComputeDevice &each : devices)
    text += "\n  -p " + std::to_string(each.platformNumber) + " -d " +
            std::to_string(each.number) + ": " + each.name + " (" +
            interfaceName(each.interface) + ")";
  return text;
}

std::variant<VisibleDevices, std::string>
visibleDevices(const std::vector<ComputeDevice> &all,
               const DeviceChoice &choice,
               const std::set<Interface> &interfaces) {
  std::vector<ComputeDevice> usable = all;
  std::erase_if(usable, [&](const ComputeDevice &each) {
    return !interfaces.contains(each.interface);
  });
  const auto meant = chosenDevices(usable, choice);
  if (const auto *why = std::get_if<std::string>(&meant))
    return *why;
  VisibleDevices visible;
  for (const auto &[interface, place] :
       {std::pair(Interface::OpenCl, &visible.openCl),
        {Interface::Cuda, &visible.cuda}}) {
    std::vector<ComputeDevice> its =
        std::get<std::vector<ComputeDevice>>(meant);
    std::erase_if(its, [wanted = interface](const ComputeDevice &each) {
      return each.interface != wanted;
    });
    if (its.empty())
      continue;
    auto one = chosenDevice(its, {});
    if (auto *why = std::get_if<std::string>(&one))
      return std::move(*why);
    *place = std::get<ComputeDevice>(std::move(one));
  }
  if (visible.openCl && !visible.cuda && !visible.openCl->uuid.empty())
    for (const ComputeDevice &each : all)
      if (each.interface == Interface::Cuda &&
          each.uuid == visible.openCl->uuid)
        visible.cuda = each;
  return visible;
}

} // namespace kfuse
