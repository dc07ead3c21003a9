// Functions on KFUSE_H, a type of 16 bits, and on KFUSE_H2, a pair of it.
// Included by the header of each such type.
#pragma GCC system_header

#define KFUSE_OPERATOR(op)                                                     \
  __host__ __device__ KFUSE_H operator op(const KFUSE_H &, const KFUSE_H &);   \
  __host__ __device__ KFUSE_H2 operator op(const KFUSE_H2 &,                   \
                                           const KFUSE_H2 &);                  \
  __host__ __device__ KFUSE_H &operator op##=(KFUSE_H &, const KFUSE_H &);     \
  __host__ __device__ KFUSE_H2 &operator op##=(KFUSE_H2 &, const KFUSE_H2 &);
KFUSE_OPERATOR(+)
KFUSE_OPERATOR(-)
KFUSE_OPERATOR(*)
KFUSE_OPERATOR(/)
#undef KFUSE_OPERATOR

#define KFUSE_COMPARISON(op, name)                                             \
  __host__ __device__ bool operator op(const KFUSE_H &, const KFUSE_H &);      \
  __host__ __device__ bool operator op(const KFUSE_H2 &, const KFUSE_H2 &);    \
  __host__ __device__ bool __h##name(KFUSE_H, KFUSE_H);                        \
  __host__ __device__ bool __h##name##u(KFUSE_H, KFUSE_H);                     \
  __host__ __device__ KFUSE_H2 __h##name##2(KFUSE_H2, KFUSE_H2);               \
  __host__ __device__ KFUSE_H2 __h##name##u2(KFUSE_H2, KFUSE_H2);              \
  __host__ __device__ bool __hb##name##2(KFUSE_H2, KFUSE_H2);                  \
  __host__ __device__ bool __hb##name##u2(KFUSE_H2, KFUSE_H2);                 \
  __host__ __device__ unsigned __h##name##2_mask(KFUSE_H2, KFUSE_H2);          \
  __host__ __device__ unsigned __h##name##u2_mask(KFUSE_H2, KFUSE_H2);
KFUSE_COMPARISON(==, eq)
KFUSE_COMPARISON(!=, ne)
KFUSE_COMPARISON(<, lt)
KFUSE_COMPARISON(<=, le)
KFUSE_COMPARISON(>, gt)
KFUSE_COMPARISON(>=, ge)
#undef KFUSE_COMPARISON

#define KFUSE_UNARY(name)                                                      \
  __host__ __device__ KFUSE_H __h##name(KFUSE_H);                              \
  __host__ __device__ KFUSE_H2 __h##name##2(KFUSE_H2);
#define KFUSE_BINARY(name)                                                     \
  __host__ __device__ KFUSE_H __h##name(KFUSE_H, KFUSE_H);                     \
  __host__ __device__ KFUSE_H2 __h##name##2(KFUSE_H2, KFUSE_H2);
#define KFUSE_ROUNDED(name)                                                    \
  KFUSE_BINARY(name)                                                           \
  __host__ __device__ KFUSE_H __h##name##_rn(KFUSE_H, KFUSE_H);                \
  __host__ __device__ KFUSE_H2 __h##name##2_rn(KFUSE_H2, KFUSE_H2);            \
  __host__ __device__ KFUSE_H __h##name##_sat(KFUSE_H, KFUSE_H);               \
  __host__ __device__ KFUSE_H2 __h##name##2_sat(KFUSE_H2, KFUSE_H2);
#define KFUSE_EXTREME(name)                                                    \
  KFUSE_BINARY(name)                                                           \
  __host__ __device__ KFUSE_H __h##name##_nan(KFUSE_H, KFUSE_H);               \
  __host__ __device__ KFUSE_H2 __h##name##2_nan(KFUSE_H2, KFUSE_H2);
