//===- CudaProgram.cu - Probes on a CUDA device ---------------------------===//
//
// Built and run by kfuse-bench: program DEVICE SECONDS [quick]. Prints the
// measurements as JSON, and the part that is done, in percent, on the standard
// error stream.
//
//===----------------------------------------------------------------------===//

#include "bench/roofline/kernels/Cuda.cuh"
#include "bench/roofline/kernels/Probes.cl"
#include "bench/roofline/probes/Probes.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace kfuse;

#define ENTRY(NAME) {#NAME, reinterpret_cast<const void *>(NAME)}
const std::map<std::string, const void *> &kernels() {
  static const std::map<std::string, const void *> Kernels = {
      ENTRY(readSet),        ENTRY(writeSet),     ENTRY(copySet),
      ENTRY(triadSet),       ENTRY(copyOnce),     ENTRY(copyWithFlops),
      ENTRY(touchLines),     ENTRY(chase1),       ENTRY(flight1),
      ENTRY(flight2),        ENTRY(flight4),      ENTRY(flight8),
      ENTRY(localRead),      ENTRY(rateFmaFloat), ENTRY(rateFmaFloat4),
      ENTRY(rateAddFloat),   ENTRY(rateAddFloat4), ENTRY(rateMulAddFloat),
      ENTRY(rateMadInt),     ENTRY(rateMadInt4),  ENTRY(rateSine),
      ENTRY(rateExponential), ENTRY(rateRoot),    ENTRY(rateFmaDouble),
      ENTRY(rateAddDouble),  ENTRY(rateFmaHalf),  ENTRY(rateFmaHalf2),
      ENTRY(rateMulAddDouble), ENTRY(rateAddHalf), ENTRY(rateAddHalf2),
      ENTRY(rateMulAddHalf), ENTRY(rateSine4),    ENTRY(rateExponential4),
      ENTRY(rateRoot4),      ENTRY(nothing),      ENTRY(fillVaried),
      ENTRY(flopsAlone)};
  return Kernels;
}
#undef ENTRY

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess &&
                 value > 0
             ? value
             : 0;
}

class CudaProbeDevice : public ProbeDevice {
public:
  explicit CudaProbeDevice(int device) {
    if (failed(cudaSetDevice(device), "cudaSetDevice") ||
        failed(cudaStreamCreate(&Stream), "cudaStreamCreate") ||
        failed(cudaEventCreate(&Start), "cudaEventCreate") ||
        failed(cudaEventCreate(&End), "cudaEventCreate"))
      return;
    cudaDeviceProp properties{};
    if (failed(cudaGetDeviceProperties(&properties, device),
               "cudaGetDeviceProperties"))
      return;
    Limits.computeUnits = std::size_t(properties.multiProcessorCount);
    Limits.groupSize = std::size_t(properties.maxThreadsPerBlock);
    Limits.vectorBytes = sizeof(Vector);
    Limits.lineBytes = 128;
    Limits.cacheBytes = std::size_t(properties.l2CacheSize);
    std::size_t free = 0, total = 0;
    if (failed(cudaMemGetInfo(&free, &total), "cudaMemGetInfo"))
      return;
    // Others may use the device, too.
    Limits.globalBytes = Limits.largestAllocation = free;
    // A pair of events is apart by itself.
    double apart = 0;
    for (int i = 0; i < 20; ++i) {
      const double seconds = timed("events", [] { return cudaSuccess; });
      apart = i == 0 ? seconds : std::min(apart, seconds);
    }
    Apart = apart;
  }
  ~CudaProbeDevice() override {
    for (void *memory : Memory)
      cudaFree(memory);
    cudaFreeHost(Pinned);
  }

  const ProbeLimits &limits() const override { return Limits; }
  const std::string &error() const override { return Error; }

  bool hasKernel(const std::string &name) const override {
    return kernels().count(name) != 0;
  }

  ProbeBuffer allocate(std::size_t bytes) override {
    void *memory = nullptr;
    if (!Error.empty() || failed(cudaMalloc(&memory, bytes), "cudaMalloc") ||
        failed(cudaMemset(memory, 0, bytes), "cudaMemset") ||
        failed(cudaDeviceSynchronize(), "cudaMemset"))
      return {};
    Memory.push_back(memory);
    return {Memory.size()};
  }

