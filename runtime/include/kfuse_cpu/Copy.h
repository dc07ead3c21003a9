//===- kfuse_cpu/Copy.h - cudaMemcpy, cudaMemset and their relatives ------===//
#ifndef KFUSE_CPU_COPY_H
#define KFUSE_CPU_COPY_H

#include "kfuse_cpu/Allocate.h"

namespace kfuse_cpu {

/// Describes `depth` slices of `height` rows of `width` bytes.
struct Block {
  char *data;
  std::size_t pitch; ///< bytes from row to row
  std::size_t slice; ///< bytes from slice to slice
};

inline bool isDeviceMemory(const void *pointer) {
  const Buffer *buffer = memory().find(pointer);
  return buffer && (buffer->kind == MemoryKind::Device ||
                    buffer->kind == MemoryKind::Symbol);
}

/// Checks whether the range ends inside the buffer that it begins in; true if
/// no buffer is known, as for host memory.
inline bool fits(const void *pointer, std::size_t bytes) {
  char *begin = nullptr;
  const Buffer *buffer = memory().find(pointer, &begin);
  return !buffer || bytes <= std::size_t(begin + buffer->size -
                                         static_cast<const char *>(pointer));
}

inline bool isToHost(cudaMemcpyKind kind, const void *to, const void *from) {
  return kind == cudaMemcpyDeviceToHost ||
         (kind == cudaMemcpyDefault && isDeviceMemory(from) &&
          !isDeviceMemory(to));
}

inline cudaError_t copy(void *to, const void *from, std::size_t bytes,
                        cudaMemcpyKind kind) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return result(cudaErrorInvalidMemcpyDirection);
  if (bytes == 0)
    return cudaSuccess;
  if (!to || !from || !fits(to, bytes) || !fits(from, bytes))
    return result(cudaErrorInvalidValue);
  std::memmove(to, from, bytes);
  recordHostRead(from, bytes);
  recordHostWrite(to, bytes);
  if (memory().tracing() && isToHost(kind, to, from))
    memory().logCopy(from, bytes, memory().digest(to, bytes));
  return cudaSuccess;
}

inline cudaError_t copyBlock(Block to, Block from, cudaExtent extent,
                             cudaMemcpyKind kind) {
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0)
    return cudaSuccess;
  if (!to.data || !from.data)
    return result(cudaErrorInvalidValue);
  if (extent.height > 1 &&
      (extent.width > to.pitch || extent.width > from.pitch))
    return result(cudaErrorInvalidPitchValue);
  auto last = [&](const Block &block) {
    return (extent.depth - 1) * block.slice +
           (extent.height - 1) * block.pitch + extent.width;
  };
  if (!fits(to.data, last(to)) || !fits(from.data, last(from)))
    return result(cudaErrorInvalidValue);
  bool traced = memory().tracing() && isToHost(kind, to.data, from.data);
  std::uint64_t digest = 0;
  for (std::size_t z = 0; z < extent.depth; ++z)
    for (std::size_t y = 0; y < extent.height; ++y) {
      char *row = to.data + z * to.slice + y * to.pitch;
      const char *source = from.data + z * from.slice + y * from.pitch;
      std::memmove(row, source, extent.width);
      recordHostRead(source, extent.width);
      recordHostWrite(row, extent.width);
      if (traced)
        digest = memory().digest(row, extent.width, digest);
    }
  if (traced)
    memory().logCopy(from.data, extent.width * extent.height * extent.depth,
                     digest);
  return cudaSuccess;
}

inline Block asBlock(const void *data, std::size_t pitch,
                     std::size_t slice = 0) {
  return {static_cast<char *>(const_cast<void *>(data)), pitch, slice};
}

inline Block asBlock(const cudaPitchedPtr &pointer, const cudaPos &position) {
  std::size_t slice = pointer.pitch * pointer.ysize;
  char *data = static_cast<char *>(pointer.ptr);
  if (data)
    data += position.z * slice + position.y * pointer.pitch + position.x;
  return {data, pointer.pitch, slice};
}

} // namespace kfuse_cpu

inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
                              cudaMemcpyKind kind) {
  return kfuse_cpu::copy(to, from, bytes, kind);
}
inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                   cudaMemcpyKind kind,
                                   cudaStream_t = nullptr) {
  return kfuse_cpu::copy(to, from, bytes, kind);
}
inline cudaError_t cudaMemcpyPeer(void *to, int, const void *from, int,
                                  size_t bytes) {
  return kfuse_cpu::copy(to, from, bytes, cudaMemcpyDeviceToDevice);
}
inline cudaError_t cudaMemcpyPeerAsync(void *to, int, const void *from, int,
                                       size_t bytes, cudaStream_t = nullptr) {
  return kfuse_cpu::copy(to, from, bytes, cudaMemcpyDeviceToDevice);
}
inline cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from,
                                size_t fromPitch, size_t width, size_t height,
                                cudaMemcpyKind kind) {
  return kfuse_cpu::copyBlock(kfuse_cpu::asBlock(to, toPitch),
                              kfuse_cpu::asBlock(from, fromPitch),
                              {width, height, 1}, kind);
}
inline cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from,
                                     size_t fromPitch, size_t width,
                                     size_t height, cudaMemcpyKind kind,
                                     cudaStream_t = nullptr) {
  return cudaMemcpy2D(to, toPitch, from, fromPitch, width, height, kind);
}
inline cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *copy) {
  if (!copy || copy->srcArray || copy->dstArray)
    return kfuse_cpu::result(cudaErrorInvalidValue);
  return kfuse_cpu::copyBlock(kfuse_cpu::asBlock(copy->dstPtr, copy->dstPos),
                              kfuse_cpu::asBlock(copy->srcPtr, copy->srcPos),
                              copy->extent, copy->kind);
}
inline cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *copy,
                                     cudaStream_t = nullptr) {
  return cudaMemcpy3D(copy);
}

