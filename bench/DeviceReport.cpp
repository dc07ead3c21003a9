//===- DeviceReport.cpp - Devices as text ---------------------------------===//

#include "bench/DeviceReport.h"

#include "bench/ShippedDevice.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

namespace kfuse {
namespace {

/// Returns a size in the largest binary unit of which there is one.
std::string sizeText(std::uint64_t bytes) {
  constexpr std::array<const char *, 5> Units = {"B", "KiB", "MiB", "GiB",
                                                 "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < Units.size(); ++unit)
    value /= 1024;
  std::array<char, 32> text{};
  const bool isWhole = value == static_cast<double>(static_cast<long>(value));
  std::snprintf(text.data(), text.size(), isWhole ? "%.0f %s" : "%.1f %s",
                value, Units[unit]);
  return text.data();
}

/// Lists what a driver tells of a device, separated by commas.
class Limits {
public:
  void add(const std::string &text) {
    Text += (Text.empty() ? "" : ", ") + text;
  }
  void count(std::uint64_t number, const std::string &what) {
    if (number != 0)
      add(std::to_string(number) + " " + what);
  }
  void size(std::uint64_t bytes, const std::string &what) {
    if (bytes != 0)
      add(sizeText(bytes) + " " + what);
  }
  const std::string &text() const { return Text; }

private:
  std::string Text;
};

/// Returns "sub-groups of 8, 16 or 32 (cl_intel_subgroups)"; the extension is
/// the one with block reads and shuffles.
std::string subgroupsOf(const ComputeDevice &device) {
  const std::vector<std::uint32_t> &sizes = device.subgroupSizes;
  std::string text;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    text += (i == 0                  ? "sub-groups of "
             : i + 1 == sizes.size() ? " or "
                                     : ", ") +
            std::to_string(sizes[i]);
  const char *const blocks = "cl_intel_subgroups";
  const std::vector<std::string> &names = device.subgroupExtensions;
  if (std::find(names.begin(), names.end(), blocks) != names.end())
    text += text.empty() ? blocks : std::string(" (") + blocks + ")";
  return text;
}

std::string limitsOf(const ComputeDevice &device) {
  const bool isCuda = device.interface == Interface::Cuda;
  Limits limits;
  limits.count(device.computeUnits,
               isCuda ? "multiprocessors" : "compute units");
  limits.count(device.clockMegahertz, "MHz");
  limits.size(device.globalBytes, "memory");
  limits.size(device.cacheBytes, isCuda ? "L2" : "cache");
  limits.size(device.localBytes, isCuda ? "shared" : "local");
  limits.count(device.groupSize,
               isCuda ? "threads a block" : "work-items a group");
  if (const std::string text = subgroupsOf(device); !text.empty())
    limits.add(text);
  if (device.hasDouble)
    limits.add("double");
  if (device.hasHalf)
    limits.add("half");
  return limits.text();
}

} // namespace

std::string deviceText(const std::vector<ComputeDevice> &devices) {
  std::string text;
  const ComputeDevice *before = nullptr;
  for (const ComputeDevice &device : devices) {
    if (!before || before->platformNumber != device.platformNumber)
      text += "platform " + std::to_string(device.platformNumber) + ": " +
              device.platform + " (" + interfaceName(device.interface) + ")\n";
    text += "  device " + std::to_string(device.number) + ": " + device.name +
            " (" + deviceTypeName(device.type) + ", " + device.version +
            ", driver " + device.driver + ")\n    " + limitsOf(device) + "\n";
    before = &device;
  }
  return text;
}

std::string deviceJson(const std::vector<ComputeDevice> &devices) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const ComputeDevice &device : devices)
    all.push_back({{"interface", interfaceName(device.interface)},
                   {"platformNumber", device.platformNumber},
                   {"platform", device.platform},
                   {"number", device.number},
                   {"name", device.name},
                   {"type", deviceTypeName(device.type)},
                   {"vendor", device.vendor},
                   {"version", device.version},
                   {"driver", device.driver},
                   {"uuid", device.uuid},
                   {"deviceFile", shippedDeviceOf(device)},
                   {"computeUnits", device.computeUnits},
                   {"clockMegahertz", device.clockMegahertz},
                   {"globalBytes", device.globalBytes},
                   {"largestAllocation", device.largestAllocation},
                   {"cacheBytes", device.cacheBytes},
                   {"localBytes", device.localBytes},
                   {"groupSize", device.groupSize},
                   {"subgroupSize", device.subgroupSize},
                   {"subgroupSizes", device.subgroupSizes},
                   {"subgroupExtensions", device.subgroupExtensions},
                   {"registersPerBlock", device.registersPerBlock},
                   {"hasDouble", device.hasDouble},
                   {"hasHalf", device.hasHalf}});
  return all.dump(2, ' ', false,
                  nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

} // namespace kfuse