  void release(ProbeBuffer buffer) override {
    if (buffer.number != 0)
      cudaFree(std::exchange(Memory[buffer.number - 1], nullptr));
  }

  void upload(ProbeBuffer buffer,
              const std::vector<std::int32_t> &data) override {
    if (Error.empty())
      failed(cudaMemcpy(memoryOf(buffer), data.data(),
                        data.size() * sizeof(data.front()),
                        cudaMemcpyHostToDevice),
             "cudaMemcpy to the device");
  }

  double launch(const ProbeLaunch &launch, unsigned times) override {
    return withLaunches(launch, times, [&](auto enqueue) {
      return timed("launch of " + launch.kernel, enqueue);
    });
  }

  double queue(const ProbeLaunch &launch, unsigned times) override {
    return withLaunches(launch, times, [&](auto enqueue) {
      using Clock = std::chrono::steady_clock;
      const auto start = Clock::now();
      if (failed(enqueue(), "launch of " + launch.kernel) ||
          failed(cudaStreamSynchronize(Stream), launch.kernel))
        return 0.0;
      return std::chrono::duration<double>(Clock::now() - start).count();
    });
  }

  double copy(ProbeBuffer from, ProbeBuffer to, std::size_t bytes,
              unsigned times) override {
    if (!Error.empty())
      return 0;
    return timed("cudaMemcpyAsync", [&] {
      cudaError_t status = cudaSuccess;
      for (unsigned i = 0; i < times && status == cudaSuccess; ++i)
        status = cudaMemcpyAsync(memoryOf(to), memoryOf(from), bytes,
                                 cudaMemcpyDeviceToDevice, Stream);
      return status;
    });
  }

