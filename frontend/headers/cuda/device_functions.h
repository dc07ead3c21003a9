// Barriers, fences, atomics, warp operations and intrinsics of device code.
// Declarations only: their meaning is known to the analysis by name.
#pragma once
#pragma GCC system_header
#include "vector_types.h"

extern "C" {
__device__ int printf(const char *, ...);
__device__ void *malloc(decltype(sizeof(0)));
__device__ void free(void *);
__device__ void __assert_fail(const char *, const char *, unsigned int,
                              const char *);
__device__ void *memcpy(void *, const void *, decltype(sizeof(0)));
__device__ void *memset(void *, int, decltype(sizeof(0)));
}

__device__ void __syncthreads();
__device__ int __syncthreads_count(int);
__device__ int __syncthreads_and(int);
__device__ int __syncthreads_or(int);
__device__ void __syncwarp(unsigned mask = 0xffffffff);
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __threadfence_system();
__device__ void __trap();
__device__ void __brkpt();
__device__ void __nanosleep(unsigned);
__device__ void __prof_trigger(int);
__device__ long clock();
__device__ long long clock64();
__device__ unsigned long long globaltimer();

#define KFUSE_ATOMIC(type, name, ...)                                          \
  __device__ type name(type *, ##__VA_ARGS__);                                 \
  __device__ type name##_block(type *, ##__VA_ARGS__);                         \
  __device__ type name##_system(type *, ##__VA_ARGS__);
#define KFUSE_INTEGER_ATOMICS(type)                                            \
  KFUSE_ATOMIC(type, atomicAdd, type)                                          \
  KFUSE_ATOMIC(type, atomicExch, type)                                         \
  KFUSE_ATOMIC(type, atomicMin, type)                                          \
  KFUSE_ATOMIC(type, atomicMax, type)                                          \
  KFUSE_ATOMIC(type, atomicAnd, type)                                          \
  KFUSE_ATOMIC(type, atomicOr, type)                                           \
  KFUSE_ATOMIC(type, atomicXor, type)                                          \
  KFUSE_ATOMIC(type, atomicCAS, type, type)
KFUSE_INTEGER_ATOMICS(int)
KFUSE_INTEGER_ATOMICS(unsigned int)
KFUSE_INTEGER_ATOMICS(unsigned long long)
KFUSE_ATOMIC(long long, atomicMin, long long)
KFUSE_ATOMIC(long long, atomicMax, long long)
KFUSE_ATOMIC(int, atomicSub, int)
KFUSE_ATOMIC(unsigned int, atomicSub, unsigned int)
KFUSE_ATOMIC(unsigned int, atomicInc, unsigned int)
KFUSE_ATOMIC(unsigned int, atomicDec, unsigned int)
KFUSE_ATOMIC(unsigned short, atomicCAS, unsigned short, unsigned short)
KFUSE_ATOMIC(float, atomicAdd, float)
KFUSE_ATOMIC(double, atomicAdd, double)
KFUSE_ATOMIC(float2, atomicAdd, float2)
KFUSE_ATOMIC(float4, atomicAdd, float4)
KFUSE_ATOMIC(float, atomicExch, float)
#undef KFUSE_INTEGER_ATOMICS
#undef KFUSE_ATOMIC

template <typename T>
__device__ T __shfl_sync(unsigned, T, int, int width = 32);
template <typename T>
__device__ T __shfl_up_sync(unsigned, T, unsigned, int width = 32);
template <typename T>
__device__ T __shfl_down_sync(unsigned, T, unsigned, int width = 32);
template <typename T>
__device__ T __shfl_xor_sync(unsigned, T, int, int width = 32);
template <typename T> __device__ T __shfl(T, int, int width = 32);
template <typename T> __device__ T __shfl_up(T, unsigned, int width = 32);
template <typename T> __device__ T __shfl_down(T, unsigned, int width = 32);
template <typename T> __device__ T __shfl_xor(T, int, int width = 32);
__device__ int __all_sync(unsigned, int);
__device__ int __any_sync(unsigned, int);
__device__ int __uni_sync(unsigned, int);
__device__ unsigned __ballot_sync(unsigned, int);
__device__ int __all(int);
__device__ int __any(int);
__device__ unsigned __ballot(int);
__device__ unsigned __activemask();
template <typename T> __device__ unsigned __match_any_sync(unsigned, T);
template <typename T> __device__ unsigned __match_all_sync(unsigned, T, int *);
__device__ unsigned __reduce_add_sync(unsigned, unsigned);
__device__ unsigned __reduce_min_sync(unsigned, unsigned);
__device__ unsigned __reduce_max_sync(unsigned, unsigned);
__device__ unsigned __reduce_and_sync(unsigned, unsigned);
__device__ unsigned __reduce_or_sync(unsigned, unsigned);
__device__ unsigned __reduce_xor_sync(unsigned, unsigned);

template <typename T> __device__ T __ldg(const T *);
#include "kfuse_cache_operators.h"
__device__ unsigned __isGlobal(const void *);
__device__ unsigned __isShared(const void *);
__device__ unsigned __isConstant(const void *);
__device__ unsigned __isLocal(const void *);
__device__ unsigned __isGridConstant(const void *);
#define KFUSE_SPACE(name)                                                      \
  __device__ decltype(sizeof(0)) __cvta_generic_to_##name(const void *);       \
  __device__ void *__cvta_##name##_to_generic(decltype(sizeof(0)));
KFUSE_SPACE(shared)
KFUSE_SPACE(global)
KFUSE_SPACE(constant)
KFUSE_SPACE(local)
KFUSE_SPACE(grid_constant)
#undef KFUSE_SPACE

// Clusters of blocks.
__device__ void __cluster_barrier_arrive();
__device__ void __cluster_barrier_arrive_relaxed();
__device__ void __cluster_barrier_wait();
__device__ void __threadfence_cluster();
__device__ void *__cluster_map_shared_rank(const void *, unsigned);
__device__ unsigned __cluster_query_shared_rank(const void *);
__device__ unsigned __clusterDimIsSpecified();
__device__ dim3 __clusterDim();
__device__ dim3 __clusterRelativeBlockIdx();
__device__ dim3 __clusterGridDimInClusters();
__device__ dim3 __clusterIdx();
__device__ unsigned __clusterRelativeBlockRank();
__device__ unsigned __clusterSizeInBlocks();
__device__ void __barrier_sync(unsigned);
__device__ void __barrier_sync_count(unsigned, unsigned);

#define KFUSE_INTRINSIC(result, name, ...) __device__ result name(__VA_ARGS__);
KFUSE_INTRINSIC(int, __mul24, int, int)
KFUSE_INTRINSIC(unsigned, __umul24, unsigned, unsigned)
KFUSE_INTRINSIC(int, __mulhi, int, int)
KFUSE_INTRINSIC(unsigned, __umulhi, unsigned, unsigned)
KFUSE_INTRINSIC(long long, __mul64hi, long long, long long)
KFUSE_INTRINSIC(unsigned long long, __umul64hi, unsigned long long,
                unsigned long long)
KFUSE_INTRINSIC(int, __clz, int)
KFUSE_INTRINSIC(int, __clzll, long long)
KFUSE_INTRINSIC(int, __ffs, int)
KFUSE_INTRINSIC(int, __ffsll, long long)
KFUSE_INTRINSIC(int, __popc, unsigned)
KFUSE_INTRINSIC(int, __popcll, unsigned long long)
KFUSE_INTRINSIC(unsigned, __brev, unsigned)
KFUSE_INTRINSIC(unsigned long long, __brevll, unsigned long long)
KFUSE_INTRINSIC(unsigned, __byte_perm, unsigned, unsigned, unsigned)
KFUSE_INTRINSIC(unsigned, __funnelshift_l, unsigned, unsigned, unsigned)
KFUSE_INTRINSIC(unsigned, __funnelshift_r, unsigned, unsigned, unsigned)
KFUSE_INTRINSIC(unsigned, __funnelshift_lc, unsigned, unsigned, unsigned)
KFUSE_INTRINSIC(unsigned, __funnelshift_rc, unsigned, unsigned, unsigned)
KFUSE_INTRINSIC(int, __hadd, int, int)
KFUSE_INTRINSIC(int, __rhadd, int, int)
KFUSE_INTRINSIC(unsigned, __uhadd, unsigned, unsigned)
KFUSE_INTRINSIC(unsigned, __sad, int, int, unsigned)
KFUSE_INTRINSIC(unsigned, __usad, unsigned, unsigned, unsigned)
KFUSE_INTRINSIC(int, __dp4a, int, int, int)
KFUSE_INTRINSIC(unsigned, __dp4a, unsigned, unsigned, unsigned)
KFUSE_INTRINSIC(int, __dp4a, char4, char4, int)
KFUSE_INTRINSIC(unsigned, __dp4a, uchar4, uchar4, unsigned)
KFUSE_INTRINSIC(int, __dp2a_lo, int, int, int)
KFUSE_INTRINSIC(unsigned, __dp2a_lo, unsigned, unsigned, unsigned)
KFUSE_INTRINSIC(int, __dp2a_lo, short2, char4, int)
KFUSE_INTRINSIC(unsigned, __dp2a_lo, ushort2, uchar4, unsigned)
KFUSE_INTRINSIC(int, __dp2a_hi, int, int, int)
KFUSE_INTRINSIC(unsigned, __dp2a_hi, unsigned, unsigned, unsigned)
KFUSE_INTRINSIC(int, __dp2a_hi, short2, char4, int)
KFUSE_INTRINSIC(unsigned, __dp2a_hi, ushort2, uchar4, unsigned)
KFUSE_INTRINSIC(unsigned, __urhadd, unsigned, unsigned)
KFUSE_INTRINSIC(unsigned, __fns, unsigned, unsigned, int)
// Two or four numbers in one word; `s` and `u` are signed and not.
#define KFUSE_LANES(name)                                                      \
  KFUSE_INTRINSIC(unsigned, __v##name##2, unsigned, unsigned)                  \
  KFUSE_INTRINSIC(unsigned, __v##name##4, unsigned, unsigned)
#define KFUSE_SIGNS(name) KFUSE_LANES(name##s) KFUSE_LANES(name##u)
#define KFUSE_COMPARED(name) KFUSE_LANES(cmp##name) KFUSE_LANES(set##name)
#define KFUSE_ORDERED(name) KFUSE_COMPARED(name##s) KFUSE_COMPARED(name##u)
#define KFUSE_LANE(name)                                                       \
  KFUSE_INTRINSIC(unsigned, __v##name##2, unsigned)                            \
  KFUSE_INTRINSIC(unsigned, __v##name##4, unsigned)
KFUSE_LANES(add)
KFUSE_LANES(sub)
KFUSE_LANES(addss)
KFUSE_LANES(addus)
KFUSE_LANES(subss)
KFUSE_LANES(subus)
KFUSE_LANES(haddu)
KFUSE_SIGNS(avg)
KFUSE_SIGNS(absdiff)
KFUSE_SIGNS(sad)
KFUSE_SIGNS(min)
KFUSE_SIGNS(max)
KFUSE_COMPARED(eq)
KFUSE_COMPARED(ne)
KFUSE_ORDERED(lt)
KFUSE_ORDERED(le)
KFUSE_ORDERED(gt)
KFUSE_ORDERED(ge)
KFUSE_LANE(abs)
KFUSE_LANE(absss)
KFUSE_LANE(neg)
KFUSE_LANE(negss)
#undef KFUSE_LANES
#undef KFUSE_SIGNS
#undef KFUSE_COMPARED
#undef KFUSE_ORDERED
#undef KFUSE_LANE
// The least and the greatest of sums and of three, of words or halves of them.
#define KFUSE_EXTREMES(kind, name)                                             \
  KFUSE_INTRINSIC(kind, __viaddmin_##name, kind, kind, kind)                   \
  KFUSE_INTRINSIC(kind, __viaddmax_##name, kind, kind, kind)                   \
  KFUSE_INTRINSIC(kind, __vimin3_##name, kind, kind, kind)                     \
  KFUSE_INTRINSIC(kind, __vimax3_##name, kind, kind, kind)
KFUSE_EXTREMES(int, s32)
KFUSE_EXTREMES(int, s32_relu)
KFUSE_EXTREMES(unsigned, u32)
KFUSE_EXTREMES(unsigned, s16x2)
KFUSE_EXTREMES(unsigned, s16x2_relu)
KFUSE_EXTREMES(unsigned, u16x2)
#undef KFUSE_EXTREMES
// Which of the two it was is told as well.
KFUSE_INTRINSIC(int, __vibmin_s32, int, int, bool *)
KFUSE_INTRINSIC(int, __vibmax_s32, int, int, bool *)
KFUSE_INTRINSIC(unsigned, __vibmin_u32, unsigned, unsigned, bool *)
KFUSE_INTRINSIC(unsigned, __vibmax_u32, unsigned, unsigned, bool *)
KFUSE_INTRINSIC(unsigned, __vibmin_s16x2, unsigned, unsigned, bool *, bool *)
KFUSE_INTRINSIC(unsigned, __vibmax_s16x2, unsigned, unsigned, bool *, bool *)
KFUSE_INTRINSIC(unsigned, __vibmin_u16x2, unsigned, unsigned, bool *, bool *)
KFUSE_INTRINSIC(unsigned, __vibmax_u16x2, unsigned, unsigned, bool *, bool *)
KFUSE_INTRINSIC(int, __vimin_s32_relu, int, int)
KFUSE_INTRINSIC(int, __vimax_s32_relu, int, int)
KFUSE_INTRINSIC(unsigned, __vimin_s16x2_relu, unsigned, unsigned)
KFUSE_INTRINSIC(unsigned, __vimax_s16x2_relu, unsigned, unsigned)
KFUSE_INTRINSIC(int, __float_as_int, float)
KFUSE_INTRINSIC(unsigned, __float_as_uint, float)
KFUSE_INTRINSIC(float, __int_as_float, int)
KFUSE_INTRINSIC(float, __uint_as_float, unsigned)
KFUSE_INTRINSIC(long long, __double_as_longlong, double)
KFUSE_INTRINSIC(double, __longlong_as_double, long long)
KFUSE_INTRINSIC(int, __double2hiint, double)
KFUSE_INTRINSIC(int, __double2loint, double)
KFUSE_INTRINSIC(double, __hiloint2double, int, int)
#define KFUSE_CONVERSIONS(suffix)                                              \
  KFUSE_INTRINSIC(int, __float2int_##suffix, float)                            \
  KFUSE_INTRINSIC(unsigned, __float2uint_##suffix, float)                      \
  KFUSE_INTRINSIC(long long, __float2ll_##suffix, float)                       \
  KFUSE_INTRINSIC(unsigned long long, __float2ull_##suffix, float)             \
  KFUSE_INTRINSIC(float, __int2float_##suffix, int)                            \
  KFUSE_INTRINSIC(float, __uint2float_##suffix, unsigned)                      \
  KFUSE_INTRINSIC(float, __ll2float_##suffix, long long)                       \
  KFUSE_INTRINSIC(float, __ull2float_##suffix, unsigned long long)             \
  KFUSE_INTRINSIC(int, __double2int_##suffix, double)                          \
  KFUSE_INTRINSIC(unsigned, __double2uint_##suffix, double)                    \
  KFUSE_INTRINSIC(long long, __double2ll_##suffix, double)                     \
  KFUSE_INTRINSIC(float, __double2float_##suffix, double)                      \
  KFUSE_INTRINSIC(unsigned long long, __double2ull_##suffix, double)           \
  KFUSE_INTRINSIC(double, __ll2double_##suffix, long long)                     \
  KFUSE_INTRINSIC(double, __ull2double_##suffix, unsigned long long)           \
  KFUSE_INTRINSIC(float, __fadd_##suffix, float, float)                        \
  KFUSE_INTRINSIC(float, __fsub_##suffix, float, float)                        \
  KFUSE_INTRINSIC(float, __fmul_##suffix, float, float)                        \
  KFUSE_INTRINSIC(float, __fdiv_##suffix, float, float)                        \
  KFUSE_INTRINSIC(float, __fmaf_##suffix, float, float, float)                 \
  KFUSE_INTRINSIC(float, __frcp_##suffix, float)                               \
  KFUSE_INTRINSIC(float, __fsqrt_##suffix, float)                              \
  KFUSE_INTRINSIC(double, __dadd_##suffix, double, double)                     \
  KFUSE_INTRINSIC(double, __dsub_##suffix, double, double)                     \
  KFUSE_INTRINSIC(double, __dmul_##suffix, double, double)                     \
  KFUSE_INTRINSIC(double, __ddiv_##suffix, double, double)                     \
  KFUSE_INTRINSIC(double, __fma_##suffix, double, double, double)              \
  KFUSE_INTRINSIC(double, __drcp_##suffix, double)                             \
  KFUSE_INTRINSIC(double, __dsqrt_##suffix, double)
KFUSE_CONVERSIONS(rn)
KFUSE_CONVERSIONS(rz)
KFUSE_CONVERSIONS(ru)
KFUSE_CONVERSIONS(rd)
#undef KFUSE_CONVERSIONS
KFUSE_INTRINSIC(double, __int2double_rn, int)
KFUSE_INTRINSIC(double, __uint2double_rn, unsigned)
KFUSE_INTRINSIC(float, __tanhf, float)
KFUSE_INTRINSIC(float, __frsqrt_rn, float)
KFUSE_INTRINSIC(float, __fdividef, float, float)
KFUSE_INTRINSIC(float, __saturatef, float)
KFUSE_INTRINSIC(float, __sinf, float)
KFUSE_INTRINSIC(float, __cosf, float)
KFUSE_INTRINSIC(float, __tanf, float)
KFUSE_INTRINSIC(float, __expf, float)
KFUSE_INTRINSIC(float, __exp10f, float)
KFUSE_INTRINSIC(float, __logf, float)
KFUSE_INTRINSIC(float, __log2f, float)
KFUSE_INTRINSIC(float, __log10f, float)
KFUSE_INTRINSIC(float, __powf, float, float)
__device__ void __sincosf(float, float *, float *);
#undef KFUSE_INTRINSIC
