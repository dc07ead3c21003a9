// Device-side random numbers: declarations only.
#pragma once
#pragma GCC system_header
#define CURAND_KERNEL_H_
#include "cuda_runtime.h"

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
  __device__ float2 curand_normal2(state *);
KFUSE_RANDOM(curandStateXORWOW_t)
KFUSE_RANDOM(curandStatePhilox4_32_10_t)
KFUSE_RANDOM(curandStateMRG32k3a_t)
#undef KFUSE_RANDOM
typedef curandStateXORWOW_t curandState_t;
typedef curandStateXORWOW_t curandState;
typedef curandStatePhilox4_32_10_t curandStatePhilox4_32_10;
