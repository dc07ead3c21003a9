//===- kfuse_cpu/Math.h - Device functions on floating-point numbers ------===//
//
// The C library's functions are used under their own names. The fast intrinsics
// are computed exactly like the accurate ones: the executor compares programs
// with each other, not with a GPU.
//
// Contraction is off in the whole build, so `__fmul_rn` is a product. A fused
// program may state explicitly which products are contracted with which sums.
// It gives the same bits as one that leaves this to the compiler if
// KFUSE_CPU_UNCONTRACTED is defined, because then none are contracted.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CPU_MATH_H
#define KFUSE_CPU_MATH_H

#include <cfenv>
#include <cmath>
#include <limits>
#include <math.h>

namespace kfuse_cpu {

/// Computes with another rounding mode; the volatile operands keep the
/// operation between the two mode changes.
template <class T, class Operation>
T rounded(int mode, Operation operation, T a, T b = 0, T c = 0) {
  volatile T x = a, y = b, z = c;
  int before = std::fegetround();
  std::fesetround(mode);
  volatile T result = operation(T(x), T(y), T(z));
  std::fesetround(before);
  return result;
}

/// Computes with the rounding mode that programs start in.
template <class T, class Operation>
T nearest(Operation operation, T a, T b = 0, T c = 0) {
  return operation(a, b, c);
}

template <class To, class From> To saturate(From value) {
  if (!(value == value))
    return sizeof(To) == 8 ? To(std::uint64_t(1) << 63) : To(0);
  if (value <= From(std::numeric_limits<To>::min()))
    return std::numeric_limits<To>::min();
  if (value >= From(std::numeric_limits<To>::max()))
    return std::numeric_limits<To>::max();
  return To(value);
}

} // namespace kfuse_cpu

// These are macros because the C library declares functions of these names.
#define __sinf(x) sinf(x)
#define __cosf(x) cosf(x)
#define __tanf(x) tanf(x)
#define __expf(x) expf(x)
#define __exp10f(x) exp10f(x)
#define __logf(x) logf(x)
#define __log2f(x) log2f(x)
#define __log10f(x) log10f(x)
#define __powf(x, y) powf(x, y)
#define __sincosf(x, s, c) sincosf(x, s, c)

inline float __fdividef(float x, float y) { return x / y; }
inline float fdividef(float x, float y) { return x / y; }
inline float __saturatef(float x) {
  return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / ::sqrt(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline float rcbrtf(float x) { return 1.0f / cbrtf(x); }
inline double rcbrt(double x) { return 1.0 / ::cbrt(x); }
inline float __frsqrt_rn(float x) { return rsqrtf(x); }
inline double sinpi(double x) { return ::sin(M_PI * ::fmod(x, 2.0)); }
inline double cospi(double x) { return ::cos(M_PI * ::fmod(x, 2.0)); }
inline float sinpif(float x) { return float(sinpi(double(x))); }
inline float cospif(float x) { return float(cospi(double(x))); }
inline void sincospi(double x, double *s, double *c) {
  *s = sinpi(x);
  *c = cospi(x);
}
inline void sincospif(float x, float *s, float *c) {
  *s = sinpif(x);
  *c = cospif(x);
}
inline void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
inline float rhypotf(float x, float y) { return 1.0f / hypotf(x, y); }
inline double rhypot(double x, double y) { return 1.0 / ::hypot(x, y); }
inline float norm3df(float a, float b, float c) {
  return hypotf(hypotf(a, b), c);
}
inline double norm3d(double a, double b, double c) {
  return ::hypot(::hypot(a, b), c);
}
inline float rnorm3df(float a, float b, float c) {
  return 1.0f / norm3df(a, b, c);
}
inline double normcdf(double x) { return 0.5 * ::erfc(-x * M_SQRT1_2); }
inline float normcdff(float x) { return float(normcdf(double(x))); }
inline double erfcx(double x) { return ::exp(x * x) * ::erfc(x); }
inline float erfcxf(float x) { return float(erfcx(double(x))); }

// The following operations have a rounding mode in their name.
#define KFUSE_CPU_ROUNDED(Prefix, Type, Operation, Parameters, ...)            \
  inline Type Prefix##_rn Parameters {                                         \
    return kfuse_cpu::nearest<Type>(Operation, __VA_ARGS__);                   \
  }                                                                            \
  inline Type Prefix##_rz Parameters {                                         \
    return kfuse_cpu::rounded<Type>(FE_TOWARDZERO, Operation, __VA_ARGS__);    \
  }                                                                            \
  inline Type Prefix##_rd Parameters {                                         \
    return kfuse_cpu::rounded<Type>(FE_DOWNWARD, Operation, __VA_ARGS__);      \
  }                                                                            \
  inline Type Prefix##_ru Parameters {                                         \
    return kfuse_cpu::rounded<Type>(FE_UPWARD, Operation, __VA_ARGS__);        \
  }
