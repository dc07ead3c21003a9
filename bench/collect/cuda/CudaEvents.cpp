//===- CudaEvents.cpp - Records launches of a CUDA program by events ------===//
//
//   program ──▶ __wrap_cudaLaunchKernel ──▶ event, cudaLaunchKernel, event
//                   └──▶ a line in KFUSE_COLLECT when both have passed
//
// kfuse-bench has this text in it, and links it into programs that it builds
// with nvcc where there is no CUPTI. The linker leads the program's calls here
// (--wrap). A launch into a stream that is being captured stays alone, since
// events would become a part of the graph.
//
//===----------------------------------------------------------------------===//

#include "LaunchArguments.h"
#include "RecordWriter.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace kfuse {
namespace {

/// Launches that wait until they are looked through.
constexpr std::size_t ManyLaunches = 256;

struct EventPair {
  cudaEvent_t begin = nullptr, end = nullptr;
};

struct WaitingLaunch {
  RecordLine line;
  int device = 0;
  EventPair events;
};

/// The runtime tells this of a kernel.
struct KernelFacts {
  std::string name;
  std::size_t sharedBytes = 0; ///< static
  int registers = 0;           ///< of a thread
};

/// The events of a device, and what its times are relative to.
struct DeviceEvents {
  cudaEvent_t origin = nullptr;
  double apart = 0; ///< seconds between two events with nothing between them
  std::vector<EventPair> unused;
};

/// Lives until the process is gone: other threads may launch at its end.
struct EventCollection {
  const RecordFile file;
  const DriverCalls driver;
  const pid_t process = getpid();
  std::mutex lock;                           ///< of what follows
  std::map<const void *, std::string> names; ///< as the program registers them
  std::map<const void *, KernelFacts> kernels;
  std::map<std::pair<int, cudaStream_t>, std::uint32_t> streams;
  std::map<int, DeviceEvents> devices;
  std::deque<WaitingLaunch> waiting;
  std::uint64_t launchCount = 0;
  bool hasGraphs = false;
};

EventCollection &eventCollection() {
  static auto *const All = new EventCollection;
  return *All;
}

/// Checks whether a call failed, and keeps that from the program: what failed
/// was none of its calls.
bool failed(cudaError_t status) {
  if (status != cudaSuccess)
    static_cast<void>(cudaGetLastError());
  return status != cudaSuccess;
}

/// Lets this thread make calls that would end a capture of another stream.
class RelaxedCapture {
public:
  RelaxedCapture() { exchange(); }
  ~RelaxedCapture() { exchange(); }
  RelaxedCapture(const RelaxedCapture &) = delete;
  RelaxedCapture &operator=(const RelaxedCapture &) = delete;

private:
  void exchange() { failed(cudaThreadExchangeStreamCaptureMode(&Mode)); }
  cudaStreamCaptureMode Mode = cudaStreamCaptureModeRelaxed;
};

bool createEvents(EventPair &events) {
  return !failed(cudaEventCreate(&events.begin)) &&
         !failed(cudaEventCreate(&events.end));
}

/// Returns the seconds between the events once both have passed; negative if
/// there are none.
double secondsBetween(cudaEvent_t begin, cudaEvent_t end) {
  float milliseconds = 0;
  return failed(cudaEventElapsedTime(&milliseconds, begin, end))
             ? -1
             : 1e-3 * static_cast<double>(milliseconds);
}

/// Returns the events of a device, on which a stream is ready; null if they
/// can't be made.
DeviceEvents *eventsOf(EventCollection &all, int device, cudaStream_t stream) {
  DeviceEvents &made = all.devices[device];
  if (made.origin)
    return &made;
  EventPair pair;
  if (!createEvents(pair))
    return nullptr;
  constexpr int Tries = 10;
  for (int i = 0; i < Tries; ++i) {
    if (failed(cudaEventRecord(pair.begin, stream)) ||
        failed(cudaEventRecord(pair.end, stream)) ||
        failed(cudaEventSynchronize(pair.end)))
      return nullptr;
    const double seconds = secondsBetween(pair.begin, pair.end);
    made.apart = i == 0 ? seconds : std::min(made.apart, seconds);
  }
  made.apart = std::max(0.0, made.apart);
  made.origin = pair.begin;
  return &made;
}

/// Writes a launch whose events have passed, and gives them back.
void writeLaunch(EventCollection &all, WaitingLaunch &launch) {
  DeviceEvents &device = all.devices[launch.device];
  const double before = secondsBetween(device.origin, launch.events.begin),
               took = secondsBetween(launch.events.begin, launch.events.end);
  if (before >= 0 && took >= 0) {
    constexpr double Nano = 1e9;
    // An hour is far from zero.
    constexpr std::uint64_t Start = 3'600'000'000'000;
    const auto begin = Start + static_cast<std::uint64_t>(Nano * before);
    launch.line.number("begin", begin)
        .number("end", begin + static_cast<std::uint64_t>(
                                   Nano * std::max(0.0, took - device.apart)));
  }
  all.file.write(launch.line);
  device.unused.push_back(launch.events);
}

/// Writes the launches that have ended, in their order; or all of them, once
/// they have.
void writeEnded(EventCollection &all, bool isWaiting) {
  while (!all.waiting.empty()) {
    WaitingLaunch &launch = all.waiting.front();
    if (isWaiting)
      failed(cudaEventSynchronize(launch.events.end));
    else if (failed(cudaEventQuery(launch.events.end)))
      return;
    writeLaunch(all, launch);
    all.waiting.pop_front();
  }
}

void writeAtExit() {
  EventCollection &all = eventCollection();
  if (getpid() != all.process)
    return; // a child that was forked
  const std::lock_guard<std::mutex> guard(all.lock);
  const RelaxedCapture relaxed;
  writeEnded(all, true);
}

const KernelFacts &factsOf(EventCollection &all, const void *kernel) {
  const auto [place, isNew] = all.kernels.try_emplace(kernel);
  KernelFacts &facts = place->second;
  if (!isNew)
    return facts;
  if (const auto found = all.names.find(kernel); found != all.names.end())
    facts.name = found->second;
#if CUDART_VERSION >= 12030
  const char *name = nullptr;
  if (facts.name.empty() && !failed(cudaFuncGetName(&name, kernel)) && name)
    facts.name = name;
#endif
  cudaFuncAttributes attributes{};
  if (!failed(cudaFuncGetAttributes(&attributes, kernel))) {
    facts.sharedBytes = attributes.sharedSizeBytes;
    facts.registers = attributes.numRegs;
  }
  return facts;
}

/// Returns the arguments as a JSON list; empty if the runtime doesn't tell how
/// large they are.
std::string argumentList(const EventCollection &all, const void *kernel,
                         void **values) {
  std::string list;
#if CUDART_VERSION >= 13000
  std::size_t offset = 0, size = 0;
  for (std::size_t i = 0;
       values && !failed(cudaFuncGetParamInfo(kernel, i, &offset, &size)); ++i)
    list += (i == 0 ? "" : ",") + argumentText(all.driver, i, values[i], size);
#else
  static_cast<void>(all), static_cast<void>(kernel), static_cast<void>(values);
#endif
  return "[" + list + "]";
}

struct LaunchShape {
  const void *kernel;
  dim3 grid, block;
  void **arguments;
  std::size_t sharedBytes;
  cudaStream_t stream;
};

RecordLine lineOf(EventCollection &all, const LaunchShape &shape, int device) {
  const KernelFacts &facts = factsOf(all, shape.kernel);
  const auto stream = all.streams.try_emplace(
      {device, shape.stream}, static_cast<std::uint32_t>(all.streams.size()));
  const unsigned grid[] = {shape.grid.x, shape.grid.y, shape.grid.z};
  const unsigned block[] = {shape.block.x, shape.block.y, shape.block.z};
  RecordLine line = newLine("kernel");
  line.number("ordinal", all.launchCount++)
      .number("device", static_cast<std::uint64_t>(device))
      .number("stream", stream.first->second)
      .text("name", facts.name)
      .extents("grid", grid)
      .extents("block", block)
      .number("shared", facts.sharedBytes + shape.sharedBytes)
      .number("registers", static_cast<std::uint64_t>(facts.registers))
      .json("arguments", argumentList(all, shape.kernel, shape.arguments));
  return line;
}

/// Launches between two events, if they can be had.
template <typename Launch>
cudaError_t recorded(const LaunchShape &shape, Launch launch) {
  EventCollection &all = eventCollection();
  // An error that waits for the program to ask isn't to be lost.
  if (!all.file.isOpen() || cudaPeekAtLastError() != cudaSuccess)
    return launch();
  const RelaxedCapture relaxed;
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  int device = 0;
  if (failed(cudaStreamIsCapturing(shape.stream, &capture)) ||
      capture != cudaStreamCaptureStatusNone || failed(cudaGetDevice(&device)))
    return launch();
  const std::lock_guard<std::mutex> guard(all.lock);
  DeviceEvents *const ready = eventsOf(all, device, shape.stream);
  EventPair events;
  if (!ready)
    return launch();
  if (!ready->unused.empty()) {
    events = ready->unused.back();
    ready->unused.pop_back();
  } else if (!createEvents(events)) {
    return launch();
  }
  // The runtime's own work at exit was registered before, and comes later.
  if (all.launchCount == 0) {
    writeDevices(all.driver, all.file);
    std::atexit(writeAtExit);
  }
  RecordLine line = lineOf(all, shape, device);
  if (failed(cudaEventRecord(events.begin, shape.stream)))
    return launch();
  const cudaError_t result = launch();
  // A launch that failed takes no time, and its error is the program's to ask
  // for.
  if (result == cudaSuccess &&
      !failed(cudaEventRecord(events.end, shape.stream)))
    all.waiting.push_back({std::move(line), device, events});
  else
    ready->unused.push_back(events);
  if (all.waiting.size() >= ManyLaunches)
    writeEnded(all, false);
  return result;
}

/// Returns the stream that a call of the interface with a default stream for
/// each thread means.
cudaStream_t ofThread(cudaStream_t stream) {
  return stream ? stream : cudaStreamPerThread;
}

void noteGraph() {
  EventCollection &all = eventCollection();
  const std::lock_guard<std::mutex> guard(all.lock);
  if (all.file.isOpen() && !all.hasGraphs)
    all.file.write(newLine("problem").text(
        "text", "CUDA: events measure no kernels in graphs"));
  all.hasGraphs = true;
}

} // namespace
} // namespace kfuse

