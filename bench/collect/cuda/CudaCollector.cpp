//===- CudaCollector.cpp - Records launches inside a CUDA program ---------===//
//
//   program ──▶ driver ──CUDA_INJECTION64_PATH──▶ this library
//                 └──CUPTI: ended kernels──▶ a line each in KFUSE_COLLECT
//
// kfuse-bench has this text in it and compiles it where a toolkit is. CUPTI
// tells what ran and when. A callback at each launch adds what the kernel was
// given, for the activity's number is the launch's.
//
//===----------------------------------------------------------------------===//

#include "LaunchArguments.h"
#include "RecordWriter.h"

#include <cuda.h>
#include <cupti.h>

#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

namespace kfuse {
namespace {

constexpr std::size_t BufferBytes = std::size_t{4} << 20;
constexpr std::uint32_t FlushMilliseconds = 100;

/// Lives until the process is gone: CUPTI has threads of its own.
struct CudaCollection {
  const RecordFile file;
  const DriverCalls driver;
  std::mutex lock;                                ///< of what follows
  std::map<std::uint32_t, std::string> arguments; ///< by launch
  bool hasDevices = false;
};

CudaCollection &cudaCollection() {
  static auto *const All = new CudaCollection;
  return *All;
}

/// The call of the runtime that this thread is in: kernels may have its number
/// instead of that of the driver's call inside it.
thread_local std::uint32_t RuntimeCall = 0;

/// Notes that nothing can be recorded; returns whether `result` says so.
bool fails(CUptiResult result, const char *call) {
  if (result == CUPTI_SUCCESS)
    return false;
  const char *why = nullptr;
  if (cuptiGetResultString(result, &why) != CUPTI_SUCCESS || !why)
    why = "unknown error";
  cudaCollection().file.write(newLine("problem").text(
      "text", std::string("CUPTI: ") + call + ": " + why));
  return true;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Returns the buffer with all arguments, if the launch has one.
const char *argumentBuffer(void **extra) {
  for (; extra && extra[0] != CU_LAUNCH_PARAM_END; extra += 2)
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
      return static_cast<const char *>(extra[1]);
  return nullptr;
}

/// Returns the arguments as a JSON list; empty if the driver doesn't tell how
/// large they are.
std::string argumentList(const CudaCollection &all, CUfunction function,
                         void **values, void **extra) {
  const char *buffer = values ? nullptr : argumentBuffer(extra);
  if (!values && !buffer)
    return "[]";
  // A kernel that belongs to no context can be launched, too.
  std::size_t offset = 0, size = 0;
  auto *parameter = all.driver.functionParameter;
  if (!parameter || parameter(function, 0, &offset, &size) != CUDA_SUCCESS)
    parameter = all.driver.kernelParameter;
  std::string list;
  for (std::size_t i = 0;
       parameter && parameter(function, i, &offset, &size) == CUDA_SUCCESS; ++i)
    list +=
        (i == 0 ? "" : ",") +
        argumentText(all.driver, i, values ? values[i] : buffer + offset, size);
  return "[" + list + "]";
}

void keepArguments(CUfunction function, void **values, void **extra,
                   std::uint32_t call) {
  CudaCollection &all = cudaCollection();
  const std::string list = argumentList(all, function, values, extra);
  const std::lock_guard<std::mutex> guard(all.lock);
  if (!all.hasDevices)
    writeDevices(all.driver, all.file);
  all.hasDevices = true;
  all.arguments[call] = list;
  if (RuntimeCall != 0)
    all.arguments[RuntimeCall] = list;
}

void CUPTIAPI onDriverCall(CUpti_CallbackId id, const void *parameters,
                           std::uint32_t call) {
  switch (id) {
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz: {
    const auto *launch = static_cast<const cuLaunchKernel_params *>(parameters);
    keepArguments(launch->f, launch->kernelParams, launch->extra, call);
    break;
  }
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz: {
    const auto *launch =
        static_cast<const cuLaunchCooperativeKernel_params *>(parameters);
    keepArguments(launch->f, launch->kernelParams, nullptr, call);
    break;
  }
#if CUDA_VERSION >= 11080
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz: {
    const auto *launch =
        static_cast<const cuLaunchKernelEx_params *>(parameters);
    keepArguments(launch->f, launch->kernelParams, launch->extra, call);
    break;
  }
#endif
  default:
    break;
  }
}

void CUPTIAPI onCall(void *, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                     const void *given) {
  const auto *data = static_cast<const CUpti_CallbackData *>(given);
  const bool isEntered = data->callbackSite == CUPTI_API_ENTER;
  if (domain == CUPTI_CB_DOMAIN_RUNTIME_API) {
    RuntimeCall = isEntered ? data->correlationId : 0;
    if (isEntered && id == CUPTI_RUNTIME_TRACE_CBID_cudaDeviceReset_v3020)
      cuptiActivityFlushAll(0);
  } else if (domain == CUPTI_CB_DOMAIN_DRIVER_API && isEntered) {
    onDriverCall(id, data->functionParams, data->correlationId);
  }
}

//===----------------------------------------------------------------------===//
// Activities
//===----------------------------------------------------------------------===//

template <typename Activity>
RecordLine lineOf(const char *kind, const Activity &activity) {
  RecordLine line = newLine(kind);
  line.number("ordinal", activity.correlationId)
      .number("device", activity.deviceId)
      .number("stream", activity.streamId);
  if (activity.start != 0 && activity.end >= activity.start)
    line.number("begin", activity.start).number("end", activity.end);
  return line;
}

/// Kernels of a graph have the number of one launch, and no arguments here.
std::string takeArguments(std::uint32_t call) {
  CudaCollection &all = cudaCollection();
  const std::lock_guard<std::mutex> guard(all.lock);
  const auto found = all.arguments.find(call);
  if (found == all.arguments.end())
    return "[]";
  std::string list = std::move(found->second);
  all.arguments.erase(found);
  return list;
}

/// Later versions of these structs begin with all of the fields that are read.
void writeKernel(const CUpti_ActivityKernel4 &kernel) {
  const std::int32_t grid[] = {kernel.gridX, kernel.gridY, kernel.gridZ};
  const std::int32_t block[] = {kernel.blockX, kernel.blockY, kernel.blockZ};
  cudaCollection().file.write(
      lineOf("kernel", kernel)
          .text("name", kernel.name ? kernel.name : "")
          .extents("grid", grid)
          .extents("block", block)
          .number("shared",
                  static_cast<std::uint64_t>(kernel.staticSharedMemory) +
                      static_cast<std::uint64_t>(kernel.dynamicSharedMemory))
          .number("registers", kernel.registersPerThread)
          .json("arguments", takeArguments(kernel.correlationId)));
}

void writeCopy(const CUpti_ActivityMemcpy &copy) {
  const char *kind = copy.copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_HTOD ? "write"
                     : copy.copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOH
                         ? "read"
                         : "copy";
  cudaCollection().file.write(lineOf(kind, copy).number("bytes", copy.bytes));
}

void writeFill(const CUpti_ActivityMemset &fill) {
  cudaCollection().file.write(lineOf("fill", fill).number("bytes", fill.bytes));
}

void CUPTIAPI giveBuffer(std::uint8_t **buffer, std::size_t *size,
                         std::size_t *mostRecords) {
  *buffer = static_cast<std::uint8_t *>(std::malloc(BufferBytes));
  *size = *buffer ? BufferBytes : 0;
  *mostRecords = 0;
}

void CUPTIAPI takeBuffer(CUcontext, std::uint32_t, std::uint8_t *buffer,
                         std::size_t, std::size_t valid) {
  CUpti_Activity *activity = nullptr;
  while (valid != 0 &&
         cuptiActivityGetNextRecord(buffer, valid, &activity) == CUPTI_SUCCESS)
    switch (activity->kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      writeKernel(*reinterpret_cast<CUpti_ActivityKernel4 *>(activity));
      break;
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      writeCopy(*reinterpret_cast<CUpti_ActivityMemcpy *>(activity));
      break;
    case CUPTI_ACTIVITY_KIND_MEMSET:
      writeFill(*reinterpret_cast<CUpti_ActivityMemset *>(activity));
      break;
    default:
      break;
    }
  std::free(buffer);
}

void flushAtExit() { cuptiActivityFlushAll(1); }

void start() {
  CUpti_SubscriberHandle subscriber = nullptr;
  if (fails(cuptiSubscribe(&subscriber, onCall, nullptr), "cuptiSubscribe"))
    return;
  fails(cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API),
        "cuptiEnableDomain");
  for (const CUpti_CallbackId id : {
           CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
           CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
           CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
           CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
#if CUDA_VERSION >= 11080
           CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
           CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
#endif
       })
    fails(cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id),
          "cuptiEnableCallback");
  if (fails(cuptiActivityRegisterCallbacks(giveBuffer, takeBuffer),
            "cuptiActivityRegisterCallbacks"))
    return;
  for (const CUpti_ActivityKind kind :
       {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
        CUPTI_ACTIVITY_KIND_MEMSET})
    fails(cuptiActivityEnable(kind), "cuptiActivityEnable");
#if CUDA_VERSION >= 11010
  // A crash leaves what ran before it.
  fails(cuptiActivityFlushPeriod(FlushMilliseconds),
        "cuptiActivityFlushPeriod");
#endif
  std::atexit(flushAtExit);
}

} // namespace
} // namespace kfuse

/// The driver calls this when the program initialises it.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  if (kfuse::cudaCollection().file.isOpen())
    kfuse::start();
  return 1;
}
