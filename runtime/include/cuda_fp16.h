//===- cuda_fp16.h - Half precision ---------------------------------------===//
//
// Every operation rounds to half precision, as on the device.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CPU_CUDA_FP16_H
#define KFUSE_CPU_CUDA_FP16_H

#include "cuda_runtime.h"

struct __half {
  _Float16 value;

  __half() = default;
  __half(float x) : value(static_cast<_Float16>(x)) {}
  __half(double x) : value(static_cast<_Float16>(x)) {}
  __half(int x) : value(static_cast<_Float16>(x)) {}
  __half(unsigned x) : value(static_cast<_Float16>(x)) {}
  operator float() const { return static_cast<float>(value); }
};
using half = __half;

struct alignas(4) __half2 {
  __half x, y;
};
using half2 = __half2;

inline __half __float2half(float x) { return __half(x); }
inline __half __float2half_rn(float x) { return __half(x); }
inline __half __double2half(double x) { return __half(x); }
inline float __half2float(__half x) { return float(x); }
inline __half __int2half_rn(int x) { return __half(x); }
inline int __half2int_rn(__half x) { return __float2int_rn(float(x)); }
inline unsigned short __half_as_ushort(__half x) {
  return kfuse_cpu::bitCast<unsigned short>(x.value);
}
inline short __half_as_short(__half x) {
  return kfuse_cpu::bitCast<short>(x.value);
}
inline __half __ushort_as_half(unsigned short x) {
  __half result;
  result.value = kfuse_cpu::bitCast<_Float16>(x);
  return result;
}
inline __half __short_as_half(short x) {
  return __ushort_as_half(static_cast<unsigned short>(x));
}
inline __half2 __halves2half2(__half x, __half y) { return {x, y}; }
inline __half2 make_half2(__half x, __half y) { return {x, y}; }
inline __half2 __float2half2_rn(float x) { return {__half(x), __half(x)}; }
inline __half2 __floats2half2_rn(float x, float y) {
  return {__half(x), __half(y)};
}
inline __half2 __half2half2(__half x) { return {x, x}; }
inline __half2 __float22half2_rn(float2 v) {
  return {__half(v.x), __half(v.y)};
}
inline float2 __half22float2(__half2 v) { return {float(v.x), float(v.y)}; }
inline __half __low2half(__half2 v) { return v.x; }
inline __half __high2half(__half2 v) { return v.y; }
inline float __low2float(__half2 v) { return float(v.x); }
inline float __high2float(__half2 v) { return float(v.y); }

#define KFUSE_CPU_HALF(Operator, Name)                                         \
  inline __half operator Operator(__half a, __half b) {                        \
    __half result;                                                             \
    result.value = a.value Operator b.value;                                   \
    return result;                                                             \
  }                                                                            \
  inline __half &operator Operator##=(__half & a, __half b) {                  \
    return a = a Operator b;                                                   \
  }                                                                            \
  inline __half Name(__half a, __half b) { return a Operator b; }              \
  inline __half2 operator Operator(__half2 a, __half2 b) {                     \
    return {a.x Operator b.x, a.y Operator b.y};                               \
  }                                                                            \
  inline __half2 &operator Operator##=(__half2 & a, __half2 b) {               \
    return a = a Operator b;                                                   \
  }                                                                            \
  inline __half2 Name##2(__half2 a, __half2 b) { return a Operator b; }
KFUSE_CPU_HALF(+, __hadd)
KFUSE_CPU_HALF(-, __hsub)
KFUSE_CPU_HALF(*, __hmul)
KFUSE_CPU_HALF(/, __hdiv)
#undef KFUSE_CPU_HALF

#define KFUSE_CPU_HALF(Operator, Name)                                         \
  inline bool operator Operator(__half a, __half b) {                          \
    return a.value Operator b.value;                                           \
  }                                                                            \
  inline bool Name(__half a, __half b) { return a Operator b; }
KFUSE_CPU_HALF(<, __hlt)
KFUSE_CPU_HALF(>, __hgt)
KFUSE_CPU_HALF(<=, __hle)
KFUSE_CPU_HALF(>=, __hge)
KFUSE_CPU_HALF(==, __heq)
KFUSE_CPU_HALF(!=, __hne)
#undef KFUSE_CPU_HALF

inline __half operator-(__half a) {
  __half result;
  result.value = -a.value;
  return result;
}
inline __half2 operator-(__half2 a) { return {-a.x, -a.y}; }
inline __half __hneg(__half a) { return -a; }
inline __half __habs(__half a) { return a < __half(0) ? -a : a; }
/// Computes in double, in which the product and the sum of halves are exact
/// enough for a single correct rounding.
inline __half __hfma(__half a, __half b, __half c) {
  return __half(double(float(a)) * double(float(b)) + double(float(c)));
}
inline __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
inline __half __hmax(__half a, __half b) { return a < b ? b : a; }
inline __half __hmin(__half a, __half b) { return b < a ? b : a; }
inline bool __hisnan(__half a) { return a != a; }

#define KFUSE_CPU_HALF(Name, Function)                                         \
  inline __half h##Name(__half a) { return __half(Function(float(a))); }       \
  inline __half2 h2##Name(__half2 a) { return {h##Name(a.x), h##Name(a.y)}; }
KFUSE_CPU_HALF(sqrt, sqrtf)
KFUSE_CPU_HALF(rsqrt, rsqrtf)
KFUSE_CPU_HALF(exp, expf)
KFUSE_CPU_HALF(exp2, exp2f)
KFUSE_CPU_HALF(exp10, exp10f)
KFUSE_CPU_HALF(log, logf)
KFUSE_CPU_HALF(log2, log2f)
KFUSE_CPU_HALF(log10, log10f)
KFUSE_CPU_HALF(sin, sinf)
KFUSE_CPU_HALF(cos, cosf)
KFUSE_CPU_HALF(tanh, tanhf)
KFUSE_CPU_HALF(floor, floorf)
KFUSE_CPU_HALF(ceil, ceilf)
KFUSE_CPU_HALF(trunc, truncf)
KFUSE_CPU_HALF(rint, rintf)
KFUSE_CPU_HALF(rcp, 1.0f /)
#undef KFUSE_CPU_HALF

#endif