#define KFUSE_CPU_ROUNDED_SET(Letter, Type, Fma)                               \
  KFUSE_CPU_ROUNDED(__##Letter##add, Type,                                     \
                    ([](Type a, Type b, Type) { return a + b; }),              \
                    (Type a, Type b), a, b)                                    \
  KFUSE_CPU_ROUNDED(__##Letter##sub, Type,                                     \
                    ([](Type a, Type b, Type) { return a - b; }),              \
                    (Type a, Type b), a, b)                                    \
  KFUSE_CPU_ROUNDED(__##Letter##mul, Type,                                     \
                    ([](Type a, Type b, Type) { return a * b; }),              \
                    (Type a, Type b), a, b)                                    \
  KFUSE_CPU_ROUNDED(__##Letter##div, Type,                                     \
                    ([](Type a, Type b, Type) { return a / b; }),              \
                    (Type a, Type b), a, b)                                    \
  KFUSE_CPU_ROUNDED(__##Letter##rcp, Type,                                     \
                    ([](Type a, Type, Type) { return Type(1) / a; }),          \
                    (Type a), a)                                               \
  KFUSE_CPU_ROUNDED(__##Letter##sqrt, Type,                                    \
                    ([](Type a, Type, Type) { return Type(std::sqrt(a)); }),   \
                    (Type a), a)                                               \
  KFUSE_CPU_ROUNDED(Fma, Type, ([](Type a, Type b, Type c) {                   \
                      return KFUSE_CPU_CONTRACTED(a, b, c);                    \
                    }),                                                        \
                    (Type a, Type b, Type c), a, b, c)
#ifdef KFUSE_CPU_UNCONTRACTED
#define KFUSE_CPU_CONTRACTED(a, b, c) a *b + c
#else
#define KFUSE_CPU_CONTRACTED(a, b, c) std::fma(a, b, c)
#endif
KFUSE_CPU_ROUNDED_SET(f, float, __fmaf)
KFUSE_CPU_ROUNDED_SET(d, double, __fma)
#undef KFUSE_CPU_ROUNDED_SET
#undef KFUSE_CPU_CONTRACTED
#undef KFUSE_CPU_ROUNDED

// The following conversions saturate if the value is out of range, as on the
// device.
#define KFUSE_CPU_TO_INTEGER(Name, From, To)                                   \
  inline To Name##_rn(From x) {                                                \
    return kfuse_cpu::saturate<To>(std::nearbyint(x));                         \
  }                                                                            \
  inline To Name##_rz(From x) {                                                \
    return kfuse_cpu::saturate<To>(std::trunc(x));                             \
  }                                                                            \
  inline To Name##_rd(From x) {                                                \
    return kfuse_cpu::saturate<To>(std::floor(x));                             \
  }                                                                            \
  inline To Name##_ru(From x) { return kfuse_cpu::saturate<To>(std::ceil(x)); }
