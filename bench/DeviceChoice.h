//===- DeviceChoice.h - Devices by name, type or number -------------------===//
#ifndef KFUSE_BENCH_DEVICECHOICE_H
#define KFUSE_BENCH_DEVICECHOICE_H

#include "bench/ComputeDevice.h"

#include <optional>
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
};

/// Returns the type that "cpu", "gpu", "accelerator" or "other" names.
std::optional<DeviceType> deviceTypeOf(std::string_view name);

/// Returns the devices that are meant, in their order; or, if there are none, a
/// message that says what there would have been to choose from.
std::variant<std::vector<ComputeDevice>, std::string>
chosenDevices(const std::vector<ComputeDevice> &all,
              const DeviceChoice &choice);

} // namespace kfuse

#endif
