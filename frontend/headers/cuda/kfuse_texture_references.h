// The references to textures and surfaces that toolkits before 12 have. Newer
// programs use these names for other things.
#pragma once
#pragma GCC system_header
#include "cuda_runtime_api.h"

template <typename T, int Type = cudaTextureType1D,
          cudaTextureReadMode Mode = cudaReadModeElementType>
struct texture : textureReference {};
template <typename T, int Type = cudaSurfaceType1D>
struct surface : surfaceReference {};

// A reference gives a value, or a fraction of the greatest one.
template <typename T, cudaTextureReadMode Mode> struct __kfuse_texel {
  typedef T type;
};
#define KFUSE_FRACTION(name, result)                                           \
  template <> struct __kfuse_texel<name, cudaReadModeNormalizedFloat> {        \
    typedef result type;                                                       \
  };
#define KFUSE_FRACTIONS(scalar, name)                                          \
  KFUSE_FRACTION(scalar, float)                                                \
  KFUSE_FRACTION(name##1, float1)                                              \
  KFUSE_FRACTION(name##2, float2)                                              \
  KFUSE_FRACTION(name##4, float4)
KFUSE_FRACTIONS(signed char, char)
KFUSE_FRACTIONS(unsigned char, uchar)
KFUSE_FRACTIONS(short, short)
KFUSE_FRACTIONS(unsigned short, ushort)
#undef KFUSE_FRACTIONS
#undef KFUSE_FRACTION

#define KFUSE_FETCH(name, ...)                                                 \
  template <typename T, int Type, cudaTextureReadMode Mode>                    \
  __device__ typename __kfuse_texel<T, Mode>::type name(                       \
      texture<T, Type, Mode>, ##__VA_ARGS__);
#define KFUSE_SURFACE(suffix, ...)                                             \
  template <typename T, typename Any, int Type>                                \
  __device__ T surf##suffix##read(surface<Any, Type>, __VA_ARGS__, int = 0);   \
  template <typename T, typename Any, int Type>                                \
  __device__ void surf##suffix##read(T *, surface<Any, Type>, __VA_ARGS__,     \
                                     int = 0);                                 \
  template <typename T, typename Any, int Type>                                \
  __device__ void surf##suffix##write(T, surface<Any, Type>, __VA_ARGS__,      \
                                      int = 0);
#include "kfuse_texture_names.h"

// These functions bind memory to a reference.
#define KFUSE_BIND(name, ...)                                                  \
  template <typename T, int Type, cudaTextureReadMode Mode>                    \
  cudaError_t name(__VA_ARGS__);
#define KFUSE_TEXTURE const texture<T, Type, Mode> &
KFUSE_BIND(cudaBindTexture, size_t *, KFUSE_TEXTURE, const void *,
           const cudaChannelFormatDesc &, size_t = 0xffffffff)
KFUSE_BIND(cudaBindTexture, size_t *, KFUSE_TEXTURE, const void *,
           size_t = 0xffffffff)
KFUSE_BIND(cudaBindTexture2D, size_t *, KFUSE_TEXTURE, const void *,
           const cudaChannelFormatDesc &, size_t, size_t, size_t)
KFUSE_BIND(cudaBindTexture2D, size_t *, KFUSE_TEXTURE, const void *, size_t,
           size_t, size_t)
KFUSE_BIND(cudaBindTextureToArray, KFUSE_TEXTURE, cudaArray_const_t,
           const cudaChannelFormatDesc &)
KFUSE_BIND(cudaBindTextureToArray, KFUSE_TEXTURE, cudaArray_const_t)
KFUSE_BIND(cudaBindTextureToMipmappedArray, KFUSE_TEXTURE,
           cudaMipmappedArray_const_t, const cudaChannelFormatDesc &)
KFUSE_BIND(cudaBindTextureToMipmappedArray, KFUSE_TEXTURE,
           cudaMipmappedArray_const_t)
KFUSE_BIND(cudaUnbindTexture, KFUSE_TEXTURE)
KFUSE_BIND(cudaGetTextureAlignmentOffset, size_t *, KFUSE_TEXTURE)
#undef KFUSE_TEXTURE
#undef KFUSE_BIND
template <typename T, int Type>
cudaError_t cudaBindSurfaceToArray(const surface<T, Type> &, cudaArray_const_t);
template <typename T, int Type>
cudaError_t cudaBindSurfaceToArray(const surface<T, Type> &, cudaArray_const_t,
                                   const cudaChannelFormatDesc &);
extern "C" {
cudaError_t cudaBindTexture(size_t *, const textureReference *, const void *,
                            const cudaChannelFormatDesc *, size_t);
cudaError_t cudaBindTexture2D(size_t *, const textureReference *, const void *,
                              const cudaChannelFormatDesc *, size_t, size_t,
                              size_t);
cudaError_t cudaBindTextureToArray(const textureReference *, cudaArray_const_t,
                                   const cudaChannelFormatDesc *);
cudaError_t cudaUnbindTexture(const textureReference *);
cudaError_t cudaGetTextureReference(const textureReference **, const void *);
}
