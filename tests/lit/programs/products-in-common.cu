// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// Two kernels with one product each: where it may be the same, the compiler
// would compute it once and add it twice, instead of contracting it with both
// sums. So one of them gets a scalar that they share set apart, or, if there is
// none, stays a stage that gets its pointers set apart.
//
// A root that another kernel divides by is opaque, since nvcc would make one
// `rsqrt` of both with -use_fast_math.
//
// CHECK: kfuse_above_below =
// CHECK: kfuse_above_beside =
// CHECK: kfuse_beside_again =
// CHECK: kfuse_root_inverse =
// OUT: void kfuse_above_below(
// OUT: // above
// OUT-NEXT: up[i] = a * x[i] + y[i];
// OUT: // below
// OUT-NEXT: float a_below_apart = kfuseIsolate(a_below, kfuseZero.at[0]);
// OUT-NEXT: down[i] = a_below_apart * x[i] + z[i];
// OUT: void kfuse_above_beside(
// OUT: // above
// OUT-NEXT: up[i] = a * x[i] + y[i];
// OUT-EMPTY:
// OUT-NEXT: // beside
// OUT-NEXT: side[i] = z[i] * x[i] + z[i];
// OUT: void kfuse_beside_again(
// OUT: beside_at(i, x, z, side, n);
// OUT-NEXT: again_at(i, kfuseIsolate(x, kfuseZero.at[0]),
// OUT: void kfuse_root_inverse(
// OUT: = kfuseIsolate(sqrtf(x[i]), kfuseZero.at[0]);
#include <cstdio>
#include <cuda_runtime.h>

__global__ void above(const float *x, const float *y, float *up, float a,
                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    up[i] = a * x[i] + y[i];
}

__global__ void below(const float *x, const float *z, float *down, float a,
                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    down[i] = a * x[i] + z[i];
}

__global__ void beside(const float *x, const float *z, float *side, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    side[i] = z[i] * x[i] + z[i];
}

__global__ void again(const float *x, const float *z, float *more, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    more[i] = z[i] * x[i] + x[i];
}

__global__ void root(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = sqrtf(x[i]);
}

__global__ void inverse(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = 1.0f / x[i];
}

int main() {
  const int n = 1000;
  static float h[n];
  for (int i = 0; i < n; ++i)
    h[i] = 1.0f / (i + 1);
  float *x, *y, *z, *up, *down;
  for (float **each : {&x, &y, &z, &up, &down})
    cudaMalloc(each, sizeof(h));
  for (float *each : {x, y, z})
    cudaMemcpy(each, h, sizeof(h), cudaMemcpyHostToDevice);
  const float a = 0.3f;
  above<<<8, 128>>>(x, y, up, a, n);
  below<<<8, 128>>>(x, z, down, a, n);
  cudaMemcpy(h, down, sizeof(h), cudaMemcpyDeviceToHost);
  printf("%a\n", h[10]);
  above<<<8, 128>>>(x, y, up, a, n);
  beside<<<8, 128>>>(x, z, down, n);
  cudaMemcpy(h, down, sizeof(h), cudaMemcpyDeviceToHost);
  printf("%a\n", h[11]);
  cudaMemcpy(h, up, sizeof(h), cudaMemcpyDeviceToHost);
  printf("%a\n", h[12]);
  beside<<<8, 128>>>(x, z, down, n);
  again<<<8, 128>>>(x, z, up, n);
  cudaMemcpy(h, up, sizeof(h), cudaMemcpyDeviceToHost);
  printf("%a\n", h[10]);
  root<<<8, 128>>>(x, y, n);
  inverse<<<8, 128>>>(y, up, n);
  cudaMemcpy(h, up, sizeof(h), cudaMemcpyDeviceToHost);
  printf("%a\n", h[13]);
}