  double transfer(TransferPath path, ProbeBuffer buffer,
                  std::size_t bytes) override {
    if (!Error.empty())
      return 0;
    const bool isPinned = path == TransferPath::ToDevicePinned ||
                          path == TransferPath::ToHostPinned;
    const bool isToDevice = path == TransferPath::ToDevicePageable ||
                            path == TransferPath::ToDevicePinned;
    void *host = isPinned ? pinned(bytes) : pageable(bytes);
    if (!Error.empty())
      return 0;
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const cudaError_t status =
        isToDevice ? cudaMemcpy(memoryOf(buffer), host, bytes,
                                cudaMemcpyHostToDevice)
                   : cudaMemcpy(host, memoryOf(buffer), bytes,
                                cudaMemcpyDeviceToHost);
    if (failed(status, "cudaMemcpy") ||
        failed(cudaDeviceSynchronize(), "cudaMemcpy"))
      return 0;
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

private:
  /// Gives `measure` a function that launches, and returns what it returns.
  template <typename Measure>
  double withLaunches(const ProbeLaunch &launch, unsigned times,
                      Measure measure) {
    const auto found = kernels().find(launch.kernel);
    if (Error.empty() && found == kernels().end())
      Error = "there is no kernel '" + launch.kernel + "'";
    if (!Error.empty())
      return 0;
    std::vector<ProbeArgument> values = launch.arguments;
    std::vector<void *> buffers(values.size()), arguments(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (const auto *buffer = std::get_if<ProbeBuffer>(&values[i])) {
        buffers[i] = memoryOf(*buffer);
        arguments[i] = &buffers[i];
      } else if (auto *number = std::get_if<std::int32_t>(&values[i])) {
        arguments[i] = number;
      } else {
        arguments[i] = &std::get<float>(values[i]);
      }
    }
    return measure([&] {
      cudaError_t status = cudaSuccess;
      for (unsigned i = 0; i < times && status == cudaSuccess; ++i)
        status = cudaLaunchKernel(
            found->second, dim3(unsigned(launch.groups)),
            dim3(unsigned(launch.groupSize)), arguments.data(), 0, Stream);
      return status;
    });
  }

  bool failed(cudaError_t status, const std::string &what) {
    if (status == cudaSuccess)
      return false;
    if (Error.empty())
      Error = what + " failed: " + cudaGetErrorString(status);
    return true;
  }

  template <typename Work> double timed(const std::string &what, Work work) {
    float milliseconds = 0;
    if (failed(cudaEventRecord(Start, Stream), "cudaEventRecord") ||
        failed(work(), what) ||
        failed(cudaEventRecord(End, Stream), "cudaEventRecord") ||
        failed(cudaEventSynchronize(End), what) ||
        failed(cudaEventElapsedTime(&milliseconds, Start, End),
               "cudaEventElapsedTime"))
      return 0;
    return std::max(0.0, 1e-3 * double(milliseconds) - Apart);
  }

  void *memoryOf(ProbeBuffer buffer) const {
    return buffer.number == 0 ? nullptr : Memory[buffer.number - 1];
  }

  void *pageable(std::size_t bytes) {
    if (Pageable.size() < bytes)
      Pageable.resize(bytes);
    return Pageable.data();
  }

  void *pinned(std::size_t bytes) {
    if (PinnedBytes >= bytes)
      return Pinned;
    cudaFreeHost(Pinned);
    Pinned = nullptr;
    PinnedBytes = bytes;
    failed(cudaMallocHost(&Pinned, bytes), "cudaMallocHost");
    return Pinned;
  }

  ProbeLimits Limits;
  std::string Error;
  double Apart = 0; ///< seconds
  cudaStream_t Stream = nullptr;
  cudaEvent_t Start = nullptr, End = nullptr;
  std::vector<void *> Memory;
  std::vector<char> Pageable;
  void *Pinned = nullptr;
  std::size_t PinnedBytes = 0;
};

void printLimits(int device) {
  const std::pair<const char *, int> limits[] = {
      {"lineBytes", 128},
      {"computeCapability",
       10 * attribute(cudaDevAttrComputeCapabilityMajor, device) +
           attribute(cudaDevAttrComputeCapabilityMinor, device)},
      {"clockKilohertz", attribute(cudaDevAttrClockRate, device)},
      {"memoryKilohertz", attribute(cudaDevAttrMemoryClockRate, device)},
      {"memoryBusBits", attribute(cudaDevAttrGlobalMemoryBusWidth, device)},
      {"threadsPerMultiprocessor",
       attribute(cudaDevAttrMaxThreadsPerMultiProcessor, device)},
      {"blocksPerMultiprocessor",
       attribute(cudaDevAttrMaxBlocksPerMultiprocessor, device)},
      {"registersPerMultiprocessor",
       attribute(cudaDevAttrMaxRegistersPerMultiprocessor, device)},
      {"sharedPerMultiprocessor",
       attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, device)},
      {"sharedReservedPerBlock",
       attribute(cudaDevAttrReservedSharedMemoryPerBlock, device)}};
  std::printf("\"limits\": {");
  const char *comma = "";
  for (const auto &[name, value] : limits) {
    std::printf("%s\"%s\": %d", comma, name, value);
    comma = ", ";
  }
  std::printf("}");
}

void printSeries(const RawMeasurements &measured) {
  std::printf("\"passes\": %zu, \"series\": {", measured.passes);
  const char *comma = "";
  for (const auto &[name, points] : measured.series) {
    std::printf("%s\n\"%s\": [", comma, name.c_str());
    comma = "";
    for (const RawPoint &point : points) {
      std::printf("%s[%.17g, [", comma, point.x);
      comma = "";
      for (const double sample : point.samples) {
        std::printf("%s%.9g", comma, sample);
        comma = ", ";
      }
      std::printf("]]");
      comma = ", ";
    }
    std::printf("]");
    comma = ",";
  }
  std::printf("}");
}

} // namespace

int main(int count, char **words) {
  if (count < 3) {
    std::fprintf(stderr, "usage: %s DEVICE SECONDS [quick]\n", words[0]);
    return 2;
  }
  const int device = std::atoi(words[1]);
  ProbePlan plan;
  plan.seconds = std::atof(words[2]);
  plan.isQuick = count > 3;
  CudaProbeDevice probed(device);
  int last = 0;
  RawMeasurements measured = runProbes(
      probed, plan, [] { return false; },
      [&](double done) {
        const int percent = int(100 * done);
        if (percent != last)
          std::fprintf(stderr, "%d%%\n", percent);
        last = percent;
      });
  if (!measured.error.empty()) {
    std::fprintf(stderr, "error: %s\n", measured.error.c_str());
    return 1;
  }
  std::printf("{");
  printLimits(device);
  std::printf(",\n");
  printSeries(measured);
  std::printf("}\n");
  return 0;
}
