// Device-side random numbers: declarations only.
#pragma once
#pragma GCC system_header
#define CURAND_KERNEL_H_
#include "cuda_runtime.h"

typedef struct curandDiscreteDistribution_st *curandDiscreteDistribution_t;

#define KFUSE_RANDOM(state)                                                    \
  struct state {                                                               \
    unsigned v[12];                                                            \
  };                                                                           \
  __device__ void curand_init(unsigned long long, unsigned long long,          \
                              unsigned long long, state *);                    \
  __device__ unsigned curand(state *);                                         \
  __device__ float curand_uniform(state *);                                    \
  __device__ double curand_uniform_double(state *);                            \
  __device__ float curand_normal(state *);                                     \
  __device__ double curand_normal_double(state *);                             \
  __device__ float2 curand_normal2(state *);                                   \
  __device__ double2 curand_normal2_double(state *);                           \
  __device__ float curand_log_normal(state *, float, float);                   \
  __device__ double curand_log_normal_double(state *, double, double);         \
  __device__ float2 curand_log_normal2(state *, float, float);                 \
  __device__ double2 curand_log_normal2_double(state *, double, double);       \
  __device__ unsigned curand_poisson(state *, double);                         \
  __device__ unsigned curand_discrete(state *, curandDiscreteDistribution_t);  \
  __device__ void skipahead(unsigned long long, state *);                      \
  __device__ void skipahead_sequence(unsigned long long, state *);
KFUSE_RANDOM(curandStateXORWOW_t)
KFUSE_RANDOM(curandStatePhilox4_32_10_t)
KFUSE_RANDOM(curandStateMRG32k3a_t)
#undef KFUSE_RANDOM
// Only this generator makes four numbers at once.
__device__ uint4 curand4(curandStatePhilox4_32_10_t *);
__device__ float4 curand_uniform4(curandStatePhilox4_32_10_t *);
__device__ double2 curand_uniform2_double(curandStatePhilox4_32_10_t *);
__device__ double4 curand_uniform4_double(curandStatePhilox4_32_10_t *);
__device__ float4 curand_normal4(curandStatePhilox4_32_10_t *);
__device__ double4 curand_normal4_double(curandStatePhilox4_32_10_t *);
__device__ float4 curand_log_normal4(curandStatePhilox4_32_10_t *, float,
                                     float);
__device__ double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *,
                                             double, double);
__device__ uint4 curand_poisson4(curandStatePhilox4_32_10_t *, double);
typedef curandStateXORWOW_t curandState_t;
typedef curandStateXORWOW_t curandState;
typedef curandStatePhilox4_32_10_t curandStatePhilox4_32_10;
typedef curandStateMRG32k3a_t curandStateMRG32k3a;
