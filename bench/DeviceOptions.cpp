//===- DeviceOptions.cpp - Options that choose a device -------------------===//

#include "bench/DeviceOptions.h"

namespace kfuse {

std::vector<BenchOption> withDeviceOptions(DeviceChoice &choice,
                                           std::vector<BenchOption> options) {
  const auto into = [](std::optional<std::string> &place) {
    return [&place](const std::string &value) {
      place = value;
      return std::string();
    };
  };
  const auto takeType = [&choice](const std::string &name) -> std::string {
    choice.type = deviceTypeOf(name);
    return choice.type ? ""
                       : "'" + name +
                             "' is no type of device: cpu, gpu, accelerator "
                             "or other";
  };
  const std::vector<BenchOption> shared = {
      {"platform", 'p', into(choice.platform)},
      {"type", 't', takeType},
      {"device", 'd', into(choice.device)}};
  options.insert(options.begin(), shared.begin(), shared.end());
  return options;
}

} // namespace kfuse
