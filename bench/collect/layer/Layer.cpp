//===- Layer.cpp - A layer of OpenCL's loader that records commands -------===//
//
//   program ──▶ loader ──▶ this layer ──▶ driver
//                              └──▶ a line in KFUSE_COLLECT for each command
//
// OPENCL_LAYERS names this library to the loader. The program sees the same
// results and events as without it: each queue gets profiling, and a query of
// the queue or of an event doesn't tell. Without KFUSE_COLLECT nothing is
// recorded; with KFUSE_OPENCL_DEVICE the program sees one device alone.
//
//===----------------------------------------------------------------------===//

#include "bench/collect/layer/Layer.h"

#include "bench/collect/VisibleDevice.h"
#include "bench/collect/layer/Commands.h"

#include <CL/cl_layer.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace kfuse {
namespace {

constexpr cl_uint TableEntries = sizeof(cl_icd_dispatch) / sizeof(void *);
constexpr std::string_view LayerName = "kfuse";

/// Writes what a query returns, as every query of OpenCL does.
cl_int answer(const void *found, std::size_t bytes, std::size_t room,
              void *value, std::size_t *needed) {
  if (value && room < bytes)
    return CL_INVALID_VALUE;
  if (value)
    std::memcpy(value, found, bytes);
  if (needed)
    *needed = bytes;
  return CL_SUCCESS;
}

} // namespace
} // namespace kfuse

#define KFUSE_EXPORTED extern "C" __attribute__((visibility("default")))

KFUSE_EXPORTED cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what,
                                                 std::size_t room, void *value,
                                                 std::size_t *needed) {
  static constexpr cl_layer_api_version Version = CL_LAYER_API_VERSION_100;
  if (what == CL_LAYER_API_VERSION)
    return kfuse::answer(&Version, sizeof(Version), room, value, needed);
  if (what == CL_LAYER_NAME)
    return kfuse::answer(kfuse::LayerName.data(), kfuse::LayerName.size() + 1,
                         room, value, needed);
  return CL_INVALID_VALUE;
}

KFUSE_EXPORTED cl_int CL_API_CALL clInitLayer(cl_uint count,
                                              const cl_icd_dispatch *next,
                                              cl_uint *countPlace,
                                              const cl_icd_dispatch **place) {
  static cl_icd_dispatch table = {};
  if (!next || !countPlace || !place)
    return CL_INVALID_VALUE;
  // A loader of another version may know fewer functions, or more.
  std::memcpy(&table, next,
              std::min(count, kfuse::TableEntries) * sizeof(void *));
  kfuse::useDriver(table);
  if (kfuse::RecordFile().isOpen()) {
    kfuse::replaceQueues(table);
    kfuse::replaceKernels(table);
    kfuse::replaceCopies(table);
  }
  if (std::getenv(kfuse::VisibleDeviceVariable))
    kfuse::replaceDevices(table);
  *countPlace = kfuse::TableEntries;
  *place = &table;
  return CL_SUCCESS;
}
