// Brain floating point: declarations only.
#pragma once
#pragma GCC system_header
#define __CUDA_BF16_H__
#include "cuda_runtime.h"

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __nv_bfloat162_raw {
  unsigned short x, y;
};
struct __attribute__((aligned(2))) __nv_bfloat16 {
  unsigned short __x;
  __nv_bfloat16() = default;
  __host__ __device__ __nv_bfloat16(const __nv_bfloat16_raw &);
  __host__ __device__ __nv_bfloat16(float);
  __host__ __device__ __nv_bfloat16(double);
  __host__ __device__ __nv_bfloat16(short);
  __host__ __device__ __nv_bfloat16(unsigned short);
  __host__ __device__ __nv_bfloat16(int);
  __host__ __device__ __nv_bfloat16(unsigned);
  __host__ __device__ __nv_bfloat16(long);
  __host__ __device__ __nv_bfloat16(unsigned long);
  __host__ __device__ __nv_bfloat16(long long);
  __host__ __device__ __nv_bfloat16(unsigned long long);
  __host__ __device__ operator float() const;
  __host__ __device__ operator __nv_bfloat16_raw() const;
};
struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __host__ __device__ constexpr __nv_bfloat162(const __nv_bfloat16 &a,
                                               const __nv_bfloat16 &b)
      : x(a), y(b) {}
};

#define KFUSE_H __nv_bfloat16
#define KFUSE_H2 __nv_bfloat162
#define KFUSE_CONVERT(kind, name, mode)                                        \
  __host__ __device__ kind __bfloat162##name##mode(__nv_bfloat16);             \
  __host__ __device__ __nv_bfloat16 __##name##2bfloat16##mode(kind);
#include "half_functions.h"
#undef KFUSE_H
#undef KFUSE_H2
#undef KFUSE_CONVERT

__host__ __device__ __nv_bfloat16 __ushort_as_bfloat16(unsigned short);
__host__ __device__ __nv_bfloat16 __short_as_bfloat16(short);
__host__ __device__ unsigned short __bfloat16_as_ushort(__nv_bfloat16);
__host__ __device__ short __bfloat16_as_short(__nv_bfloat16);
__host__ __device__ __nv_bfloat16 __float2bfloat16(float);
__host__ __device__ __nv_bfloat16 __float2bfloat16_rn(float);
__host__ __device__ __nv_bfloat16 __float2bfloat16_rz(float);
__host__ __device__ __nv_bfloat16 __float2bfloat16_rd(float);
__host__ __device__ __nv_bfloat16 __float2bfloat16_ru(float);
__host__ __device__ __nv_bfloat16 __double2bfloat16(double);
__host__ __device__ float __bfloat162float(__nv_bfloat16);
__host__ __device__ signed char __bfloat162char_rz(__nv_bfloat16);
__host__ __device__ unsigned char __bfloat162uchar_rz(__nv_bfloat16);
__host__ __device__ __nv_bfloat162 make_bfloat162(__nv_bfloat16, __nv_bfloat16);
__host__ __device__ __nv_bfloat162 __float2bfloat162_rn(float);
__host__ __device__ __nv_bfloat162 __floats2bfloat162_rn(float, float);
__host__ __device__ __nv_bfloat162 __float22bfloat162_rn(float2);
__host__ __device__ float2 __bfloat1622float2(__nv_bfloat162);
__host__ __device__ __nv_bfloat162 __halves2bfloat162(__nv_bfloat16,
                                                      __nv_bfloat16);
__host__ __device__ __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16);
__host__ __device__ __nv_bfloat16 __low2bfloat16(__nv_bfloat162);
__host__ __device__ __nv_bfloat16 __high2bfloat16(__nv_bfloat162);
__host__ __device__ __nv_bfloat162 __low2bfloat162(__nv_bfloat162);
__host__ __device__ __nv_bfloat162 __high2bfloat162(__nv_bfloat162);
__host__ __device__ __nv_bfloat162 __lows2bfloat162(__nv_bfloat162,
                                                    __nv_bfloat162);
__host__ __device__ __nv_bfloat162 __highs2bfloat162(__nv_bfloat162,
                                                     __nv_bfloat162);
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
