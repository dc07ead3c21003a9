//===- kfuse_cpu/Allocate.h - cudaMalloc, cudaFree and their relatives ----===//
//
// The allocating functions are macros because the trace needs the text of their
// argument.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CPU_ALLOCATE_H
#define KFUSE_CPU_ALLOCATE_H

#include "kfuse_cpu/Buffers.h"
#include "kfuse_cpu/Errors.h"
#include "kfuse_cpu/MemoryTypes.h"
#include "kfuse_cpu/Streams.h"

#include <string_view>
#include <type_traits>

namespace kfuse_cpu {

inline constexpr std::size_t PitchAlignment = 512;

/// Holds the text of an allocation's arguments and the name of the enclosing
/// function.
struct Site {
  // The constructor is implicit, so that `function` is the caller's.
  Site(const char *text, const char *function = __builtin_FUNCTION())
      : text(text), function(function) {}
  const char *text, *function;
};

template <class T>
cudaError_t allocate(const Site &site, T **pointer, std::size_t size,
                     MemoryKind kind) {
  if (!pointer)
    return result(cudaErrorInvalidValue);
  *pointer = nullptr;
  if (size == 0)
    return cudaSuccess;
  *pointer =
      static_cast<T *>(memory().allocate(site.function, site.text, size, kind));
  return succeededIf(*pointer, cudaErrorMemoryAllocation);
}

template <class T>
cudaError_t mallocDevice(const Site &site, T **pointer, std::size_t size) {
  return allocate(site, pointer, size, MemoryKind::Device);
}
template <class T>
cudaError_t mallocAsync(const Site &site, T **pointer, std::size_t size,
                        cudaStream_t) {
  return allocate(site, pointer, size, MemoryKind::Device);
}
template <class T>
cudaError_t mallocManaged(const Site &site, T **pointer, std::size_t size,
                          unsigned = cudaMemAttachGlobal) {
  return allocate(site, pointer, size, MemoryKind::Managed);
}
template <class T>
cudaError_t mallocHost(const Site &site, T **pointer, std::size_t size,
                       unsigned = 0) {
  return allocate(site, pointer, size, MemoryKind::Host);
}

inline std::size_t pitchOf(std::size_t width) {
  return (width + PitchAlignment - 1) / PitchAlignment * PitchAlignment;
}

template <class T>
cudaError_t mallocPitch(const Site &site, T **pointer, std::size_t *pitch,
                        std::size_t width, std::size_t height) {
  if (!pitch)
    return result(cudaErrorInvalidValue);
  *pitch = pitchOf(width);
  return allocate(site, pointer, *pitch * height, MemoryKind::Device);
}
inline cudaError_t malloc3D(const Site &site, cudaPitchedPtr *pointer,
                            cudaExtent extent) {
  if (!pointer)
    return result(cudaErrorInvalidValue);
  *pointer = {nullptr, pitchOf(extent.width), extent.width, extent.height};
  return allocate(site, &pointer->ptr,
                  pointer->pitch * extent.height * extent.depth,
                  MemoryKind::Device);
}

} // namespace kfuse_cpu

// These are the functions themselves, for uses other than plain calls.
template <class T> cudaError_t cudaMalloc(T **pointer, size_t size) {
  return kfuse_cpu::mallocDevice("?", pointer, size);
}
template <class T>
cudaError_t cudaMallocManaged(T **pointer, size_t size,
                              unsigned flags = cudaMemAttachGlobal) {
  return kfuse_cpu::mallocManaged("?", pointer, size, flags);
}
template <class T> cudaError_t cudaMallocHost(T **pointer, size_t size) {
  return kfuse_cpu::mallocHost("?", pointer, size);
}

#define cudaMalloc(...)                                                        \
  kfuse_cpu::mallocDevice(KFUSE_CPU_TEXT(__VA_ARGS__), __VA_ARGS__)
#define cudaMallocAsync(...)                                                   \
  kfuse_cpu::mallocAsync(KFUSE_CPU_TEXT(__VA_ARGS__), __VA_ARGS__)
#define cudaMallocManaged(...)                                                 \
  kfuse_cpu::mallocManaged(KFUSE_CPU_TEXT(__VA_ARGS__), __VA_ARGS__)
#define cudaMallocHost(...)                                                    \
  kfuse_cpu::mallocHost(KFUSE_CPU_TEXT(__VA_ARGS__), __VA_ARGS__)
