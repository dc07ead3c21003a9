//===- OpenCl.cl - The words of the probes' kernels in OpenCL -------------===//
//
// Defined from outside: VECTOR, the type that memory is read in; HAS_DOUBLE and
// HAS_HALF, where the device has them.
//
//===----------------------------------------------------------------------===//

#pragma OPENCL FP_CONTRACT OFF
#if !defined(cl_khr_fp64) && !defined(__opencl_c_fp64)
#undef HAS_DOUBLE
#endif
#ifndef cl_khr_fp16
#undef HAS_HALF
#endif
#ifdef HAS_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#ifdef HAS_HALF
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif
#define HAS_WIDE

#define KERNEL __kernel
#define GLOBAL __global
#define LOCAL __local
#define ITEM ((int)get_global_id(0))
#define ITEMS ((int)get_global_size(0))
#define LOCAL_ITEM ((int)get_local_id(0))
#define GROUP_SIZE ((int)get_local_size(0))
#define GROUP ((int)get_group_id(0))
#define LONG long
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)

typedef VECTOR Vector;
#define SPLAT(TYPE, x) ((TYPE)(x))
#define HALF_SPLAT(TYPE, x) ((TYPE)((half)(x)))

#define FUSED(x, m, b) fma(x, m, b)
#define PLUS(x, m, b) ((x) + (b))
#define TIMES_PLUS(x, m, b) ((x) * (m) + (b))
#define SINE(x, m, b) native_sin(x)
#define EXPONENTIAL(x, m, b) native_exp(-(x))
#define ROOT(x, m, b) native_rsqrt(x)
