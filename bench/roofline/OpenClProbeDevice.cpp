//===- OpenClProbeDevice.cpp - Probes on an OpenCL device -----------------===//

#include "bench/roofline/OpenClProbeDevice.h"

#include "bench/roofline/EmbeddedSources.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <chrono>
#include <map>
#include <type_traits>

namespace kfuse {
namespace {

/// An object of OpenCL, released with the last of its kind.
template <typename Object, cl_int (*Release)(Object)> struct ObjectRelease {
  void operator()(Object object) const { Release(object); }
};
template <typename Object, cl_int (*Release)(Object)>
using Owned = std::unique_ptr<std::remove_pointer_t<Object>,
                              ObjectRelease<Object, Release>>;
using OwnedContext = Owned<cl_context, clReleaseContext>;
using OwnedQueue = Owned<cl_command_queue, clReleaseCommandQueue>;
using OwnedProgram = Owned<cl_program, clReleaseProgram>;
using OwnedKernel = Owned<cl_kernel, clReleaseKernel>;
using OwnedMemory = Owned<cl_mem, clReleaseMemObject>;
using OwnedEvent = Owned<cl_event, clReleaseEvent>;

/// Returns the loader's name for a device that was listed; null if it is gone.
cl_device_id idOf(const ComputeDevice &device) {
  std::vector<cl_platform_id> platforms(device.platformNumber + 1);
  cl_uint count = 0;
  if (clGetPlatformIDs(device.platformNumber + 1, platforms.data(), &count) !=
          CL_SUCCESS ||
      count <= device.platformNumber)
    return nullptr;
  std::vector<cl_device_id> ids(device.number + 1);
  if (clGetDeviceIDs(platforms.back(), CL_DEVICE_TYPE_ALL, device.number + 1,
                     ids.data(), &count) != CL_SUCCESS ||
      count <= device.number)
    return nullptr;
  return ids.back();
}

class OpenClProbeDevice : public ProbeDevice {
public:
  explicit OpenClProbeDevice(const ComputeDevice &device) : Id(idOf(device)) {
    Limits.isCpu = device.type == DeviceType::Cpu;
    Limits.computeUnits = std::max(1U, device.computeUnits);
    Limits.groupSize = std::max<std::uint64_t>(1, device.groupSize);
    Limits.vectorBytes = Limits.isCpu ? sizeof(cl_float16) : sizeof(cl_float4);
    if (const std::uint32_t line = openClLimits(device).lineBytes)
      Limits.lineBytes = line;
    Limits.cacheBytes = device.cacheBytes;
    Limits.globalBytes = device.globalBytes;
    Limits.largestAllocation = device.largestAllocation;
    if (Id)
      open(device);
    else
      Error = "the device is gone";
  }

  const ProbeLimits &limits() const override { return Limits; }
  const std::string &error() const override { return Error; }

  bool hasKernel(const std::string &name) const override {
    return Kernels.count(name) != 0;
  }

  ProbeBuffer allocate(std::size_t bytes) override {
    if (!Error.empty())
      return {};
    cl_int status = CL_SUCCESS;
    OwnedMemory memory(clCreateBuffer(Context.get(), CL_MEM_READ_WRITE, bytes,
                                      nullptr, &status));
    const cl_uchar zero = 0;
    if (failed(status, "clCreateBuffer") ||
        failed(clEnqueueFillBuffer(Queue.get(), memory.get(), &zero,
                                   sizeof(zero), 0, bytes, 0, nullptr, nullptr),
               "clEnqueueFillBuffer") ||
        failed(clFinish(Queue.get()), "clFinish"))
      return {};
    Memory.push_back(std::move(memory));
    return {Memory.size()};
  }

  void release(ProbeBuffer buffer) override {
    if (buffer.number != 0)
      Memory[buffer.number - 1].reset();
  }

  void upload(ProbeBuffer buffer,
              const std::vector<std::int32_t> &data) override {
    if (Error.empty())
      failed(clEnqueueWriteBuffer(Queue.get(), memoryOf(buffer), CL_TRUE, 0,
                                  data.size() * sizeof(data.front()),
                                  data.data(), 0, nullptr, nullptr),
             "clEnqueueWriteBuffer");
  }

  double launch(const ProbeLaunch &launch, unsigned times) override {
    cl_kernel kernel = kernelWithArguments(launch);
    if (!kernel)
      return 0;
    const std::size_t items = launch.groups * launch.groupSize;
    return timed("launch of " + launch.kernel, times, [&](cl_event *event) {
      return clEnqueueNDRangeKernel(Queue.get(), kernel, 1, nullptr, &items,
                                    &launch.groupSize, 0, nullptr, event);
    });
  }