/// Declares the runtime's function, and defines the one in its place. Older
/// runtimes don't have all of them.
#define KFUSE_WRAPS(result, name, parameters)                                  \
  extern "C" __attribute__((weak)) result __real_##name parameters;            \
  extern "C" result __wrap_##name parameters

#define KFUSE_WRAPS_LAUNCH(name, of)                                           \
  KFUSE_WRAPS(cudaError_t, name,                                               \
              (const void *kernel, dim3 grid, dim3 block, void **arguments,    \
               std::size_t shared, cudaStream_t stream)) {                     \
    return kfuse::recorded({kernel, grid, block, arguments, shared, of}, [&] { \
      return __real_##name(kernel, grid, block, arguments, shared, stream);    \
    });                                                                        \
  }

// The compiler's own launches have a handle in place of the host's function.
KFUSE_WRAPS_LAUNCH(__cudaLaunchKernel, stream)
KFUSE_WRAPS_LAUNCH(__cudaLaunchKernel_ptsz, kfuse::ofThread(stream))
KFUSE_WRAPS_LAUNCH(cudaLaunchKernel, stream)
KFUSE_WRAPS_LAUNCH(cudaLaunchKernel_ptsz, kfuse::ofThread(stream))
KFUSE_WRAPS_LAUNCH(cudaLaunchCooperativeKernel, stream)
KFUSE_WRAPS_LAUNCH(cudaLaunchCooperativeKernel_ptsz, kfuse::ofThread(stream))