KFUSE_CPU_TO_INTEGER(__float2int, float, int)
KFUSE_CPU_TO_INTEGER(__float2uint, float, unsigned)
KFUSE_CPU_TO_INTEGER(__float2ll, float, long long)
KFUSE_CPU_TO_INTEGER(__float2ull, float, unsigned long long)
KFUSE_CPU_TO_INTEGER(__double2int, double, int)
KFUSE_CPU_TO_INTEGER(__double2uint, double, unsigned)
KFUSE_CPU_TO_INTEGER(__double2ll, double, long long)
KFUSE_CPU_TO_INTEGER(__double2ull, double, unsigned long long)
#undef KFUSE_CPU_TO_INTEGER

inline float __int2float_rn(int x) { return float(x); }
inline float __uint2float_rn(unsigned x) { return float(x); }
inline float __ll2float_rn(long long x) { return float(x); }
inline float __ull2float_rn(unsigned long long x) { return float(x); }
inline double __int2double_rn(int x) { return double(x); }
inline double __uint2double_rn(unsigned x) { return double(x); }
inline double __ll2double_rn(long long x) { return double(x); }
inline double __ull2double_rn(unsigned long long x) { return double(x); }
inline float __double2float_rn(double x) { return float(x); }
inline float __int2float_rz(int x) {
  return kfuse_cpu::rounded<double>(
      FE_TOWARDZERO, [](double a, double, double) { return double(float(a)); },
      x);
}
inline float __double2float_rz(double x) {
  return kfuse_cpu::rounded<double>(
      FE_TOWARDZERO, [](double a, double, double) { return double(float(a)); },
      x);
}

// The device has min and max for each of these pairs of types.
#define KFUSE_CPU_MIN_MAX(A, B, Result)                                        \
  inline Result min(A a, B b) {                                                \
    Result x = a, y = b;                                                       \
    return y < x ? y : x;                                                      \
  }                                                                            \
  inline Result max(A a, B b) {                                                \
    Result x = a, y = b;                                                       \
    return x < y ? y : x;                                                      \
  }
#define KFUSE_CPU_MIN_MAX_INTEGERS(Signed, Unsigned)                           \
  KFUSE_CPU_MIN_MAX(Signed, Signed, Signed)                                    \
  KFUSE_CPU_MIN_MAX(Unsigned, Unsigned, Unsigned)                              \
  KFUSE_CPU_MIN_MAX(Signed, Unsigned, Unsigned)                                \
  KFUSE_CPU_MIN_MAX(Unsigned, Signed, Unsigned)
KFUSE_CPU_MIN_MAX_INTEGERS(int, unsigned int)
KFUSE_CPU_MIN_MAX_INTEGERS(long, unsigned long)
KFUSE_CPU_MIN_MAX_INTEGERS(long long, unsigned long long)
#undef KFUSE_CPU_MIN_MAX_INTEGERS
#undef KFUSE_CPU_MIN_MAX
inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return ::fmin(a, b); }
inline double max(double a, double b) { return ::fmax(a, b); }
inline double min(float a, double b) { return ::fmin(double(a), b); }
inline double max(float a, double b) { return ::fmax(double(a), b); }
inline double min(double a, float b) { return ::fmin(a, double(b)); }
inline double max(double a, float b) { return ::fmax(a, double(b)); }
inline unsigned umin(unsigned a, unsigned b) { return min(a, b); }
inline unsigned umax(unsigned a, unsigned b) { return max(a, b); }
inline long long llmin(long long a, long long b) { return min(a, b); }
inline long long llmax(long long a, long long b) { return max(a, b); }
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return min(a, b);
}
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return max(a, b);
}
inline float norm4df(float a, float b, float c, float d) {
  return hypotf(hypotf(a, b), hypotf(c, d));
}
inline double norm4d(double a, double b, double c, double d) {
  return ::hypot(::hypot(a, b), ::hypot(c, d));
}

#endif