  double queue(const ProbeLaunch &launch, unsigned times) override {
    cl_kernel kernel = kernelWithArguments(launch);
    if (!kernel)
      return 0;
    const std::size_t items = launch.groups * launch.groupSize;
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    for (unsigned i = 0; i < times; ++i)
      if (failed(clEnqueueNDRangeKernel(PlainQueue.get(), kernel, 1, nullptr,
                                        &items, &launch.groupSize, 0, nullptr,
                                        nullptr),
                 "launch of " + launch.kernel))
        return 0;
    if (failed(clFinish(PlainQueue.get()), launch.kernel))
      return 0;
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  double copy(ProbeBuffer from, ProbeBuffer to, std::size_t bytes,
              unsigned times) override {
    if (!Error.empty())
      return 0;
    return timed("clEnqueueCopyBuffer", times, [&](cl_event *event) {
      return clEnqueueCopyBuffer(Queue.get(), memoryOf(from), memoryOf(to), 0,
                                 0, bytes, 0, nullptr, event);
    });
  }

  double transfer(TransferPath path, ProbeBuffer buffer,
                  std::size_t bytes) override {
    const bool isPinned = path == TransferPath::ToDevicePinned ||
                          path == TransferPath::ToHostPinned;
    const bool isToDevice = path == TransferPath::ToDevicePageable ||
                            path == TransferPath::ToDevicePinned;
    void *host = isPinned ? pinned(bytes) : pageable(bytes);
    if (!Error.empty())
      return 0;
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const cl_int status =
        isToDevice
            ? clEnqueueWriteBuffer(Queue.get(), memoryOf(buffer), CL_TRUE, 0,
                                   bytes, host, 0, nullptr, nullptr)
            : clEnqueueReadBuffer(Queue.get(), memoryOf(buffer), CL_TRUE, 0,
                                  bytes, host, 0, nullptr, nullptr);
    const std::chrono::duration<double> seconds = Clock::now() - start;
    return failed(status, "transfer") ? 0 : seconds.count();
  }

private:
  /// Checks whether a call failed, and keeps the first failure.
  bool failed(cl_int status, const std::string &what) {
    if (status == CL_SUCCESS)
      return false;
    if (Error.empty())
      Error = what + " failed with OpenCL's error " + std::to_string(status);
    return true;
  }

  void open(const ComputeDevice &device) {
    cl_int status = CL_SUCCESS;
    Context.reset(clCreateContext(nullptr, 1, &Id, nullptr, nullptr, &status));
    if (failed(status, "clCreateContext"))
      return;
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                              CL_QUEUE_PROFILING_ENABLE, 0};
    Queue.reset(clCreateCommandQueueWithProperties(Context.get(), Id,
                                                   properties, &status));
    if (failed(status, "clCreateCommandQueueWithProperties"))
      return;
    PlainQueue.reset(clCreateCommandQueueWithProperties(Context.get(), Id,
                                                        nullptr, &status));
    if (failed(status, "clCreateCommandQueueWithProperties"))
      return;
    const std::string text = embeddedText("bench/roofline/kernels/OpenCl.cl") +
                             embeddedText("bench/roofline/kernels/Probes.cl");
    const char *source = text.c_str();
    Program.reset(
        clCreateProgramWithSource(Context.get(), 1, &source, nullptr, &status));
    if (failed(status, "clCreateProgramWithSource"))
      return;
    std::string options = "-cl-std=CL1.2 -DVECTOR=";
    options += Limits.isCpu ? "float16" : "float4";
    options += device.hasDouble ? " -DHAS_DOUBLE" : "";
    options += device.hasHalf ? " -DHAS_HALF" : "";
    status = clBuildProgram(Program.get(), 1, &Id, options.c_str(), nullptr,
                            nullptr);
    if (failed(status, "clBuildProgram")) {
      Error += "\n" + buildLog();
      return;
    }
    cl_uint count = 0;
    if (failed(clCreateKernelsInProgram(Program.get(), 0, nullptr, &count),
               "clCreateKernelsInProgram"))
      return;
    std::vector<cl_kernel> kernels(count);
    if (failed(clCreateKernelsInProgram(Program.get(), count, kernels.data(),
                                        nullptr),
               "clCreateKernelsInProgram"))
      return;
    for (cl_kernel kernel : kernels)
      Kernels[nameOf(kernel)].reset(kernel);
  }

  static std::string nameOf(cl_kernel kernel) {
    std::size_t size = 0;
    clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 0, nullptr, &size);
    std::string name(size, '\0');
    clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, size, name.data(),
                    nullptr);
    return name.c_str();
  }

  std::string buildLog() const {
    std::size_t size = 0;
    clGetProgramBuildInfo(Program.get(), Id, CL_PROGRAM_BUILD_LOG, 0, nullptr,
                          &size);
    std::string log(size, '\0');
    clGetProgramBuildInfo(Program.get(), Id, CL_PROGRAM_BUILD_LOG, size,
                          log.data(), nullptr);
    return log.c_str();
  }

  cl_mem memoryOf(ProbeBuffer buffer) const {
    return buffer.number == 0 ? nullptr : Memory[buffer.number - 1].get();
  }

