//===- Cuda.cuh - The words of the probes' kernels in CUDA ----------------===//

#include <cuda_fp16.h>

#define HAS_DOUBLE
#define HAS_HALF

#define KERNEL extern "C" __global__
#define GLOBAL
#define LOCAL __shared__
#define ITEM ((int)(blockIdx.x * blockDim.x + threadIdx.x))
#define ITEMS ((int)(gridDim.x * blockDim.x))
#define LOCAL_ITEM ((int)threadIdx.x)
#define GROUP_SIZE ((int)blockDim.x)
#define GROUP ((int)blockIdx.x)
#define LONG long long
#define BARRIER __syncthreads()

typedef float4 Vector;

template <typename Type> struct Splat {
  static __device__ Type of(float x) { return Type(x); }
};
template <> struct Splat<float4> {
  static __device__ float4 of(float x) { return make_float4(x, x, x, x); }
};
template <> struct Splat<int4> {
  static __device__ int4 of(float x) {
    return make_int4(int(x), int(x), int(x), int(x));
  }
};
template <> struct Splat<half> {
  static __device__ half of(float x) { return __float2half(x); }
};
template <> struct Splat<half2> {
  static __device__ half2 of(float x) { return __float2half2_rn(x); }
};
#define SPLAT(TYPE, x) (Splat<TYPE>::of(x))
#define HALF_SPLAT(TYPE, x) (Splat<TYPE>::of(x))

// The intrinsics are never contracted.
static __device__ float FUSED(float x, float m, float b) {
  return __fmaf_rn(x, m, b);
}
static __device__ double FUSED(double x, double m, double b) {
  return __fma_rn(x, m, b);
}
static __device__ half FUSED(half x, half m, half b) { return __hfma(x, m, b); }
static __device__ half2 FUSED(half2 x, half2 m, half2 b) {
  return __hfma2(x, m, b);
}
static __device__ float4 FUSED(float4 x, float4 m, float4 b) {
  return make_float4(FUSED(x.x, m.x, b.x), FUSED(x.y, m.y, b.y),
                     FUSED(x.z, m.z, b.z), FUSED(x.w, m.w, b.w));
}
static __device__ float PLUS(float x, float, float b) {
  return __fadd_rn(x, b);
}
static __device__ double PLUS(double x, double, double b) {
  return __dadd_rn(x, b);
}
static __device__ half PLUS(half x, half, half b) { return __hadd_rn(x, b); }
static __device__ half2 PLUS(half2 x, half2, half2 b) {
  return __hadd2_rn(x, b);
}
static __device__ float4 PLUS(float4 x, float4 m, float4 b) {
  return make_float4(PLUS(x.x, m.x, b.x), PLUS(x.y, m.y, b.y),
                     PLUS(x.z, m.z, b.z), PLUS(x.w, m.w, b.w));
}
static __device__ float TIMES_PLUS(float x, float m, float b) {
  return __fadd_rn(__fmul_rn(x, m), b);
}
static __device__ double TIMES_PLUS(double x, double m, double b) {
  return __dadd_rn(__dmul_rn(x, m), b);
}
static __device__ half TIMES_PLUS(half x, half m, half b) {
  return __hadd_rn(__hmul_rn(x, m), b);
}
static __device__ int TIMES_PLUS(int x, int m, int b) {
  return int(unsigned(x) * unsigned(m) + unsigned(b));
}
static __device__ int4 TIMES_PLUS(int4 x, int4 m, int4 b) {
  return make_int4(TIMES_PLUS(x.x, m.x, b.x), TIMES_PLUS(x.y, m.y, b.y),
                   TIMES_PLUS(x.z, m.z, b.z), TIMES_PLUS(x.w, m.w, b.w));
}
static __device__ float SINE(float x, float, float) { return __sinf(x); }
static __device__ float EXPONENTIAL(float x, float, float) { return __expf(-x); }
static __device__ float ROOT(float x, float, float) { return rsqrtf(x); }
static __device__ float4 SINE(float4 x, float4, float4) {
  return make_float4(__sinf(x.x), __sinf(x.y), __sinf(x.z), __sinf(x.w));
}
static __device__ float4 EXPONENTIAL(float4 x, float4, float4) {
  return make_float4(__expf(-x.x), __expf(-x.y), __expf(-x.z), __expf(-x.w));
}
static __device__ float4 ROOT(float4 x, float4, float4) {
  return make_float4(rsqrtf(x.x), rsqrtf(x.y), rsqrtf(x.z), rsqrtf(x.w));
}

static __device__ float4 operator+(float4 x, float4 y) {
  return make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}
static __device__ float4 operator*(float4 x, float4 y) {
  return make_float4(x.x * y.x, x.y * y.y, x.z * y.z, x.w * y.w);
}
static __device__ int4 operator+(int4 x, int4 y) {
  return make_int4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}
