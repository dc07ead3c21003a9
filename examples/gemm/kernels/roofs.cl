//===- roofs.cl - What a device can do at most ----------------------------===//
//
//   WIDTH    floats of a vector
//   CHAINS   sums that don't wait for each other
//   LENGTH   multiply-adds of each sum
//
//===----------------------------------------------------------------------===//

#if WIDTH == 1
typedef float Vector;
#define FIRST(vector) (vector)
#else
#define JOIN_TOKENS(first, second) first##second
#define JOIN(first, second) JOIN_TOKENS(first, second)
typedef JOIN(float, WIDTH) Vector;
#define FIRST(vector) (vector).s0
#endif

// Multiply-adds on registers alone.
__kernel void multiply_add(const float factor, __global float *result) {
  Vector sum[CHAINS];
#pragma unroll
  for (int chain = 0; chain < CHAINS; ++chain)
    sum[chain] = (Vector)((float)(get_local_id(0) + chain));
  for (int i = 0; i < LENGTH; ++i)
#pragma unroll
    for (int chain = 0; chain < CHAINS; ++chain)
      sum[chain] = mad(sum[chain], (Vector)factor, (Vector)factor);
  Vector total = (Vector)0.0f;
#pragma unroll
  for (int chain = 0; chain < CHAINS; ++chain)
    total += sum[chain];
  result[get_global_id(0)] = FIRST(total);
}

__kernel void copy(const __global float4 *from, __global float4 *to) {
  to[get_global_id(0)] = from[get_global_id(0)];
}
