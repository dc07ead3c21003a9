//===- DeviceChoice.h - Devices by name, type or number -------------------===//
#ifndef KFUSE_BENCH_DEVICECHOICE_H
#define KFUSE_BENCH_DEVICECHOICE_H

#include "bench/ComputeDevice.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kfuse {

/// Which devices a command is about. What isn't set leaves all of them.
struct DeviceChoice {
  /// A number, or a part of the name in any case. The platform may also be
  /// "opencl" or "cuda", which means all platforms of that interface alone.
  std::optional<std::string> platform, device;
  std::optional<DeviceType> type;

  bool isEmpty() const { return !platform && !device && !type; }
};

/// The devices that a program is to see: of each interface one, or none.
struct VisibleDevices {
  std::optional<ComputeDevice> openCl, cuda;
};

/// Returns the type that "cpu", "gpu", "accelerator" or "other" names.
std::optional<DeviceType> deviceTypeOf(std::string_view name);

/// Returns the devices that are meant, in their order; or, if there are none, a
/// message that says what there would have been to choose from.
std::variant<std::vector<ComputeDevice>, std::string>
chosenDevices(const std::vector<ComputeDevice> &all,
              const DeviceChoice &choice);

/// Returns the one device that is meant; or, if there are none or several, a
/// message that lists what there is to choose from.
std::variant<ComputeDevice, std::string>
chosenDevice(const std::vector<ComputeDevice> &all, const DeviceChoice &choice);

/// Returns the devices that are meant for a program of one of the interfaces:
/// at most one of each interface. If several are meant, a message lists them. A
/// GPU that is meant in OpenCL alone is also visible in CUDA, since what hides
/// it there may hide it in both.
std::variant<VisibleDevices, std::string>
visibleDevices(const std::vector<ComputeDevice> &all,
               const DeviceChoice &choice,
               const std::set<Interface> &interfaces);

} // namespace kfuse

#endif
