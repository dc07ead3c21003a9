//===- trace.cuh - The executor's trace, on a real GPU --------------------===//
//
// This file is force-included by scripts/gpu-verify.py into a program that nvcc
// builds, as kfuse-bench compare does for its first run. It logs what the host
// can see in the format of runtime/trace/Trace.h. This is the digest of every
// device-to-host copy, and of every buffer when it is freed and at exit. So the
// original and the fused program can be compared bit for bit. It also counts
// the launches and the time that they take. Link with
// --wrap=__cudaLaunchKernel.
//
//   KFUSE_TRACE=FILE     the trace
//   KFUSE_TIMES=FILE     launches and the milliseconds that they take, each
//                        measured by a pair of events
//   KFUSE_LAUNCHES=FILE  the number of launches of each kernel and its name as
//                        the linker sees it; with CUDA 12.3 or newer
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_RUNTIME_GPU_TRACE_CUH
#define KFUSE_RUNTIME_GPU_TRACE_CUH

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <map>
#include <string>
#include <vector>

namespace kfuse_gpu {

struct Buffer {
  std::string label;
  std::size_t bytes;
  unsigned order;
};

struct Tracer {
  std::FILE *log = nullptr;
  std::map<const char *, Buffer> buffers;
  std::map<std::string, unsigned> uses;
  unsigned allocations = 0;
  unsigned long launches = 0;
  struct Launched {
    std::string kernel;
    unsigned long times = 0;
  };
  std::map<const void *, Launched> launched; ///< keyed by the host's function
  double milliseconds = 0;

  Tracer() {
    if (const char *path = std::getenv("KFUSE_TRACE"))
      log = std::fopen(path, "w");
  }
  ~Tracer() {
    std::map<unsigned, const char *> inOrder;
    for (const auto &entry : buffers)
      inOrder[entry.second.order] = entry.first;
    for (const auto &entry : inOrder)
      content("exit", entry.second);
    if (log)
      std::fclose(log);
    if (const char *path = std::getenv("KFUSE_TIMES"))
      if (std::FILE *times = std::fopen(path, "w")) {
        std::fprintf(times, "%lu %.6f\n", launches, milliseconds);
        std::fclose(times);
      }
    writeLaunches();
  }

  void countLaunch(const void *function) {
    ++launches;
    Launched &kernel = launched[function];
#if CUDART_VERSION >= 12030
    // The kernels have no names any more when the program ends.
    const char *name = nullptr;
    if (kernel.times == 0 && cudaFuncGetName(&name, function) == cudaSuccess)
      kernel.kernel = name;
#endif
    ++kernel.times;
  }

  void writeLaunches() const {
    const char *path = std::getenv("KFUSE_LAUNCHES");
    std::FILE *file = path ? std::fopen(path, "w") : nullptr;
    if (!file)
      return;
    for (const auto &entry : launched)
      std::fprintf(file, "%lu %s\n", entry.second.times,
                   entry.second.kernel.c_str());
    std::fclose(file);
  }

  static std::uint64_t digest(const void *data, std::size_t bytes) {
    const auto *byte = static_cast<const unsigned char *>(data);
    std::uint64_t hash = 14695981039346656037u;
    for (std::size_t i = 0; i < bytes; ++i)
      hash = (hash ^ byte[i]) * 1099511628211u;
    return hash;
  }

  void line(const char *event, const std::string &label, const void *data,
            std::size_t bytes) {
    if (log)
      std::fprintf(log, "%s %s %zu %016llx\n", event, label.c_str(), bytes,
                   static_cast<unsigned long long>(digest(data, bytes)));
  }

  void content(const char *event, const char *pointer) {
    if (!log)
      return;
    const Buffer &buffer = buffers.at(pointer);
    std::vector<char> host(buffer.bytes);
    cudaDeviceSynchronize();
    if (cudaMemcpy(host.data(), pointer, buffer.bytes,
                   cudaMemcpyDeviceToHost) == cudaSuccess)
      line(event, buffer.label, host.data(), buffer.bytes);
  }

