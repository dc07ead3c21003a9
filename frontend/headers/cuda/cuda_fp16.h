// Half precision: declarations only.
#pragma once
#pragma GCC system_header
#define __CUDA_FP16_H__
#include "cuda_runtime.h"

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};
struct __attribute__((aligned(2))) __half {
  unsigned short __x;
  __half() = default;
  __host__ __device__ __half(const __half_raw &);
  __host__ __device__ __half(float);
  __host__ __device__ __half(double);
  __host__ __device__ __half(short);
  __host__ __device__ __half(unsigned short);
  __host__ __device__ __half(int);
  __host__ __device__ __half(unsigned);
  __host__ __device__ __half(long);
  __host__ __device__ __half(unsigned long);
  __host__ __device__ __half(long long);
  __host__ __device__ __half(unsigned long long);
  __host__ __device__ operator float() const;
  __host__ __device__ operator __half_raw() const;
};
struct __attribute__((aligned(4))) __half2 {
  __half x, y;
  __half2() = default;
  __host__ __device__ constexpr __half2(const __half &a, const __half &b)
      : x(a), y(b) {}
};

#define KFUSE_H __half
#define KFUSE_H2 __half2
#define KFUSE_CONVERT(kind, name, mode)                                        \
  __host__ __device__ kind __half2##name##mode(__half);                        \
  __host__ __device__ __half __##name##2half##mode(kind);
#include "half_functions.h"
#undef KFUSE_H
#undef KFUSE_H2
#undef KFUSE_CONVERT

__host__ __device__ __half __float2half(float);
__host__ __device__ __half __float2half_rn(float);
__host__ __device__ __half __float2half_rz(float);
__host__ __device__ __half __float2half_rd(float);
__host__ __device__ __half __float2half_ru(float);
__host__ __device__ __half __double2half(double);
__host__ __device__ float __half2float(__half);
__host__ __device__ signed char __half2char_rz(__half);
__host__ __device__ unsigned char __half2uchar_rz(__half);
__host__ __device__ short __half_as_short(__half);
__host__ __device__ unsigned short __half_as_ushort(__half);
__host__ __device__ __half __short_as_half(short);
__host__ __device__ __half __ushort_as_half(unsigned short);
__host__ __device__ __half2 make_half2(__half, __half);
__host__ __device__ __half2 __float2half2_rn(float);
__host__ __device__ __half2 __floats2half2_rn(float, float);
__host__ __device__ __half2 __float22half2_rn(float2);
__host__ __device__ float2 __half22float2(__half2);
__host__ __device__ __half2 __halves2half2(__half, __half);
__host__ __device__ __half2 __half2half2(__half);
__host__ __device__ __half __low2half(__half2);
__host__ __device__ __half __high2half(__half2);
__host__ __device__ __half2 __low2half2(__half2);
__host__ __device__ __half2 __high2half2(__half2);
__host__ __device__ __half2 __lows2half2(__half2, __half2);
__host__ __device__ __half2 __highs2half2(__half2, __half2);
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
