//===- OpenClDevices.cpp - The devices of OpenCL's loader -----------------===//

#include "bench/OpenClDevices.h"

#include "bench/DeviceNames.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <utility>

namespace kfuse {
namespace {

/// Returns a text of a platform or device; empty if there is none.
template <typename Query, typename Object, typename Key>
std::string textOf(Query query, Object object, Key key) {
  std::size_t size = 0;
  if (query(object, key, 0, nullptr, &size) != CL_SUCCESS || size == 0)
    return {};
  std::string text(size, '\0');
  if (query(object, key, size, text.data(), nullptr) != CL_SUCCESS)
    return {};
  return trimmedName(std::move(text));
}

/// Returns a number of a device; 0 if the driver doesn't tell it.
template <typename Number>
Number numberOf(cl_device_id device, cl_device_info key) {
  Number number = 0;
  if (clGetDeviceInfo(device, key, sizeof(number), &number, nullptr) !=
      CL_SUCCESS)
    return 0;
  return number;
}

DeviceType typeOf(cl_device_id device) {
  const auto type = numberOf<cl_device_type>(device, CL_DEVICE_TYPE);
  if ((type & CL_DEVICE_TYPE_GPU) != 0)
    return DeviceType::Gpu;
  if ((type & CL_DEVICE_TYPE_CPU) != 0)
    return DeviceType::Cpu;
  return (type & CL_DEVICE_TYPE_ACCELERATOR) != 0 ? DeviceType::Accelerator
                                                  : DeviceType::Other;
}

/// Returns the device's UUID; empty if the driver doesn't tell it.
std::string uuidOf(cl_device_id device) {
  UuidBytes bytes{};
  if (clGetDeviceInfo(device, CL_DEVICE_UUID_KHR, bytes.size(), bytes.data(),
                      nullptr) != CL_SUCCESS)
    return {};
  return uuidText(bytes);
}

/// Returns the sizes that Intel's drivers offer for sub-groups.
std::vector<std::uint32_t> subgroupSizesOf(cl_device_id device) {
  std::size_t bytes = 0;
  if (clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, 0, nullptr,
                      &bytes) != CL_SUCCESS)
    return {};
  std::vector<std::size_t> sizes(bytes / sizeof(std::size_t));
  if (clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, bytes,
                      sizes.data(), nullptr) != CL_SUCCESS)
    return {};
  std::sort(sizes.begin(), sizes.end());
  return {sizes.begin(), sizes.end()};
}

std::vector<std::string> subgroupExtensionsOf(cl_device_id device) {
  std::istringstream all(textOf(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS));
  std::vector<std::string> found;
  for (std::string name; all >> name;)
    if (name.find("subgroup") != std::string::npos)
      found.push_back(name);
  return found;
}

ComputeDevice describe(cl_device_id id) {
  ComputeDevice device;
  device.name = textOf(clGetDeviceInfo, id, CL_DEVICE_NAME);
  device.vendor = textOf(clGetDeviceInfo, id, CL_DEVICE_VENDOR);
  device.version = textOf(clGetDeviceInfo, id, CL_DEVICE_VERSION);
  device.driver = textOf(clGetDeviceInfo, id, CL_DRIVER_VERSION);
  device.type = typeOf(id);
  device.uuid = uuidOf(id);
  device.computeUnits = numberOf<cl_uint>(id, CL_DEVICE_MAX_COMPUTE_UNITS);
  device.clockMegahertz = numberOf<cl_uint>(id, CL_DEVICE_MAX_CLOCK_FREQUENCY);
  device.globalBytes = numberOf<cl_ulong>(id, CL_DEVICE_GLOBAL_MEM_SIZE);
  device.largestAllocation =
      numberOf<cl_ulong>(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  device.cacheBytes = numberOf<cl_ulong>(id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
  device.localBytes = numberOf<cl_ulong>(id, CL_DEVICE_LOCAL_MEM_SIZE);
  device.groupSize = numberOf<std::size_t>(id, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  device.subgroupSize = numberOf<cl_uint>(id, CL_DEVICE_WARP_SIZE_NV);
  device.subgroupSizes = subgroupSizesOf(id);
  device.subgroupExtensions = subgroupExtensionsOf(id);
  device.registersPerBlock =
      numberOf<cl_uint>(id, CL_DEVICE_REGISTERS_PER_BLOCK_NV);
  device.hasDouble =
      numberOf<cl_device_fp_config>(id, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
  device.hasHalf =
      numberOf<cl_device_fp_config>(id, CL_DEVICE_HALF_FP_CONFIG) != 0;
  return device;
}

/// Returns where the loader looks for drivers.
std::string vendorsPlace() {
  const char *const chosen = std::getenv("OCL_ICD_VENDORS");
  return chosen && *chosen ? "OCL_ICD_VENDORS=" + std::string(chosen)
                           : "/etc/OpenCL/vendors";
}

} // namespace

DeviceList openClDevices() {
  DeviceList list;
  cl_uint count = 0;
  const cl_int status = clGetPlatformIDs(0, nullptr, &count);
  if (status != CL_SUCCESS || count == 0) {
    list.problems.push_back("OpenCL: no platform is installed (" +
                            vendorsPlace() + ")");
    return list;
  }
  list.platforms = count;
  std::vector<cl_platform_id> platforms(count);
  clGetPlatformIDs(count, platforms.data(), nullptr);
  for (std::uint32_t p = 0; p < count; ++p) {
    const std::string platform =
        textOf(clGetPlatformInfo, platforms[p], CL_PLATFORM_NAME);
    cl_uint devices = 0;
    const cl_int found =
        clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 0, nullptr, &devices);
    if (found != CL_SUCCESS || devices == 0) {
      list.problems.push_back("OpenCL: the platform '" + platform +
                              "' has no device");
      continue;
    }
    std::vector<cl_device_id> ids(devices);
    clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, devices, ids.data(),
                   nullptr);
    for (std::uint32_t d = 0; d < devices; ++d) {
      ComputeDevice device = describe(ids[d]);
      device.platform = platform;
      device.platformNumber = p;
      device.number = d;
      list.devices.push_back(std::move(device));
    }
  }
  return list;
}

} // namespace kfuse
