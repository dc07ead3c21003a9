//===- ShippedDevice.cpp - The device file that suits a device ------------===//

#include "bench/ShippedDevice.h"

#include <optional>
#include <utility>

namespace kfuse {
namespace {

bool contains(const std::string &text, const char *part) {
  return text.find(part) != std::string::npos;
}

std::string processorFile(const ComputeDevice &device) {
  if (contains(device.platform, "Portable Computing Language"))
    return "pocl";
  // Another runtime is more like the measured ones than like any GPU.
  return contains(device.platform, "Intel") ? "intel-cpu" : "cpu";
}

} // namespace

std::string shippedDeviceOf(const ComputeDevice &device) {
  const bool isCuda = device.interface == Interface::Cuda;
  if (!isCuda && device.type == DeviceType::Cpu)
    return processorFile(device);
  for (const auto &[part, file] : {std::pair("H200", "h200"), {"H100", "h100"}})
    if (contains(device.name, part))
      return std::string(file) + (isCuda ? "" : "-opencl");
  return isCuda && contains(device.name, "RTX 4070") ? "rtx4070" : "";
}

std::string shippedDeviceOf(const std::vector<ComputeDevice> &devices,
                            Interface interface) {
  std::optional<std::string> file;
  for (const ComputeDevice &device : devices) {
    if (device.interface != interface)
      continue;
    if (file && *file != shippedDeviceOf(device))
      return {};
    file = shippedDeviceOf(device);
  }
  return file.value_or("");
}

std::string shippedDeviceOf(const std::vector<ComputeDevice> &devices,
                            Interface interface, const std::string &name) {
  std::vector<ComputeDevice> called;
  for (const ComputeDevice &device : devices)
    if (device.name == name)
      called.push_back(device);
  return shippedDeviceOf(called, interface);
}

} // namespace kfuse
