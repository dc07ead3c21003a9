//===- roofs.cl - What a device can do at most ----------------------------===//
//
//   WIDTH    floats of a vector: 1, 4, 8 or 16
//   CHAINS   sums that don't wait for each other
//   LENGTH   multiply-adds of each sum
//
//===----------------------------------------------------------------------===//

// Components that aren't stored, or that are equal, need not be computed: all
// are added up, and each begins with another number.
#if WIDTH == 1
typedef float Vector;
#define DIFFERENT 0.0f
#define TOTAL(vector) (vector)
#elif WIDTH == 4
typedef float4 Vector;
#define DIFFERENT (float4)(0, 1, 2, 3)
#define TOTAL(vector) dot(vector, (float4)1.0f)
#elif WIDTH == 8
typedef float8 Vector;
#define DIFFERENT (float8)(0, 1, 2, 3, 4, 5, 6, 7)
#define TOTAL(vector) dot((vector).lo + (vector).hi, (float4)1.0f)
#else
typedef float16 Vector;
#define DIFFERENT                                                             \
  (float16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#define TOTAL(vector)                                                         \
  dot((vector).lo.lo + (vector).lo.hi + (vector).hi.lo + (vector).hi.hi,      \
      (float4)1.0f)
#endif

// Multiply-adds on registers alone.
__kernel void multiply_add(const float factor, __global float *result) {
  Vector sum[CHAINS];
#pragma unroll
  for (int chain = 0; chain < CHAINS; ++chain)
    sum[chain] = DIFFERENT + (float)(get_local_id(0) + chain);
  for (int i = 0; i < LENGTH; ++i)
#pragma unroll
    for (int chain = 0; chain < CHAINS; ++chain)
      sum[chain] = mad(sum[chain], (Vector)factor, (Vector)factor);
  Vector total = (Vector)0.0f;
#pragma unroll
  for (int chain = 0; chain < CHAINS; ++chain)
    total += sum[chain];
  result[get_global_id(0)] = TOTAL(total);
}

__kernel void copy(const __global float4 *from, __global float4 *to) {
  to[get_global_id(0)] = from[get_global_id(0)];
}
