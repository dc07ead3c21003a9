//===- curand_kernel.h - Random numbers in kernels ------------------------===//
//
// Other numbers than cuRAND's: each is a hash of the seed, the sequence and how
// many came before it.
//
//===----------------------------------------------------------------------===//
#pragma once
#pragma GCC system_header
#define CURAND_KERNEL_H_
#include "cuda_runtime.h"

#include <math.h>

typedef struct curandDiscreteDistribution_st *curandDiscreteDistribution_t;

#define KFUSE_RANDOM(state)                                                    \
  struct state {                                                               \
    unsigned long long sequence, count, unused[4];                             \
  };                                                                           \
  __device__ inline void skipahead(unsigned long long n, state *s) {           \
    s->count += n;                                                             \
  }                                                                            \
  __device__ inline void skipahead_sequence(unsigned long long n, state *s) {  \
    s->sequence += n * 0x9e3779b97f4a7c15ull;                                  \
  }                                                                            \
  __device__ inline void curand_init(unsigned long long seed,                  \
                                     unsigned long long sequence,              \
                                     unsigned long long offset, state *s) {    \
    s->sequence = seed * 0xd1342543de82ef95ull + 1;                            \
    s->count = offset;                                                         \
    skipahead_sequence(sequence, s);                                           \
  }                                                                            \
  __device__ inline unsigned curand(state *s) {                                \
    unsigned long long x = s->sequence ^ ++s->count * 0xbf58476d1ce4e5b9ull;   \
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;                                 \
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;                                 \
    return (unsigned)(x >> 32);                                                \
  }                                                                            \
  __device__ inline float curand_uniform(state *s) {                           \
    return ((curand(s) >> 8) + 1) / 16777216.0f;                               \
  }                                                                            \
  __device__ inline double curand_uniform_double(state *s) {                   \
    return (curand(s) + 1.0) / 4294967296.0;                                   \
  }                                                                            \
  __device__ inline double2 curand_normal2_double(state *s) {                  \
    const double radius = sqrt(-2 * log(curand_uniform_double(s)));            \
    const double angle = 6.283185307179586 * curand_uniform_double(s);         \
    return {radius * cos(angle), radius * sin(angle)};                         \
  }                                                                            \
  __device__ inline double curand_normal_double(state *s) {                    \
    return curand_normal2_double(s).x;                                         \
  }                                                                            \
  __device__ inline float2 curand_normal2(state *s) {                          \
    const double2 both = curand_normal2_double(s);                             \
    return {(float)both.x, (float)both.y};                                     \
  }                                                                            \
  __device__ inline float curand_normal(state *s) {                            \
    return (float)curand_normal_double(s);                                     \
  }                                                                            \
  __device__ inline double curand_log_normal_double(state *s, double mean,     \
                                                    double deviation) {        \
    return exp(mean + deviation * curand_normal_double(s));                    \
  }                                                                            \
  __device__ inline float curand_log_normal(state *s, float mean,              \
                                            float deviation) {                 \
    return (float)curand_log_normal_double(s, mean, deviation);                \
  }                                                                            \
  __device__ inline double2 curand_log_normal2_double(state *s, double mean,   \
                                                      double deviation) {      \
    const double2 both = curand_normal2_double(s);                             \
    return {exp(mean + deviation * both.x), exp(mean + deviation * both.y)};   \
  }                                                                            \
  __device__ inline float2 curand_log_normal2(state *s, float mean,            \
                                              float deviation) {               \
    const double2 both = curand_log_normal2_double(s, mean, deviation);        \
    return {(float)both.x, (float)both.y};                                     \
  }                                                                            \
  __device__ inline unsigned curand_poisson(state *s, double mean) {           \
    unsigned count = 0;                                                        \
    for (double rest = mean + log(curand_uniform_double(s)); rest > 0;         \
         rest += log(curand_uniform_double(s)))                                \
      ++count;                                                                 \
    return count;                                                              \
  }                                                                            \
  __device__ unsigned curand_discrete(state *, curandDiscreteDistribution_t);
KFUSE_RANDOM(curandStateXORWOW_t)
KFUSE_RANDOM(curandStatePhilox4_32_10_t)
KFUSE_RANDOM(curandStateMRG32k3a_t)
#undef KFUSE_RANDOM

// Only this generator makes four numbers at once.
#define KFUSE_FOUR(type, name, one)                                            \
  __device__ inline type name(curandStatePhilox4_32_10_t *s) {                 \
    type result;                                                               \
    result.x = one(s);                                                         \
    result.y = one(s);                                                         \
    result.z = one(s);                                                         \
    result.w = one(s);                                                         \
    return result;                                                             \
  }
KFUSE_FOUR(uint4, curand4, curand)
KFUSE_FOUR(float4, curand_uniform4, curand_uniform)
KFUSE_FOUR(double4, curand_uniform4_double, curand_uniform_double)
KFUSE_FOUR(float4, curand_normal4, curand_normal)
KFUSE_FOUR(double4, curand_normal4_double, curand_normal_double)
#undef KFUSE_FOUR
__device__ inline double2
curand_uniform2_double(curandStatePhilox4_32_10_t *s) {
  const double first = curand_uniform_double(s);
  return {first, curand_uniform_double(s)};
}
__device__ float4 curand_log_normal4(curandStatePhilox4_32_10_t *, float,
                                     float);
__device__ double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *,
                                             double, double);
__device__ uint4 curand_poisson4(curandStatePhilox4_32_10_t *, double);

typedef curandStateXORWOW_t curandState_t;
typedef curandStateXORWOW_t curandState;
typedef curandStatePhilox4_32_10_t curandStatePhilox4_32_10;
typedef curandStateMRG32k3a_t curandStateMRG32k3a;