  /// Returns the kernel with its arguments set; null if that fails.
  cl_kernel kernelWithArguments(const ProbeLaunch &launch) {
    const auto found = Kernels.find(launch.kernel);
    if (Error.empty() && found == Kernels.end())
      Error = "there is no kernel '" + launch.kernel + "'";
    if (!Error.empty())
      return nullptr;
    cl_kernel kernel = found->second.get();
    for (std::size_t i = 0; i < launch.arguments.size(); ++i)
      if (failed(setArgument(kernel, cl_uint(i), launch.arguments[i]),
                 "clSetKernelArg of " + launch.kernel))
        return nullptr;
    return kernel;
  }

  cl_int setArgument(cl_kernel kernel, cl_uint index,
                     const ProbeArgument &argument) const {
    if (const auto *buffer = std::get_if<ProbeBuffer>(&argument)) {
      cl_mem memory = memoryOf(*buffer);
      return clSetKernelArg(kernel, index, sizeof(cl_mem),
                            static_cast<const void *>(&memory));
    }
    if (const auto *number = std::get_if<std::int32_t>(&argument))
      return clSetKernelArg(kernel, index, sizeof(*number), number);
    const float number = std::get<float>(argument);
    return clSetKernelArg(kernel, index, sizeof(number), &number);
  }

  /// Enqueues so many times; returns the seconds from the first start to the
  /// last end.
  template <typename Enqueue>
  double timed(const std::string &what, unsigned times, Enqueue enqueue) {
    OwnedEvent first, last;
    for (unsigned i = 0; i < times; ++i) {
      cl_event event = nullptr;
      if (failed(enqueue(&event), what))
        return 0;
      (i == 0 ? first : last).reset(event);
    }
    return finish(first.get(), last ? last.get() : first.get(), what);
  }

  /// Waits for all; returns the seconds from the start of one to the end of the
  /// other.
  double finish(cl_event first, cl_event last, const std::string &what) {
    cl_ulong start = 0, end = 0;
    if (failed(clFinish(Queue.get()), what) ||
        failed(clGetEventProfilingInfo(first, CL_PROFILING_COMMAND_START,
                                       sizeof(start), &start, nullptr),
               "clGetEventProfilingInfo") ||
        failed(clGetEventProfilingInfo(last, CL_PROFILING_COMMAND_END,
                                       sizeof(end), &end, nullptr),
               "clGetEventProfilingInfo"))
      return 0;
    constexpr double Nano = 1e-9;
    return end > start ? Nano * double(end - start) : 0;
  }

  void *pageable(std::size_t bytes) {
    if (Pageable.size() < bytes)
      Pageable.resize(bytes);
    return Pageable.data();
  }

  /// Returns memory of the host that the driver allocated, and so can pin.
  void *pinned(std::size_t bytes) {
    if (PinnedBytes >= bytes || !Error.empty())
      return Pinned;
    cl_int status = CL_SUCCESS;
    PinnedMemory.reset(clCreateBuffer(Context.get(),
                                      CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                                      bytes, nullptr, &status));
    if (failed(status, "clCreateBuffer"))
      return nullptr;
    Pinned = clEnqueueMapBuffer(Queue.get(), PinnedMemory.get(), CL_TRUE,
                                CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0,
                                nullptr, nullptr, &status);
    failed(status, "clEnqueueMapBuffer");
    PinnedBytes = bytes;
    return Pinned;
  }

  cl_device_id Id;
  ProbeLimits Limits;
  std::string Error;
  OwnedContext Context;
  OwnedQueue Queue, PlainQueue; ///< one records times
  OwnedProgram Program;
  std::map<std::string, OwnedKernel> Kernels;
  std::vector<OwnedMemory> Memory;
  std::vector<char> Pageable;
  OwnedMemory PinnedMemory;
  void *Pinned = nullptr;
  std::size_t PinnedBytes = 0;
};

std::uint32_t queried(cl_device_id id, cl_device_info key) {
  cl_uint number = 0;
  return clGetDeviceInfo(id, key, sizeof(number), &number, nullptr) ==
                 CL_SUCCESS
             ? number
             : 0;
}

} // namespace

std::unique_ptr<ProbeDevice> openClProbeDevice(const ComputeDevice &device) {
  return std::make_unique<OpenClProbeDevice>(device);
}

DriverLimits openClLimits(const ComputeDevice &device) {
  DriverLimits limits;
  cl_device_id id = idOf(device);
  if (!id)
    return limits;
  limits.lineBytes = queried(id, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE);
  limits.computeCapability =
      10 * queried(id, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV) +
      queried(id, CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV);
  limits.vectorFloats = queried(id, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT);
  limits.vectorDoubles = queried(id, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE);
  constexpr std::uint32_t Kilo = 1000;
  limits.clockKilohertz = Kilo * device.clockMegahertz;
  return limits;
}

} // namespace kfuse
