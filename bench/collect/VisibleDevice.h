//===- VisibleDevice.h - How the layer is told of a device ----------------===//
//
// The variable KFUSE_OPENCL_DEVICE has a line each for the platform's number
// and name, the device's number and name, and its UUID. Without the variable a
// program sees all devices; if it is empty, none. Like RecordWriter.h, this
// needs nothing else of kfuse.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_BENCH_COLLECT_VISIBLEDEVICE_H
#define KFUSE_BENCH_COLLECT_VISIBLEDEVICE_H

#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>

namespace kfuse {

constexpr const char *VisibleDeviceVariable = "KFUSE_OPENCL_DEVICE";

struct VisibleDevice {
  std::string platformNumber, platformName, number, name;
  std::string uuid; ///< empty if it isn't known
};

/// Returns the device that the variable names; nullopt if it names none.
inline std::optional<VisibleDevice> visibleDevice() {
  const char *const value = std::getenv(VisibleDeviceVariable);
  VisibleDevice device;
  std::istringstream lines(value ? value : "");
  for (std::string *each : {&device.platformNumber, &device.platformName,
                            &device.number, &device.name})
    if (!std::getline(lines, *each))
      return std::nullopt;
  std::getline(lines, device.uuid);
  return device;
}

/// Returns the value of the variable that names the device.
inline std::string visibleDeviceText(const VisibleDevice &device) {
  return device.platformNumber + "\n" + device.platformName + "\n" +
         device.number + "\n" + device.name + "\n" + device.uuid;
}

} // namespace kfuse

#endif
