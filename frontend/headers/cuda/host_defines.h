// CUDA's function and variable qualifiers.
#pragma once
#pragma GCC system_header
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
// What only kernels have: kfuse reads the annotations.
#define __grid_constant__ __attribute__((annotate("__grid_constant__")))
#define __noinline__ __attribute__((noinline))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __maxnreg__(...) __attribute__((annotate("__maxnreg__")))
#define __cluster_dims__(...) __attribute__((annotate("__cluster_dims__")))
#define __block_size__(...) __attribute__((annotate("__block_size__")))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define CUDARTAPI
#define CUDART_CB
#define CUDAAPI
