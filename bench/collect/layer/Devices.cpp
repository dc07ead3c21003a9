//===- Devices.cpp - The one device that a program is to see --------------===//
//
// KFUSE_OPENCL_DEVICE names it (VisibleDevice.h). The program finds one
// platform with one device, whatever it asks for; or none, if the variable is
// empty. Another loader may number them otherwise, so names count first.
//
//===----------------------------------------------------------------------===//

#include "bench/DeviceNames.h"
#include "bench/collect/VisibleDevice.h"
#include "bench/collect/layer/Commands.h"
#include "bench/collect/layer/Layer.h"

#include <CL/cl_ext.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace kfuse {
namespace {

struct SeenDevice {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
};

template <typename Query, typename Object>
std::string infoText(Query query, Object object, cl_uint what) {
  std::size_t size = 0;
  if (query(object, what, 0, nullptr, &size) != CL_SUCCESS)
    return {};
  std::string text(size, '\0');
  if (query(object, what, size, text.data(), nullptr) != CL_SUCCESS)
    return {};
  return trimmedName(std::move(text));
}

/// Checks whether the device has the UUID, if the driver tells it.
bool hasUuid(cl_device_id device, const std::string &uuid) {
  UuidBytes bytes{};
  return !uuid.empty() &&
         driver().clGetDeviceInfo(device, CL_DEVICE_UUID_KHR, bytes.size(),
                                  bytes.data(), nullptr) == CL_SUCCESS &&
         uuidText(bytes) == uuid;
}

/// Returns the device of these names; of several, the one with the UUID, else
/// that with the numbers, else the first.
SeenDevice findDevice(const VisibleDevice &wanted) {
  SeenDevice best;
  int bestRank = 0;
  cl_uint count = 0;
  if (driver().clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS)
    return best;
  std::vector<cl_platform_id> platforms(count);
  driver().clGetPlatformIDs(count, platforms.data(), nullptr);
  for (std::size_t p = 0; p < platforms.size(); ++p) {
    if (infoText(driver().clGetPlatformInfo, platforms[p], CL_PLATFORM_NAME) !=
            wanted.platformName ||
        driver().clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 0, nullptr,
                                &count) != CL_SUCCESS)
      continue;
    std::vector<cl_device_id> devices(count);
    driver().clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, count,
                            devices.data(), nullptr);
    for (std::size_t d = 0; d < devices.size(); ++d) {
      if (infoText(driver().clGetDeviceInfo, devices[d], CL_DEVICE_NAME) !=
          wanted.name)
        continue;
      const bool isNumbered = std::to_string(p) == wanted.platformNumber &&
                              std::to_string(d) == wanted.number;
      const int rank = hasUuid(devices[d], wanted.uuid) ? 3
                       : isNumbered                     ? 2
                                                        : 1;
      if (rank > bestRank)
        best = {platforms[p], devices[d]};
      bestRank = rank > bestRank ? rank : bestRank;
    }
  }
  return best;
}

/// Returns the device that the variable names; null if there is none.
const SeenDevice &seenDevice() {
  static const SeenDevice Found = [] {
    const std::optional<VisibleDevice> wanted = visibleDevice();
    const SeenDevice found = wanted ? findDevice(*wanted) : SeenDevice();
    if (const RecordFile file; wanted && !found.device && file.isOpen())
      file.write(RecordLine()
                     .text("kind", "problem")
                     .text("text", "OpenCL: the program finds no '" +
                                       wanted->name + "' of the platform '" +
                                       wanted->platformName + "'"));
    return found;
  }();
  return Found;
}

bool isOfType(cl_device_id device, cl_device_type type) {
  if (type == CL_DEVICE_TYPE_ALL || (type & CL_DEVICE_TYPE_DEFAULT) != 0)
    return true;
  cl_device_type its = 0;
  return driver().clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof(its), &its,
                                  nullptr) == CL_SUCCESS &&
         (its & type) != 0;
}

/// Gives the program a list of one object, as OpenCL's queries do.
template <typename Object>
cl_int listOne(Object object, cl_uint room, Object *list, cl_uint *count) {
  if ((list && room == 0) || (!list && !count))
    return CL_INVALID_VALUE;
  if (list)
    *list = object;
  if (count)
    *count = 1;
  return CL_SUCCESS;
}

cl_int CL_API_CALL platformIds(cl_uint room, cl_platform_id *list,
                               cl_uint *count) {
  if (seenDevice().platform)
    return listOne(seenDevice().platform, room, list, count);
  if (count)
    *count = 0;
  return CL_PLATFORM_NOT_FOUND_KHR;
}

/// The platform doesn't count: there is one for the program, and any other is
/// the loader's own default.
cl_int CL_API_CALL deviceIds(cl_platform_id, cl_device_type type, cl_uint room,
                             cl_device_id *list, cl_uint *count) {
  cl_device_id device = seenDevice().device;
  if (device && isOfType(device, type))
    return listOne(device, room, list, count);
  if (count)
    *count = 0;
  return CL_DEVICE_NOT_FOUND;
}

cl_context CL_API_CALL contextFromType(
    const cl_context_properties *list, cl_device_type type,
    void(CL_CALLBACK *notify)(const char *, const void *, std::size_t, void *),
    void *user, cl_int *error) {
  const SeenDevice &seen = seenDevice();
  if (!seen.device || !isOfType(seen.device, type)) {
    if (error)
      *error = seen.device ? CL_DEVICE_NOT_FOUND : CL_PLATFORM_NOT_FOUND_KHR;
    return nullptr;
  }
  std::vector<cl_context_properties> properties = {
      CL_CONTEXT_PLATFORM,
      reinterpret_cast<cl_context_properties>(seen.platform)};
  for (; list && *list != 0; list += 2)
    if (list[0] != CL_CONTEXT_PLATFORM)
      properties.insert(properties.end(), {list[0], list[1]});
  properties.push_back(0);
  return driver().clCreateContext(properties.data(), 1, &seen.device, notify,
                                  user, error);
}

} // namespace

void replaceDevices(cl_icd_dispatch &table) {
  replace(table.clGetPlatformIDs, platformIds);
  replace(table.clGetDeviceIDs, deviceIds);
  replace(table.clCreateContextFromType, contextFromType);
}

} // namespace kfuse