#if CUDART_VERSION >= 11080
#define KFUSE_WRAPS_CONFIGURED(name, of)                                       \
  KFUSE_WRAPS(cudaError_t, name,                                               \
              (const cudaLaunchConfig_t *config, const void *kernel,           \
               void **arguments)) {                                            \
    const cudaStream_t stream = config->stream;                                \
    return kfuse::recorded(                                                    \
        {kernel, config->gridDim, config->blockDim, arguments,                 \
         config->dynamicSmemBytes, of},                                        \
        [&] { return __real_##name(config, kernel, arguments); });             \
  }
KFUSE_WRAPS_CONFIGURED(cudaLaunchKernelExC, stream)
KFUSE_WRAPS_CONFIGURED(cudaLaunchKernelExC_ptsz, kfuse::ofThread(stream))
#endif

KFUSE_WRAPS(cudaError_t, cudaGraphLaunch,
            (cudaGraphExec_t graph, cudaStream_t stream)) {
  kfuse::noteGraph();
  return __real_cudaGraphLaunch(graph, stream);
}
KFUSE_WRAPS(cudaError_t, cudaGraphLaunch_ptsz,
            (cudaGraphExec_t graph, cudaStream_t stream)) {
  kfuse::noteGraph();
  return __real_cudaGraphLaunch_ptsz(graph, stream);
}

/// The events go with the device.
KFUSE_WRAPS(cudaError_t, cudaDeviceReset, ()) {
  kfuse::EventCollection &all = kfuse::eventCollection();
  const std::lock_guard<std::mutex> guard(all.lock);
  kfuse::writeEnded(all, true);
  all.devices.clear();
  return __real_cudaDeviceReset();
}

/// Older runtimes can't be asked for the names.
KFUSE_WRAPS(void, __cudaRegisterFunction,
            (void **library, const char *host, char *device, const char *name,
             int threads, uint3 *thread, uint3 *block, dim3 *blockSize,
             dim3 *gridSize, int *warp)) {
  {
    kfuse::EventCollection &all = kfuse::eventCollection();
    const std::lock_guard<std::mutex> guard(all.lock);
    all.names[host] = name;
  }
  __real___cudaRegisterFunction(library, host, device, name, threads, thread,
                                block, blockSize, gridSize, warp);
}