  void allocated(const std::string &function, const std::string &text,
                 void *pointer, std::size_t bytes) {
    cudaMemset(pointer, 0xa5, bytes); // unwritten bytes must be equal
    const std::string label = function + ":" + name(text);
    buffers[static_cast<const char *>(pointer)] = {
        label + "#" + std::to_string(uses[label]++), bytes, allocations++};
  }

  std::string labelOf(const void *pointer) const {
    auto after = buffers.upper_bound(static_cast<const char *>(pointer));
    return after == buffers.begin() ? "?" : std::prev(after)->second.label;
  }

  /// Returns the first argument without casts, parentheses, blanks and the
  /// address-of operator.
  static std::string name(const std::string &arguments) {
    std::string first, result;
    int depth = 0;
    for (char c : arguments) {
      depth += c == '(' || c == '[' || c == '<' ? 1 : 0;
      depth -= c == ')' || c == ']' || c == '>' ? 1 : 0;
      if (c == ',' && depth == 0)
        break;
      first += c;
    }
    // A cast ends in a closing bracket; the name comes after the last
    // address-of operator, or is the whole text.
    const std::size_t mark = first.rfind('&');
    for (char c : mark == std::string::npos ? first : first.substr(mark + 1))
      if (c != ' ' && c != '(' && c != ')')
        result += c;
    return result;
  }
};

inline Tracer tracer;

template <typename T>
cudaError_t allocate(const char *text, T **pointer, std::size_t bytes,
                     const char *function = __builtin_FUNCTION()) {
  cudaError_t error = cudaMalloc(pointer, bytes);
  if (error == cudaSuccess)
    tracer.allocated(function, text, *pointer, bytes);
  return error;
}

inline cudaError_t release(void *pointer) {
  auto found = tracer.buffers.find(static_cast<const char *>(pointer));
  if (found != tracer.buffers.end()) {
    tracer.content("free", found->first);
    tracer.buffers.erase(found);
  }
  return cudaFree(pointer);
}

inline cudaError_t copy(void *to, const void *from, std::size_t bytes,
                        cudaMemcpyKind kind) {
  cudaError_t error = cudaMemcpy(to, from, bytes, kind);
  if (error == cudaSuccess && kind == cudaMemcpyDeviceToHost)
    tracer.line("copy", tracer.labelOf(from), to, bytes);
  return error;
}

} // namespace kfuse_gpu

extern "C" cudaError_t __real___cudaLaunchKernel(const void *, dim3, dim3,
                                                 void **, std::size_t,
                                                 cudaStream_t);
extern "C" cudaError_t __wrap___cudaLaunchKernel(const void *function,
                                                 dim3 grid, dim3 block,
                                                 void **arguments,
                                                 std::size_t shared,
                                                 cudaStream_t stream) {
  static const bool timed = std::getenv("KFUSE_TIMES") != nullptr;
  kfuse_gpu::tracer.countLaunch(function);
  if (!timed)
    return __real___cudaLaunchKernel(function, grid, block, arguments, shared,
                                     stream);
  static cudaEvent_t events[2] = {};
  if (!events[0])
    for (cudaEvent_t &event : events)
      cudaEventCreate(&event);
  cudaEventRecord(events[0], stream);
  cudaError_t error = __real___cudaLaunchKernel(function, grid, block,
                                                arguments, shared, stream);
  cudaEventRecord(events[1], stream);
  cudaEventSynchronize(events[1]);
  float elapsed = 0;
  cudaEventElapsedTime(&elapsed, events[0], events[1]);
  kfuse_gpu::tracer.milliseconds += elapsed;
  return error;
}

#define cudaMalloc(...) kfuse_gpu::allocate(#__VA_ARGS__, __VA_ARGS__)
#define cudaFree(...) kfuse_gpu::release(__VA_ARGS__)
#define cudaMemcpy(...) kfuse_gpu::copy(__VA_ARGS__)

#endif
