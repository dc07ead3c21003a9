// Texture and surface objects.
#pragma once
#pragma GCC system_header
#include "driver_types.h"

#define KFUSE_FETCH(name, ...)                                                 \
  template <typename T> __device__ T name(cudaTextureObject_t, ##__VA_ARGS__); \
  template <typename T>                                                        \
  __device__ void name(T *, cudaTextureObject_t, ##__VA_ARGS__);
KFUSE_FETCH(tex1Dfetch, int)
KFUSE_FETCH(tex1D, float)
KFUSE_FETCH(tex2D, float, float)
KFUSE_FETCH(tex3D, float, float, float)
KFUSE_FETCH(tex1DLod, float, float)
KFUSE_FETCH(tex2DLod, float, float, float)
KFUSE_FETCH(tex1DLayered, float, int)
KFUSE_FETCH(tex2DLayered, float, float, int)
#undef KFUSE_FETCH

#define KFUSE_SURFACE(suffix, ...)                                             \
  template <typename T>                                                        \
  __device__ T surf##suffix##read(cudaSurfaceObject_t, __VA_ARGS__, int = 0);  \
  template <typename T>                                                        \
  __device__ void surf##suffix##read(T *, cudaSurfaceObject_t, __VA_ARGS__,    \
                                     int = 0);                                 \
  template <typename T>                                                        \
  __device__ void surf##suffix##write(T, cudaSurfaceObject_t, __VA_ARGS__,     \
                                      int = 0);
KFUSE_SURFACE(1D, int)
KFUSE_SURFACE(2D, int, int)
KFUSE_SURFACE(3D, int, int, int)
#undef KFUSE_SURFACE
