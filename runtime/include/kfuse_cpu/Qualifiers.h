//===- kfuse_cpu/Qualifiers.h - CUDA's qualifiers and macros in plain C++ -===//
//
// Kernels run one at a time and their threads are fibers of one system thread,
// so a block's shared variable can be an ordinary static one.
//
//===----------------------------------------------------------------------===//
#ifndef KFUSE_CPU_QUALIFIERS_H
#define KFUSE_CPU_QUALIFIERS_H

/// Marks the variables and functions that the record of a program omits; see
/// Record.h.
#ifdef KFUSE_CPU_RECORD
#define KFUSE_CPU_INSIDE __attribute__((section("kfuse_cpu_inside")))
#define KFUSE_CPU_UNRECORDED __attribute__((no_sanitize("thread")))
// A function that must be inlined is optimised first, and may lose accesses.
#define __forceinline__ inline
#else
#define KFUSE_CPU_INSIDE
#define KFUSE_CPU_UNRECORDED
#define __forceinline__ inline __attribute__((always_inline))
#endif

#define __global__
#define __device__
#define __host__
#define __shared__ static KFUSE_CPU_INSIDE
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __block_size__(...)
#define __maxnreg__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI
#define CUDART_CB
#define CUDAAPI

#define CUDART_VERSION 12040
#define CUDA_VERSION 12040
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4

/// Gives the argument's text after macro expansion.
#define KFUSE_CPU_TEXT(...) KFUSE_CPU_TEXT_OF(__VA_ARGS__)
#define KFUSE_CPU_TEXT_OF(...) #__VA_ARGS__

#endif
