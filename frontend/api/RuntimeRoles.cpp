//===- RuntimeRoles.cpp - What runtime functions are for ------------------===//

#include "frontend/api/RuntimeRoles.h"

#include <array>
#include <cctype>
#include <unordered_map>

namespace kfuse {

namespace {

using Role = RuntimeCall::Role;

RuntimeCall simple(StepKind kind) { return {Role::Simple, kind}; }
RuntimeCall allocate(int pointer, int bytes) {
  return {Role::Allocate, StepKind::Allocate, pointer, -1, bytes, -1};
}
RuntimeCall managed(int pointer, int bytes) {
  return {Role::AllocateManaged, StepKind::Allocate, pointer, -1, bytes, -1};
}
RuntimeCall copy(int target, int source, int direction) {
  return {Role::Copy, StepKind::CopyOnDevice, target, source, -1, direction};
}

const std::unordered_map<std::string_view, RuntimeCall> &table() {
  static const RuntimeCall freeCall{Role::Free, StepKind::Free, 0};
  static const RuntimeCall set{Role::Set, StepKind::Set, 0};
  static const RuntimeCall toSymbol{
      Role::CopyToSymbol, StepKind::CopyToDevice, 0, 1, -1, 4};
  static const RuntimeCall fromSymbol{
      Role::CopyFromSymbol, StepKind::CopyToHost, 0, 1, -1, 4};
  static const RuntimeCall wait = simple(StepKind::Synchronize);
  static const RuntimeCall timing = simple(StepKind::Timing);
  static const RuntimeCall check = simple(StepKind::ErrorCheck);
  static const std::unordered_map<std::string_view, RuntimeCall> calls = {
      {"cudaMalloc", allocate(0, 1)},
      {"cudaMallocAsync", allocate(0, 1)},
      {"cudaMallocFromPoolAsync", allocate(0, 1)},
      {"cudaMallocPitch", allocate(0, -1)},
      {"cudaMallocManaged", managed(0, 1)},
      {"cudaMallocHost", managed(0, 1)},
      {"cudaHostAlloc", managed(0, 1)},
      {"cudaFree", freeCall},
      {"cudaFreeAsync", freeCall},
      {"cudaFreeHost", freeCall},
      {"cudaMemset", set},
      {"cudaMemsetAsync", set},
      {"cudaMemset2D", set},
      {"cudaMemset2DAsync", set},
      {"cudaMemcpy", copy(0, 1, 3)},
      {"cudaMemcpyAsync", copy(0, 1, 3)},
      {MoveCall, {Role::Move, StepKind::CopyOnDevice, 0, 1}},
      {"cudaMemcpy2D", copy(0, 2, 6)},
      {"cudaMemcpy2DAsync", copy(0, 2, 6)},
      {"cudaMemcpyToSymbol", toSymbol},
      {"cudaMemcpyToSymbolAsync", toSymbol},
      {"cudaMemcpyFromSymbol", fromSymbol},
      {"cudaMemcpyFromSymbolAsync", fromSymbol},
      {"cudaGetSymbolAddress", {Role::SymbolAddress, StepKind::Plain, 0, 1}},
      {"cudaHostGetDevicePointer",
       {Role::MappedAddress, StepKind::Plain, 0, 1}},
      {"cudaDeviceSynchronize", wait},
      {"cudaThreadSynchronize", wait},
      {"cudaStreamSynchronize", wait},
      {"cudaEventSynchronize", wait},
      {"cudaEventRecord", timing},
      {"cudaEventRecordWithFlags", timing},
      {"cudaEventElapsedTime", timing},
      {"cudaEventQuery", timing},
      {"cudaStreamQuery", timing},
      {"cudaProfilerStart", timing},
      {"cudaProfilerStop", timing},
      {"cudaGetLastError", check},
      {"cudaPeekAtLastError", check},
      {"cudaGetErrorString", check},
      {"cudaGetErrorName", check},
      {"clCreateBuffer", {Role::CreateBuffer, StepKind::Allocate, -1, -1, 2}},
      {"clReleaseMemObject", freeCall},
      {"clCreateKernel", {Role::CreateKernel, StepKind::Plain}},
      {"clReleaseKernel", {Role::ReleaseKernel, StepKind::Plain}},
      {"clSetKernelArg", {Role::SetArgument, StepKind::Plain}},
      {"clEnqueueNDRangeKernel", {Role::Enqueue, StepKind::Launch}},
      {"clEnqueueReadBuffer", {Role::ReadBuffer, StepKind::CopyToHost, -1, 1}},
      {"clEnqueueWriteBuffer",
       {Role::WriteBuffer, StepKind::CopyToDevice, 1, -1}},
      {"clEnqueueCopyBuffer", {Role::CopyBuffer, StepKind::CopyOnDevice, 2, 1}},
      {"clEnqueueFillBuffer", {Role::Set, StepKind::Set, 1}},
      {"clFinish", wait},
      {"clFlush", wait},
      {"clWaitForEvents", wait},
      {"clGetEventProfilingInfo", timing},
      {"cl::Buffer::Buffer", {Role::CreateBuffer, StepKind::Allocate}},
      {"cl::Kernel::Kernel", {Role::CreateKernel, StepKind::Plain}},
      {"cl::KernelFunctor::KernelFunctor",
       {Role::CreateKernel, StepKind::Plain}},
      {"cl::make_kernel::make_kernel", {Role::CreateKernel, StepKind::Plain}},
      {"cl::Kernel::setArg", {Role::SetArgument, StepKind::Plain}},
      {"cl::CommandQueue::enqueueNDRangeKernel",
       {Role::Enqueue, StepKind::Launch}},
      {"cl::KernelFunctor::operator()", {Role::Enqueue, StepKind::Launch}},
      {"cl::make_kernel::operator()", {Role::Enqueue, StepKind::Launch}},
      {"cl::CommandQueue::enqueueReadBuffer",
       {Role::ReadBuffer, StepKind::CopyToHost, -1, 0}},
      {"cl::fromBuffer::copy", {Role::ReadBuffer, StepKind::CopyToHost, -1, 1}},
      {"cl::CommandQueue::enqueueWriteBuffer",
       {Role::WriteBuffer, StepKind::CopyToDevice, 0, -1}},
      {"cl::toBuffer::copy", {Role::WriteBuffer, StepKind::CopyToDevice, 3}},
      {"cl::CommandQueue::enqueueCopyBuffer",
       {Role::CopyBuffer, StepKind::CopyOnDevice, 1, 0}},
      {"cl::CommandQueue::enqueueFillBuffer", {Role::Set, StepKind::Set, 0}},
      {"cl::CommandQueue::finish", wait},
      {"cl::CommandQueue::flush", wait},
      {"cl::Event::wait", wait},
      {"cl::Event::getProfilingInfo", timing},
      {"cl::Error::what", check},
      {"cl::Error::err", check},
  };
  return calls;
}

/// They read or change the machine's settings and no memory of the program.
constexpr std::array<std::string_view, 30> HarmlessCalls = {
    "cudaEventCreate",
    "cudaEventCreateWithFlags",
    "cudaEventDestroy",
    "cudaStreamCreate",
    "cudaStreamCreateWithFlags",
    "cudaStreamCreateWithPriority",
    "cudaStreamDestroy",
    "cudaGetDevice",
    "cudaGetDeviceCount",
    "cudaGetDeviceProperties",
    "cudaGetDeviceProperties_v2",
    "cudaDeviceGetAttribute",
    "cudaDeviceGetLimit",
    "cudaDeviceSetLimit",
    "cudaDeviceGetCacheConfig",
    "cudaDeviceSetCacheConfig",
    "cudaDeviceSetSharedMemConfig",
    "cudaDeviceGetStreamPriorityRange",
    "cudaThreadSetCacheConfig",
    "cudaFuncSetCacheConfig",
    "cudaFuncSetSharedMemConfig",
    "cudaFuncGetAttributes",
    "cudaFuncSetAttribute",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
    "cudaOccupancyMaxPotentialBlockSize",
    "cudaDriverGetVersion",
    "cudaRuntimeGetVersion",
    "cudaMemGetInfo",
    "cudaMemPrefetchAsync",
    "cudaMemAdvise",
};

/// The same for OpenCL.
constexpr std::array<std::string_view, 30> HarmlessOpenCl = {
    "clGetPlatformIDs",
    "clGetPlatformInfo",
    "clGetDeviceIDs",
    "clGetDeviceInfo",
    "clCreateContext",
    "clCreateContextFromType",
    "clGetContextInfo",
    "clReleaseContext",
    "clReleaseDevice",
    "clCreateCommandQueue",
    "clCreateCommandQueueWithProperties",
    "clGetCommandQueueInfo",
    "clReleaseCommandQueue",
    "clCreateProgramWithSource",
    "clBuildProgram",
    "clGetProgramInfo",
    "clGetProgramBuildInfo",
    "clReleaseProgram",
    "clGetKernelInfo",
    "clGetKernelWorkGroupInfo",
    "clGetMemObjectInfo",
    "clGetEventInfo",
    "clReleaseEvent",
    "clUnloadPlatformCompiler",
    "clRetainContext",
    "clRetainCommandQueue",
    "clRetainProgram",
    "clRetainKernel",
    "clEnqueueBarrierWithWaitList",
    "clEnqueueMarkerWithWaitList",
};

/// The same for OpenCL's classes.
constexpr auto HarmlessClasses = std::to_array<std::string_view>({
    "cl::Error::Error",
    "cl::Device::Device",
    "cl::Device::getInfo",
    "cl::Platform::Platform",
    "cl::Platform::get",
    "cl::Platform::getInfo",
    "cl::Platform::getDevices",
    "cl::Context::Context",
    "cl::Context::getInfo",
    "cl::CommandQueue::CommandQueue",
    "cl::CommandQueue::getInfo",
    "cl::Program::Program",
    "cl::Program::build",
    "cl::Program::getBuildInfo",
    "cl::Kernel::getInfo",
    "cl::Kernel::getWorkGroupInfo",
    "cl::NDRange::NDRange",
    "cl::NDRange::dimensions",
    "cl::EnqueueArgs::EnqueueArgs",
    "cl::Local",
});

} // namespace

std::optional<RuntimeCall> runtimeCall(std::string_view name) {
  auto known = table().find(name);
  if (known != table().end())
    return known->second;
  for (std::string_view harmless : HarmlessCalls)
    if (name == harmless)
      return simple(StepKind::Plain);
  for (std::string_view harmless : HarmlessOpenCl)
    if (name == harmless)
      return simple(StepKind::Plain);
  for (std::string_view harmless : HarmlessClasses)
    if (name == harmless)
      return simple(StepKind::Plain);
  if (name.starts_with("cl::"))
    return RuntimeCall{};
  if (name.size() > 2 && name.starts_with("cl") &&
      std::isupper(static_cast<unsigned char>(name[2])))
    return RuntimeCall{};
  // Functions of the driver and the libraries: cuInit, cublasSgemm,
  // cufftExecC2C.
  bool isDriver = name.size() > 2 && name.starts_with("cu") &&
                  std::isupper(static_cast<unsigned char>(name[2]));
  for (std::string_view prefix :
       {"cuda", "__cuda", "cublas", "cufft", "curand", "cusparse", "cusolver",
        "cudnn", "nccl", "npp", "nvrtc"})
    if (isDriver || name.starts_with(prefix))
      return RuntimeCall{};
  return std::nullopt;
}

} // namespace kfuse
