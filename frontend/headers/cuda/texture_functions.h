// Texture and surface objects.
#pragma once
#pragma GCC system_header
#include "driver_types.h"

#define KFUSE_FETCH(name, ...)                                                 \
  template <typename T> __device__ T name(cudaTextureObject_t, ##__VA_ARGS__); \
  template <typename T>                                                        \
  __device__ void name(T *, cudaTextureObject_t, ##__VA_ARGS__);
#define KFUSE_SURFACE(suffix, ...)                                             \
  template <typename T>                                                        \
  __device__ T surf##suffix##read(cudaSurfaceObject_t, __VA_ARGS__, int = 0);  \
  template <typename T>                                                        \
  __device__ void surf##suffix##read(T *, cudaSurfaceObject_t, __VA_ARGS__,    \
                                     int = 0);                                 \
  template <typename T>                                                        \
  __device__ void surf##suffix##write(T, cudaSurfaceObject_t, __VA_ARGS__,     \
                                      int = 0);
#include "kfuse_texture_names.h"
