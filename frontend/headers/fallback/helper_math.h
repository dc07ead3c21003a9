// Component-wise arithmetic on the float vectors.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"

#define KFUSE_COMPONENTS2(a, op, b) {a.x op b.x, a.y op b.y}
#define KFUSE_COMPONENTS3(a, op, b) {a.x op b.x, a.y op b.y, a.z op b.z}
#define KFUSE_COMPONENTS4(a, op, b)                                            \
  {a.x op b.x, a.y op b.y, a.z op b.z, a.w op b.w}
#define KFUSE_SCALED2(a, op, s) {a.x op s, a.y op s}
#define KFUSE_SCALED3(a, op, s) {a.x op s, a.y op s, a.z op s}
#define KFUSE_SCALED4(a, op, s) {a.x op s, a.y op s, a.z op s, a.w op s}
#define KFUSE_OPERATOR(type, scalar, n, op)                                    \
  inline __host__ __device__ type operator op(type a, type b) {                \
    return KFUSE_COMPONENTS##n(a, op, b);                                      \
  }                                                                            \
  inline __host__ __device__ type operator op(type a, scalar s) {              \
    return KFUSE_SCALED##n(a, op, s);                                          \
  }                                                                            \
  inline __host__ __device__ void operator op##=(type &a, type b) {            \
    a = a op b;                                                                \
  }                                                                            \
  inline __host__ __device__ void operator op##=(type &a, scalar s) {          \
    a = a op s;                                                                \
  }
#define KFUSE_OPERATORS(type, scalar, n)                                       \
  KFUSE_OPERATOR(type, scalar, n, +)                                           \
  KFUSE_OPERATOR(type, scalar, n, -)                                           \
  KFUSE_OPERATOR(type, scalar, n, *)                                           \
  KFUSE_OPERATOR(type, scalar, n, /)                                           \
  inline __host__ __device__ type operator*(scalar s, type a) {                \
    return a * s;                                                              \
  }                                                                            \
  inline __host__ __device__ type operator+(scalar s, type a) { return a + s; }
KFUSE_OPERATORS(float2, float, 2)
KFUSE_OPERATORS(float3, float, 3)
KFUSE_OPERATORS(float4, float, 4)
KFUSE_OPERATORS(int2, int, 2)
KFUSE_OPERATORS(int3, int, 3)
KFUSE_OPERATORS(int4, int, 4)
#undef KFUSE_OPERATORS
#undef KFUSE_OPERATOR
#undef KFUSE_SCALED2
#undef KFUSE_SCALED3
#undef KFUSE_SCALED4
#undef KFUSE_COMPONENTS2
#undef KFUSE_COMPONENTS3
#undef KFUSE_COMPONENTS4
inline __host__ __device__ float2 make_float2(float s) { return {s, s}; }
inline __host__ __device__ float3 make_float3(float s) { return {s, s, s}; }
inline __host__ __device__ float4 make_float4(float s) { return {s, s, s, s}; }
inline __host__ __device__ float3 make_float3(float4 a) {
  return {a.x, a.y, a.z};
}
inline __host__ __device__ float4 make_float4(float3 a, float w) {
  return {a.x, a.y, a.z, w};
}
inline __host__ __device__ float2 operator-(float2 a) { return {-a.x, -a.y}; }
inline __host__ __device__ float3 operator-(float3 a) {
  return {-a.x, -a.y, -a.z};
}
inline __host__ __device__ float dot(float2 a, float2 b) {
  return a.x * b.x + a.y * b.y;
}
inline __host__ __device__ float dot(float3 a, float3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline __host__ __device__ float dot(float4 a, float4 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
inline __host__ __device__ float3 cross(float3 a, float3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline __device__ float length(float3 a) { return sqrtf(dot(a, a)); }
inline __device__ float3 normalize(float3 a) { return a * rsqrtf(dot(a, a)); }
inline __host__ __device__ float clamp(float x, float low, float high) {
  return x < low ? low : x > high ? high : x;
}
inline __host__ __device__ int clamp(int x, int low, int high) {
  return x < low ? low : x > high ? high : x;
}
inline __host__ __device__ float lerp(float a, float b, float t) {
  return a + t * (b - a);
}
