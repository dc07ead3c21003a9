//===- LaunchArguments.h - What a CUDA kernel was given -------------------===//
//
// Included by both recorders of CUDA's launches. kfuse-bench has this text in
// it, as RecordWriter.h.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_BENCH_COLLECT_CUDA_LAUNCHARGUMENTS_H
#define KFUSE_BENCH_COLLECT_CUDA_LAUNCHARGUMENTS_H

#include "RecordWriter.h"

#include <cuda.h>

#include <dlfcn.h>

#include <cstring>
#include <string>

namespace kfuse {

/// Functions of the driver's, which a program may have in an older version.
struct DriverCalls {
  CUresult (*functionParameter)(CUfunction, std::size_t, std::size_t *,
                                std::size_t *) = nullptr;
  CUresult (*kernelParameter)(CUfunction, std::size_t, std::size_t *,
                              std::size_t *) = nullptr;
  CUresult (*addressRange)(CUdeviceptr *, std::size_t *, CUdeviceptr) = nullptr;
  CUresult (*deviceCount)(int *) = nullptr;
  CUresult (*device)(CUdevice *, int) = nullptr;
  CUresult (*deviceName)(char *, int, CUdevice) = nullptr;
  CUresult (*version)(int *) = nullptr;

  DriverCalls() {
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    const auto find = [library](auto &function, const char *name) {
      if (library)
        *reinterpret_cast<void **>(&function) = dlsym(library, name);
    };
    find(functionParameter, "cuFuncGetParamInfo");
    find(kernelParameter, "cuKernelGetParamInfo");
    find(addressRange, "cuMemGetAddressRange_v2");
    find(deviceCount, "cuDeviceGetCount");
    find(device, "cuDeviceGet");
    find(deviceName, "cuDeviceGetName");
    find(version, "cuDriverGetVersion");
  }
};

inline RecordLine newLine(const char *kind) {
  RecordLine line;
  line.text("kind", kind)
      .text("interface", "cuda")
      .number("process", static_cast<std::uint64_t>(getpid()));
  return line;
}

/// Writes a line for each device, by the driver's numbers.
inline void writeDevices(const DriverCalls &driver, const RecordFile &file) {
  int version = 0, count = 0;
  if (!driver.version || !driver.deviceCount || !driver.device ||
      !driver.deviceName)
    return;
  driver.version(&version);
  if (driver.deviceCount(&count) != CUDA_SUCCESS)
    return;
  for (int i = 0; i < count; ++i) {
    CUdevice device = 0;
    char name[256] = {};
    if (driver.device(&device, i) != CUDA_SUCCESS ||
        driver.deviceName(name, sizeof(name) - 1, device) != CUDA_SUCCESS)
      continue;
    file.write(newLine("device")
                   .number("device", static_cast<std::uint64_t>(i))
                   .text("name", name)
                   .text("driver", "CUDA " + std::to_string(version / 1000) +
                                       "." +
                                       std::to_string(version % 1000 / 10)));
  }
}

/// Returns an argument as JSON, given where it is.
inline std::string argumentText(const DriverCalls &driver, std::size_t index,
                                const void *value, std::size_t size) {
  constexpr std::size_t LargestScalar = 8; // bytes whose value is recorded
  RecordLine text;
  text.number("index", index).number("bytes", size);
  CUdeviceptr address = 0, begin = 0;
  std::size_t bytes = 0;
  if (size == sizeof(address)) {
    std::memcpy(&address, value, sizeof(address));
    // Any other number leads to no memory.
    if (address != 0 && driver.addressRange &&
        driver.addressRange(&begin, &bytes, address) == CUDA_SUCCESS)
      return text.number("array", bytes).object();
  }
  if (size <= LargestScalar)
    text.bytes("raw", value, size);
  return text.object();
}

} // namespace kfuse

#endif
