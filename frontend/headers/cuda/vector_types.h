// The built-in vector types and dim3, laid out as CUDA lays them out.
#pragma once
#pragma GCC system_header
#include "host_defines.h"

#define KFUSE_VECTORS(type, name, align2, align4)                              \
  struct name##1 { type x; };                                                  \
  struct __attribute__((aligned(align2))) name##2 { type x, y; };              \
  struct name##3 { type x, y, z; };                                            \
  struct __attribute__((aligned(align4))) name##4 { type x, y, z, w; };
KFUSE_VECTORS(signed char, char, 2, 4)
KFUSE_VECTORS(unsigned char, uchar, 2, 4)
KFUSE_VECTORS(short, short, 4, 8)
KFUSE_VECTORS(unsigned short, ushort, 4, 8)
KFUSE_VECTORS(int, int, 8, 16)
KFUSE_VECTORS(unsigned int, uint, 8, 16)
KFUSE_VECTORS(long, long, 16, 16)
KFUSE_VECTORS(unsigned long, ulong, 16, 16)
KFUSE_VECTORS(long long, longlong, 16, 16)
KFUSE_VECTORS(unsigned long long, ulonglong, 16, 16)
KFUSE_VECTORS(float, float, 8, 16)
KFUSE_VECTORS(double, double, 16, 16)
#undef KFUSE_VECTORS

struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1,
                                     unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const {
    return uint3{x, y, z};
  }
};