inline cudaError_t cudaMemset(void *to, int value, size_t bytes) {
  if (bytes == 0)
    return cudaSuccess;
  if (!to || !kfuse_cpu::fits(to, bytes))
    return kfuse_cpu::result(cudaErrorInvalidValue);
  std::memset(to, value, bytes);
  kfuse_cpu::recordHostWrite(to, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes,
                                   cudaStream_t = nullptr) {
  return cudaMemset(to, value, bytes);
}
inline cudaError_t cudaMemset3D(cudaPitchedPtr to, int value,
                                cudaExtent extent) {
  kfuse_cpu::Block block = kfuse_cpu::asBlock(to, {0, 0, 0});
  for (size_t z = 0; z < extent.depth; ++z)
    for (size_t y = 0; y < extent.height; ++y)
      if (cudaError_t error =
              cudaMemset(block.data + z * block.slice + y * block.pitch, value,
                         extent.width))
        return error;
  return cudaSuccess;
}
inline cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width,
                                size_t height) {
  return cudaMemset3D({to, pitch, width, height}, value, {width, height, 1});
}
inline cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value,
                                     size_t width, size_t height,
                                     cudaStream_t = nullptr) {
  return cudaMemset2D(to, pitch, value, width, height);
}
inline cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value,
                                     cudaExtent extent,
                                     cudaStream_t = nullptr) {
  return cudaMemset3D(to, value, extent);
}

// The functions for device variables are macros, because the trace needs the
// variable's name.

namespace kfuse_cpu {

template <class T> char *symbolAddress(const char *text, const T &symbol) {
  memory().addSymbol(&symbol, sizeof(T), text);
  return reinterpret_cast<char *>(const_cast<std::remove_cv_t<T> *>(&symbol));
}

template <class T>
cudaError_t copyToSymbol(const char *text, const T &symbol, const void *from,
                         std::size_t bytes, std::size_t offset = 0,
                         cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                         cudaStream_t = nullptr) {
  return copy(symbolAddress(text, symbol) + offset, from, bytes, kind);
}
/// Returns the text of a call's second argument, which is the symbol.
inline const char *afterComma(const char *text) {
  int depth = 0;
  for (; *text; ++text) {
    depth += *text == '(' || *text == '[' || *text == '<';
    depth -= *text == ')' || *text == ']' || *text == '>';
    if (*text == ',' && depth <= 0)
      return text + 1;
  }
  return text;
}
template <class T>
cudaError_t copyFromSymbol(const char *text, void *to, const T &symbol,
                           std::size_t bytes, std::size_t offset = 0,
                           cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                           cudaStream_t = nullptr) {
  return copy(to, symbolAddress(afterComma(text), symbol) + offset, bytes,
              kind);
}
template <class P, class T>
cudaError_t getSymbolAddress(const char *text, P **pointer, const T &symbol) {
  *pointer = reinterpret_cast<P *>(symbolAddress(afterComma(text), symbol));
  return cudaSuccess;
}

} // namespace kfuse_cpu

#define cudaMemcpyToSymbol(...)                                                \
  kfuse_cpu::copyToSymbol(KFUSE_CPU_TEXT(__VA_ARGS__), __VA_ARGS__)
#define cudaMemcpyToSymbolAsync(...)                                           \
  kfuse_cpu::copyToSymbol(KFUSE_CPU_TEXT(__VA_ARGS__), __VA_ARGS__)
#define cudaMemcpyFromSymbol(...)                                              \
  kfuse_cpu::copyFromSymbol(KFUSE_CPU_TEXT(__VA_ARGS__), __VA_ARGS__)
#define cudaMemcpyFromSymbolAsync(...)                                         \
  kfuse_cpu::copyFromSymbol(KFUSE_CPU_TEXT(__VA_ARGS__), __VA_ARGS__)
#define cudaGetSymbolAddress(...)                                              \
  kfuse_cpu::getSymbolAddress(KFUSE_CPU_TEXT(__VA_ARGS__), __VA_ARGS__)
template <class T> cudaError_t cudaGetSymbolSize(size_t *size, const T &) {
  *size = sizeof(T);
  return cudaSuccess;
}

#endif
