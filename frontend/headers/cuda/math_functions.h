// The math functions as device code sees them, beside the host's own: `sqrt`,
// `sqrtf` and `std::sqrt`. They must come before <cmath>, so that its constexpr
// versions stay on the host.
#pragma once
#pragma GCC system_header
#include "host_defines.h"

template <bool> struct __kfuse_real {};
template <> struct __kfuse_real<true> {
  typedef double type;
};

// The host's side as C declares it, so that a program which leaves <math.h> to
// nvcc needs no <cmath>, which is slow to read.
#define KFUSE_UNARY(name)                                                      \
  extern "C" double name(double) noexcept(true);                               \
  extern "C" float name##f(float) noexcept(true);                              \
  __device__ double name(double);                                              \
  __device__ float name(float);                                                \
  __device__ float name##f(float);                                             \
  template <typename T>                                                        \
  __device__ typename __kfuse_real<__is_integral(T)>::type name(T);            \
  namespace std {                                                              \
  using ::name;                                                                \
  using ::name##f;                                                             \
  }
#define KFUSE_BINARY(name)                                                     \
  extern "C" double name(double, double) noexcept(true);                       \
  extern "C" float name##f(float, float) noexcept(true);                       \
  __device__ double name(double, double);                                      \
  __device__ float name(float, float);                                         \
  __device__ float name##f(float, float);                                      \
  __device__ double name(double, float);                                       \
  __device__ double name(float, double);                                       \
  __device__ double name(double, int);                                         \
  __device__ double name(float, int);                                          \
  __device__ double name(int, double);                                         \
  __device__ double name(int, float);                                          \
  __device__ double name(int, int);                                            \
  namespace std {                                                              \
  using ::name;                                                                \
  using ::name##f;                                                             \
  }
KFUSE_UNARY(sqrt)
KFUSE_UNARY(rsqrt)
KFUSE_UNARY(cbrt)
KFUSE_UNARY(rcbrt)
KFUSE_UNARY(exp)
KFUSE_UNARY(exp2)
KFUSE_UNARY(exp10)
KFUSE_UNARY(expm1)
KFUSE_UNARY(log)
KFUSE_UNARY(log2)
KFUSE_UNARY(log10)
KFUSE_UNARY(log1p)
KFUSE_UNARY(logb)
KFUSE_UNARY(sin)
KFUSE_UNARY(cos)
KFUSE_UNARY(tan)
KFUSE_UNARY(sinpi)
KFUSE_UNARY(cospi)
KFUSE_UNARY(asin)
KFUSE_UNARY(acos)
KFUSE_UNARY(atan)
KFUSE_UNARY(sinh)
KFUSE_UNARY(cosh)
KFUSE_UNARY(tanh)
KFUSE_UNARY(asinh)
KFUSE_UNARY(acosh)
KFUSE_UNARY(atanh)
KFUSE_UNARY(floor)
KFUSE_UNARY(ceil)
KFUSE_UNARY(round)
KFUSE_UNARY(trunc)
KFUSE_UNARY(rint)
KFUSE_UNARY(nearbyint)
KFUSE_UNARY(fabs)
KFUSE_UNARY(erf)
KFUSE_UNARY(erfc)
KFUSE_UNARY(erfinv)
KFUSE_UNARY(erfcinv)
KFUSE_UNARY(erfcx)
KFUSE_UNARY(normcdf)
KFUSE_UNARY(normcdfinv)
KFUSE_UNARY(tgamma)
KFUSE_UNARY(lgamma)
KFUSE_UNARY(j0)
KFUSE_UNARY(j1)
KFUSE_UNARY(y0)
KFUSE_UNARY(y1)
KFUSE_BINARY(pow)
KFUSE_BINARY(fmod)
KFUSE_BINARY(remainder)
KFUSE_BINARY(fmin)
KFUSE_BINARY(fmax)
KFUSE_BINARY(fdim)
KFUSE_BINARY(hypot)
KFUSE_BINARY(rhypot)
KFUSE_BINARY(atan2)
KFUSE_BINARY(copysign)
KFUSE_BINARY(nextafter)
#undef KFUSE_UNARY
#undef KFUSE_BINARY

#define KFUSE_REAL(type, f)                                                    \
  __device__ type fma##f(type, type, type);                                    \
  __device__ type norm3d##f(type, type, type);                                 \
  __device__ type rnorm3d##f(type, type, type);                                \
  __device__ type ldexp##f(type, int);                                         \
  __device__ type scalbn##f(type, int);                                        \
  __device__ type frexp##f(type, int *);                                       \
  __device__ type modf##f(type, type *);                                       \
  __device__ void sincos##f(type, type *, type *);                             \
  __device__ void sincospi##f(type, type *, type *);                           \
  __device__ int ilogb##f(type);                                               \
  __device__ long lround##f(type);                                             \
  __device__ long lrint##f(type);                                              \
  __device__ long long llround##f(type);                                       \
  __device__ long long llrint##f(type);                                        \
  __device__ type norm4d##f(type, type, type, type);                           \
  __device__ type rnorm4d##f(type, type, type, type);                          \
  __device__ type norm##f(int, const type *);                                  \
  __device__ type rnorm##f(int, const type *);                                 \
  __device__ type jn##f(int, type);                                            \
  __device__ type yn##f(int, type);                                            \
  __device__ type remquo##f(type, type, int *);                                \
  __device__ type scalbln##f(type, long);                                      \
  __device__ type cyl_bessel_i0##f(type);                                      \
  __device__ type cyl_bessel_i1##f(type);
KFUSE_REAL(double, )
KFUSE_REAL(float, f)
#undef KFUSE_REAL
__device__ float fma(float, float, float);
__device__ float ldexp(float, int);
__device__ float frexp(float, int *);
__device__ float modf(float, float *);
__device__ float fdividef(float, float);
__device__ int abs(int);
__device__ long abs(long);
__device__ long long abs(long long);
__device__ float abs(float);
__device__ double abs(double);
__device__ long labs(long);
__device__ long long llabs(long long);
namespace std {
using ::abs;
using ::fma;
using ::fmaf;
using ::frexp;
using ::ilogb;
using ::labs;
using ::ldexp;
using ::llabs;
using ::llrint;
using ::llround;
using ::lrint;
using ::lround;
using ::modf;
using ::scalbn;
} // namespace std

// On the host these are templates, so that <math.h> can add its own.
template <typename T> struct __kfuse_classified {};
template <> struct __kfuse_classified<float> {
  typedef bool type;
};
template <> struct __kfuse_classified<double> {
  typedef bool type;
};
#define KFUSE_CLASSIFY(name)                                                   \
  __device__ bool name(float);                                                 \
  __device__ bool name(double);                                                \
  template <typename T> typename __kfuse_classified<T>::type name(T);          \
  namespace std {                                                              \
  using ::name;                                                                \
  }
KFUSE_CLASSIFY(isnan)
KFUSE_CLASSIFY(isinf)
KFUSE_CLASSIFY(isfinite)
KFUSE_CLASSIFY(signbit)
#undef KFUSE_CLASSIFY

#define KFUSE_SIDES __host__ __device__
#include "kfuse_min_max.h"
#undef KFUSE_SIDES

// The constants of <math.h>, spelt as there.
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define HUGE_VAL (__builtin_huge_val())
#define HUGE_VALF (__builtin_huge_valf())
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