#define cudaHostAlloc(...)                                                     \
  kfuse_cpu::mallocHost(KFUSE_CPU_TEXT(__VA_ARGS__), __VA_ARGS__)
#define cudaMallocPitch(...)                                                   \
  kfuse_cpu::mallocPitch(KFUSE_CPU_TEXT(__VA_ARGS__), __VA_ARGS__)
#define cudaMalloc3D(...)                                                      \
  kfuse_cpu::malloc3D(KFUSE_CPU_TEXT(__VA_ARGS__), __VA_ARGS__)

inline cudaError_t cudaFree(void *pointer) {
  return kfuse_cpu::succeededIf(!pointer ||
                                kfuse_cpu::memory().release(pointer, false));
}
inline cudaError_t cudaFreeAsync(void *pointer, cudaStream_t) {
  return cudaFree(pointer);
}
inline cudaError_t cudaFreeHost(void *pointer) {
  return kfuse_cpu::succeededIf(!pointer ||
                                kfuse_cpu::memory().release(pointer, true));
}

inline cudaError_t cudaHostRegister(void *, size_t, unsigned) {
  return cudaSuccess;
}
inline cudaError_t cudaHostUnregister(void *) { return cudaSuccess; }
template <class T>
cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned) {
  *device = static_cast<T *>(host);
  return cudaSuccess;
}
inline cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
  *free = size_t(8) << 30;
  *total = size_t(16) << 30;
  return cudaSuccess;
}
inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes,
                                            const void *pointer) {
  void *address = const_cast<void *>(pointer);
  *attributes = {cudaMemoryTypeUnregistered, 0, nullptr, address};
  if (const kfuse_cpu::Buffer *buffer = kfuse_cpu::memory().find(pointer)) {
    attributes->devicePointer = address;
    switch (buffer->kind) {
    case kfuse_cpu::MemoryKind::Host:
      attributes->type = cudaMemoryTypeHost;
      break;
    case kfuse_cpu::MemoryKind::Managed:
      attributes->type = cudaMemoryTypeManaged;
      break;
    case kfuse_cpu::MemoryKind::Device:
    case kfuse_cpu::MemoryKind::Symbol:
      attributes->type = cudaMemoryTypeDevice;
      attributes->hostPointer = nullptr;
      break;
    }
  }
  return cudaSuccess;
}

enum cudaGetDriverEntryPointFlags {
  cudaEnableDefault = 0,
  cudaEnableLegacyStream = 1,
  cudaEnablePerThreadDefaultStream = 2
};
enum cudaDriverEntryPointQueryResult {
  cudaDriverEntryPointSuccess = 0,
  cudaDriverEntryPointSymbolNotFound = 1,
  cudaDriverEntryPointVersionNotSufficent = 2
};

namespace kfuse_cpu {

/// The driver's cuPointerGetAttribute, for the range of an allocation.
inline int pointerAttribute(void *value, int attribute,
                            unsigned long long pointer) {
  constexpr int RangeStart = 11, RangeSize = 12;
  constexpr int InvalidValue = 1;
  char *first = nullptr;
  const Buffer *buffer =
      memory().find(reinterpret_cast<const void *>(pointer), &first);
  if (!buffer || (attribute != RangeStart && attribute != RangeSize))
    return InvalidValue;
  *static_cast<unsigned long long *>(value) =
      attribute == RangeStart ? reinterpret_cast<unsigned long long>(first)
                              : buffer->size;
  return 0;
}

} // namespace kfuse_cpu

/// Finds the only function of the driver that there is.
inline cudaError_t
cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long,
                        cudaDriverEntryPointQueryResult *result = nullptr) {
  const bool isKnown = std::string_view(symbol) == "cuPointerGetAttribute";
  *function = isKnown ? reinterpret_cast<void *>(&kfuse_cpu::pointerAttribute)
                      : nullptr;
  if (result)
    *result = isKnown ? cudaDriverEntryPointSuccess
                      : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}
inline cudaError_t cudaGetDriverEntryPointByVersion(
    const char *symbol, void **function, unsigned, unsigned long long flags,
    cudaDriverEntryPointQueryResult *result = nullptr) {
  return cudaGetDriverEntryPoint(symbol, function, flags, result);
}

inline cudaError_t cudaMemPrefetchAsync(const void *, size_t, int,
                                        cudaStream_t = nullptr) {
  return cudaSuccess;
}
inline cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, int) {
  return cudaSuccess;
}
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void *, size_t = 0,
                                            unsigned = 0) {
  return cudaSuccess;
}

#endif
