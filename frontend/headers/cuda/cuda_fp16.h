// Half precision: declarations only.
#pragma once
#pragma GCC system_header
#define __CUDA_FP16_H__
#include "cuda_runtime.h"

struct __attribute__((aligned(2))) __half {
  unsigned short __x;
  __half() = default;
  __host__ __device__ __half(float);
  __host__ __device__ __half(double);
  __host__ __device__ __half(int);
  __host__ __device__ operator float() const;
};
struct __attribute__((aligned(4))) __half2 {
  __half x, y;
};
#define KFUSE_OPERATOR(op)                                                     \
  __host__ __device__ __half operator op(const __half &, const __half &);      \
  __host__ __device__ __half2 operator op(const __half2 &, const __half2 &);
KFUSE_OPERATOR(+)
KFUSE_OPERATOR(-)
KFUSE_OPERATOR(*)
KFUSE_OPERATOR(/)
#undef KFUSE_OPERATOR
#define KFUSE_COMPARISON(op)                                                   \
  __host__ __device__ bool operator op(const __half &, const __half &);
KFUSE_COMPARISON(==)
KFUSE_COMPARISON(!=)
KFUSE_COMPARISON(<)
KFUSE_COMPARISON(<=)
KFUSE_COMPARISON(>)
KFUSE_COMPARISON(>=)
#undef KFUSE_COMPARISON
#define KFUSE_ASSIGNMENT(op)                                                   \
  __host__ __device__ __half &operator op(__half &, const __half &);           \
  __host__ __device__ __half2 &operator op(__half2 &, const __half2 &);
KFUSE_ASSIGNMENT(+=)
KFUSE_ASSIGNMENT(-=)
KFUSE_ASSIGNMENT(*=)
KFUSE_ASSIGNMENT(/=)
#undef KFUSE_ASSIGNMENT
__host__ __device__ __half operator-(const __half &);
__host__ __device__ __half2 operator-(const __half2 &);
__host__ __device__ __half __float2half(float);
__host__ __device__ __half __float2half_rn(float);
__host__ __device__ __half __double2half(double);
__host__ __device__ __half __int2half_rn(int);
__host__ __device__ float __half2float(__half);
__host__ __device__ int __half2int_rn(__half);
__host__ __device__ short __half_as_short(__half);
__host__ __device__ unsigned short __half_as_ushort(__half);
__host__ __device__ __half __short_as_half(short);
__host__ __device__ __half __ushort_as_half(unsigned short);
__host__ __device__ __half2 __float2half2_rn(float);
__host__ __device__ __half2 __floats2half2_rn(float, float);
__host__ __device__ __half2 __float22half2_rn(float2);
__host__ __device__ float2 __half22float2(__half2);
__host__ __device__ __half2 __halves2half2(__half, __half);
__host__ __device__ __half2 __half2half2(__half);
__host__ __device__ __half __low2half(__half2);
__host__ __device__ __half __high2half(__half2);
__host__ __device__ float __low2float(__half2);
__host__ __device__ float __high2float(__half2);
#define KFUSE_HALVES(type, suffix)                                             \
  __device__ type __hadd##suffix(type, type);                                  \
  __device__ type __hsub##suffix(type, type);                                  \
  __device__ type __hmul##suffix(type, type);                                  \
  __device__ type __hfma##suffix(type, type, type);                            \
  __device__ type __hmin##suffix(type, type);                                  \
  __device__ type __hmax##suffix(type, type);                                  \
  __device__ type __hneg##suffix(type);                                        \
  __device__ type __habs##suffix(type);                                        \
  __device__ type h##suffix##exp(type);                                        \
  __device__ type h##suffix##sqrt(type);                                       \
  __device__ type h##suffix##log(type);
KFUSE_HALVES(__half, )
KFUSE_HALVES(__half2, 2)
#undef KFUSE_HALVES
__device__ __half __hdiv(__half, __half);
__device__ bool __hlt(__half, __half);
__device__ bool __hgt(__half, __half);
__device__ bool __heq(__half, __half);
__device__ __half atomicAdd(__half *, __half);
__device__ __half2 atomicAdd(__half2 *, __half2);
typedef __half half;
typedef __half2 half2;
