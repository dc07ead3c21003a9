//===- cuda_bf16.h - The other 16-bit floating-point numbers --------------===//
//
// Each number is the upper half of a float; every operation rounds to nearest
// even.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CPU_CUDA_BF16_H
#define KFUSE_CPU_CUDA_BF16_H

#include "cuda_runtime.h"

struct __nv_bfloat16 {
  unsigned short bits;

  __nv_bfloat16() = default;
  __nv_bfloat16(float x) {
    unsigned u = __float_as_uint(x);
    bits = x != x ? 0x7fff : (u + 0x7fff + (u >> 16 & 1)) >> 16;
  }
  __nv_bfloat16(double x) : __nv_bfloat16(float(x)) {}
  __nv_bfloat16(int x) : __nv_bfloat16(float(x)) {}
  operator float() const { return __uint_as_float(unsigned(bits) << 16); }
};
using nv_bfloat16 = __nv_bfloat16;

struct alignas(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
};
using nv_bfloat162 = __nv_bfloat162;

inline __nv_bfloat16 __float2bfloat16(float x) { return x; }
inline __nv_bfloat16 __float2bfloat16_rn(float x) { return x; }
inline __nv_bfloat16 __double2bfloat16(double x) { return x; }
inline float __bfloat162float(__nv_bfloat16 x) { return x; }
inline __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return {x, y}; }
inline __nv_bfloat162 __float22bfloat162_rn(float2 v) { return {v.x, v.y}; }
inline float2 __bfloat1622float2(__nv_bfloat162 v) { return {v.x, v.y}; }
inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return {x, x}; }
inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
  return {x, y};
}

#define KFUSE_CPU_BFLOAT(Operator, Name)                                       \
  inline __nv_bfloat16 operator Operator(__nv_bfloat16 a, __nv_bfloat16 b) {   \
    return float(a) Operator float(b);                                         \
  }                                                                            \
  inline __nv_bfloat16 &operator Operator##=(__nv_bfloat16 & a,                \
                                             __nv_bfloat16 b) {                \
    return a = a Operator b;                                                   \
  }                                                                            \
  inline __nv_bfloat16 Name(__nv_bfloat16 a, __nv_bfloat16 b) {                \
    return a Operator b;                                                       \
  }                                                                            \
  inline __nv_bfloat162 Name##2(__nv_bfloat162 a, __nv_bfloat162 b) {          \
    return {a.x Operator b.x, a.y Operator b.y};                               \
  }
KFUSE_CPU_BFLOAT(+, __hadd)
KFUSE_CPU_BFLOAT(-, __hsub)
KFUSE_CPU_BFLOAT(*, __hmul)
KFUSE_CPU_BFLOAT(/, __hdiv)
#undef KFUSE_CPU_BFLOAT

#endif