#define KFUSE_FMA(suffix)                                                      \
  __device__ KFUSE_H __hfma##suffix(KFUSE_H, KFUSE_H, KFUSE_H);                \
  __device__ KFUSE_H2 __hfma2##suffix(KFUSE_H2, KFUSE_H2, KFUSE_H2);
#define KFUSE_MATH(name)                                                       \
  __device__ KFUSE_H h##name(KFUSE_H);                                         \
  __device__ KFUSE_H2 h2##name(KFUSE_H2);
KFUSE_UNARY(neg)
KFUSE_UNARY(abs)
KFUSE_ROUNDED(add)
KFUSE_ROUNDED(sub)
KFUSE_ROUNDED(mul)
KFUSE_EXTREME(min)
KFUSE_EXTREME(max)
KFUSE_FMA()
KFUSE_FMA(_rn)
KFUSE_FMA(_sat)
KFUSE_FMA(_relu)
KFUSE_MATH(sqrt)
KFUSE_MATH(rsqrt)
KFUSE_MATH(rcp)
KFUSE_MATH(log)
KFUSE_MATH(log2)
KFUSE_MATH(log10)
KFUSE_MATH(exp)
KFUSE_MATH(exp2)
KFUSE_MATH(exp10)
KFUSE_MATH(sin)
KFUSE_MATH(cos)
KFUSE_MATH(tanh)
KFUSE_MATH(tanh_approx)
KFUSE_MATH(floor)
KFUSE_MATH(ceil)
KFUSE_MATH(trunc)
KFUSE_MATH(rint)
#undef KFUSE_UNARY
#undef KFUSE_BINARY
#undef KFUSE_ROUNDED
#undef KFUSE_EXTREME
#undef KFUSE_FMA
#undef KFUSE_MATH

__host__ __device__ KFUSE_H operator+(const KFUSE_H &);
__host__ __device__ KFUSE_H operator-(const KFUSE_H &);
__host__ __device__ KFUSE_H &operator++(KFUSE_H &);
__host__ __device__ KFUSE_H operator++(KFUSE_H &, int);
__host__ __device__ KFUSE_H &operator--(KFUSE_H &);
__host__ __device__ KFUSE_H operator--(KFUSE_H &, int);
__host__ __device__ KFUSE_H2 operator+(const KFUSE_H2 &);
__host__ __device__ KFUSE_H2 operator-(const KFUSE_H2 &);
__host__ __device__ KFUSE_H __hdiv(KFUSE_H, KFUSE_H);
__host__ __device__ KFUSE_H2 __h2div(KFUSE_H2, KFUSE_H2);
__host__ __device__ bool __hisnan(KFUSE_H);
__host__ __device__ int __hisinf(KFUSE_H);
__host__ __device__ KFUSE_H2 __hisnan2(KFUSE_H2);
__device__ KFUSE_H2 __hcmadd(KFUSE_H2, KFUSE_H2, KFUSE_H2);
__host__ __device__ float __low2float(KFUSE_H2);
__host__ __device__ float __high2float(KFUSE_H2);
__host__ __device__ KFUSE_H2 __lowhigh2highlow(KFUSE_H2);
__device__ KFUSE_H atomicAdd(KFUSE_H *, KFUSE_H);
__device__ KFUSE_H2 atomicAdd(KFUSE_H2 *, KFUSE_H2);

// Conversions from and to a `kind` of number called `name`.
#define KFUSE_INTEGER(kind, name)                                              \
  KFUSE_CONVERT(kind, name, _rn)                                               \
  KFUSE_CONVERT(kind, name, _rz)                                               \
  KFUSE_CONVERT(kind, name, _rd)                                               \
  KFUSE_CONVERT(kind, name, _ru)
KFUSE_INTEGER(short, short)
KFUSE_INTEGER(unsigned short, ushort)
KFUSE_INTEGER(int, int)
KFUSE_INTEGER(unsigned, uint)
KFUSE_INTEGER(long long, ll)
KFUSE_INTEGER(unsigned long long, ull)
#undef KFUSE_INTEGER
