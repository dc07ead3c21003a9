//===- CudaDevices.cpp - The devices of CUDA's driver ---------------------===//

#include "bench/CudaDevices.h"

#include "bench/DeviceNames.h"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <sstream>

namespace kfuse {
namespace {

/// Attributes by their numbers in the driver's interface, which never change.
enum Attribute : int {
  ThreadsPerBlock = 1,
  SharedPerBlock = 8,
  WarpSize = 10,
  RegistersPerBlock = 12,
  ClockKilohertz = 13,
  Multiprocessors = 16,
  L2Bytes = 38,
  ComputeMajor = 75,
  ComputeMinor = 76,
};

/// The driver's functions that are called here.
class Driver {
public:
  Driver() : Library(dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) {
    if (!Library)
      return;
    load(init, "cuInit");
    load(errorString, "cuGetErrorString");
    load(driverVersion, "cuDriverGetVersion");
    load(deviceCount, "cuDeviceGetCount");
    load(device, "cuDeviceGet");
    load(deviceName, "cuDeviceGetName");
    load(deviceMemory, "cuDeviceTotalMem_v2");
    load(deviceAttribute, "cuDeviceGetAttribute");
    // Drivers of older CUDA don't have these.
    find(deviceUuid, "cuDeviceGetUuid");
    find(partitionUuid, "cuDeviceGetUuid_v2");
  }

  bool isLoaded() const { return Library && IsWhole; }

  int (*init)(unsigned) = nullptr;
  int (*errorString)(int, const char **) = nullptr;
  int (*driverVersion)(int *) = nullptr;
  int (*deviceCount)(int *) = nullptr;
  int (*device)(int *, int) = nullptr;
  int (*deviceName)(char *, int, int) = nullptr;
  int (*deviceMemory)(std::size_t *, int) = nullptr;
  int (*deviceAttribute)(int *, int, int) = nullptr;
  int (*deviceUuid)(unsigned char *, int) = nullptr;
  int (*partitionUuid)(unsigned char *, int) = nullptr; ///< MIG's own

private:
  template <typename Function> void find(Function &function, const char *name) {
    function = reinterpret_cast<Function>(dlsym(Library, name));
  }
  template <typename Function> void load(Function &function, const char *name) {
    find(function, name);
    IsWhole &= function != nullptr;
  }

  void *Library; ///< stays loaded: the driver has threads of its own
  bool IsWhole = true;
};

/// Returns what CUDA_VISIBLE_DEVICES calls a device that it counts as `index`:
/// its entry, if the variable is set, or the number.
std::string visibleEntry(std::uint32_t index) {
  const char *const given = std::getenv("CUDA_VISIBLE_DEVICES");
  std::istringstream entries(given ? given : "");
  std::string entry;
  for (std::uint32_t i = 0; std::getline(entries, entry, ','); ++i)
    if (i == index)
      return entry;
  return std::to_string(index);
}

/// Sets the names by which the device is told from all others.
void identify(const Driver &driver, int id, ComputeDevice &device) {
  UuidBytes whole{}, part{};
  device.visibleName = visibleEntry(device.number);
  if (!driver.deviceUuid || driver.deviceUuid(whole.data(), id) != 0)
    return;
  // Only a part of a GPU has another one of its own.
  const bool isPart = driver.partitionUuid &&
                      driver.partitionUuid(part.data(), id) == 0 &&
                      part != whole;
  device.uuid = uuidText(isPart ? part : whole);
  device.visibleName = (isPart ? "MIG-" : "GPU-") + device.uuid;
}

ComputeDevice describe(const Driver &driver, int id) {
  const auto attribute = [&](Attribute which) {
    int value = 0;
    return driver.deviceAttribute(&value, which, id) == 0 && value > 0
               ? static_cast<std::uint32_t>(value)
               : 0;
  };
  ComputeDevice device;
  device.interface = Interface::Cuda;
  device.platform = "NVIDIA CUDA";
  device.vendor = "NVIDIA Corporation";
  std::array<char, 256> name{};
  if (driver.deviceName(name.data(), name.size() - 1, id) == 0)
    device.name = name.data();
  int version = 0;
  if (driver.driverVersion(&version) == 0)
    device.driver = "CUDA " + std::to_string(version / 1000) + "." +
                    std::to_string(version % 1000 / 10);
  device.version = "sm_" + std::to_string(attribute(ComputeMajor)) +
                   std::to_string(attribute(ComputeMinor));
  device.type = DeviceType::Gpu;
  device.computeUnits = attribute(Multiprocessors);
  device.clockMegahertz = attribute(ClockKilohertz) / 1000;
  std::size_t bytes = 0;
  if (driver.deviceMemory(&bytes, id) == 0)
    device.globalBytes = device.largestAllocation = bytes;
  device.cacheBytes = attribute(L2Bytes);
  device.localBytes = attribute(SharedPerBlock);
  device.groupSize = attribute(ThreadsPerBlock);
  device.subgroupSize = attribute(WarpSize);
  device.registersPerBlock = attribute(RegistersPerBlock);
  device.hasDouble = device.hasHalf = true;
  return device;
}

} // namespace

DeviceList cudaDevices(std::uint32_t platform) {
  DeviceList list;
  const Driver driver;
  if (!driver.isLoaded()) {
    list.problems.emplace_back("CUDA: no driver is installed (libcuda.so.1)");
    return list;
  }
  const auto fails = [&](int status) {
    if (status == 0)
      return false;
    const char *why = nullptr;
    if (driver.errorString(status, &why) != 0 || !why)
      why = "unknown error";
    list.problems.push_back(std::string("CUDA: ") + why);
    return true;
  };
  int count = 0;
  if (fails(driver.init(0)) || fails(driver.deviceCount(&count)))
    return list;
  for (int i = 0; i < count; ++i) {
    int id = 0;
    if (fails(driver.device(&id, i)))
      continue;
    ComputeDevice device = describe(driver, id);
    device.platformNumber = platform;
    device.number = static_cast<std::uint32_t>(i);
    identify(driver, id, device);
    list.devices.push_back(std::move(device));
  }
  return list;
}

} // namespace kfuse
