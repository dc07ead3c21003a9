// Brain floating point: declarations only.
#pragma once
#pragma GCC system_header
#define __CUDA_BF16_H__
#include "cuda_runtime.h"

struct __attribute__((aligned(2))) __nv_bfloat16 {
  unsigned short __x;
  __nv_bfloat16() = default;
  __host__ __device__ __nv_bfloat16(float);
  __host__ __device__ __nv_bfloat16(double);
  __host__ __device__ __nv_bfloat16(int);
  __host__ __device__ operator float() const;
};
struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;
};
#define KFUSE_OPERATOR(op)                                                     \
  __host__ __device__ __nv_bfloat16 operator op(const __nv_bfloat16 &,         \
                                                const __nv_bfloat16 &);        \
  __host__ __device__ __nv_bfloat162 operator op(const __nv_bfloat162 &,       \
                                                 const __nv_bfloat162 &);
KFUSE_OPERATOR(+)
KFUSE_OPERATOR(-)
KFUSE_OPERATOR(*)
KFUSE_OPERATOR(/)
#undef KFUSE_OPERATOR
#define KFUSE_COMPARISON(op)                                                   \
  __host__ __device__ bool operator op(const __nv_bfloat16 &,                  \
                                       const __nv_bfloat16 &);
KFUSE_COMPARISON(==)
KFUSE_COMPARISON(!=)
KFUSE_COMPARISON(<)
KFUSE_COMPARISON(<=)
KFUSE_COMPARISON(>)
KFUSE_COMPARISON(>=)
#undef KFUSE_COMPARISON
#define KFUSE_ASSIGNMENT(op)                                                   \
  __host__ __device__ __nv_bfloat16 &operator op(__nv_bfloat16 &,              \
                                                 const __nv_bfloat16 &);       \
  __host__ __device__ __nv_bfloat162 &operator op(__nv_bfloat162 &,            \
                                                  const __nv_bfloat162 &);
KFUSE_ASSIGNMENT(+=)
KFUSE_ASSIGNMENT(-=)
KFUSE_ASSIGNMENT(*=)
KFUSE_ASSIGNMENT(/=)
#undef KFUSE_ASSIGNMENT
__host__ __device__ __nv_bfloat16 operator-(const __nv_bfloat16 &);
__host__ __device__ __nv_bfloat162 operator-(const __nv_bfloat162 &);
__host__ __device__ __nv_bfloat16 __ushort_as_bfloat16(unsigned short);
__host__ __device__ unsigned short __bfloat16_as_ushort(__nv_bfloat16);
__host__ __device__ __nv_bfloat16 __float2bfloat16(float);
__host__ __device__ __nv_bfloat16 __float2bfloat16_rn(float);
__host__ __device__ __nv_bfloat16 __double2bfloat16(double);
__host__ __device__ __nv_bfloat16 __int2bfloat16_rn(int);
__host__ __device__ float __bfloat162float(__nv_bfloat16);
__host__ __device__ int __bfloat162int_rn(__nv_bfloat16);
__host__ __device__ __nv_bfloat162 __float2bfloat162_rn(float);
__host__ __device__ __nv_bfloat162 __floats2bfloat162_rn(float, float);
__host__ __device__ __nv_bfloat162 __float22bfloat162_rn(float2);
__host__ __device__ float2 __bfloat1622float2(__nv_bfloat162);
__host__ __device__ __nv_bfloat162 __halves2bfloat162(__nv_bfloat16,
                                                      __nv_bfloat16);
__host__ __device__ __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16);
__host__ __device__ __nv_bfloat16 __low2bfloat16(__nv_bfloat162);
__host__ __device__ __nv_bfloat16 __high2bfloat16(__nv_bfloat162);
__host__ __device__ float __low2float(__nv_bfloat162);
__host__ __device__ float __high2float(__nv_bfloat162);
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
KFUSE_HALVES(__nv_bfloat16, )
KFUSE_HALVES(__nv_bfloat162, 2)
#undef KFUSE_HALVES
__device__ __nv_bfloat16 __hdiv(__nv_bfloat16, __nv_bfloat16);
__device__ bool __hlt(__nv_bfloat16, __nv_bfloat16);
__device__ bool __hgt(__nv_bfloat16, __nv_bfloat16);
__device__ bool __heq(__nv_bfloat16, __nv_bfloat16);
__device__ __nv_bfloat16 atomicAdd(__nv_bfloat16 *, __nv_bfloat16);
__device__ __nv_bfloat162 atomicAdd(__nv_bfloat162 *, __nv_bfloat162);
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
