// make_float4 and its kin.
#pragma once
#pragma GCC system_header
#include "vector_types.h"

#define KFUSE_MAKE(type, name)                                                 \
  __host__ __device__ inline name##1 make_##name##1(type x) { return {x}; }    \
  __host__ __device__ inline name##2 make_##name##2(type x, type y) {          \
    return {x, y};                                                             \
  }                                                                            \
  __host__ __device__ inline name##3 make_##name##3(type x, type y, type z) {  \
    return {x, y, z};                                                          \
  }                                                                            \
  __host__ __device__ inline name##4 make_##name##4(type x, type y, type z,    \
                                                    type w) {                  \
    return {x, y, z, w};                                                       \
  }
KFUSE_MAKE(signed char, char)
KFUSE_MAKE(unsigned char, uchar)
KFUSE_MAKE(short, short)
KFUSE_MAKE(unsigned short, ushort)
KFUSE_MAKE(int, int)
KFUSE_MAKE(unsigned int, uint)
KFUSE_MAKE(long, long)
KFUSE_MAKE(unsigned long, ulong)
KFUSE_MAKE(long long, longlong)
KFUSE_MAKE(unsigned long long, ulonglong)
KFUSE_MAKE(float, float)
KFUSE_MAKE(double, double)
#undef KFUSE_MAKE
