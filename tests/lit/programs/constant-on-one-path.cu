// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// The guards of both kernels are equal, and no text says it: where they don't
// hold, the value is the zero that its variable begins with. Compilers would
// move the product with a number to the other path, away from the sum that the
// original contracts it with. So it is set apart behind the first kernel. A
// value that is defined wherever the common guard holds needs nothing. A factor that isn't used
// again, since an update changed the value, needs nothing, and the product of
// the update is written as one.
//
// CHECK: kfuse_first_second =
// CHECK: kfuse_always_seldom =
// CHECK: kfuse_slope_weigh_add_step =
// OUT: void kfuse_first_second(
// OUT: B_value = kfuseIsolate(B_value, kfuseZero.at[0]);
// OUT: void kfuse_always_seldom(
// OUT: float D_value = a[i] + b[i];
// OUT: if (3 <= i) {
// OUT: C[i] = 3.0f * D_value + b[i];
// OUT: void kfuse_slope_weigh_add_step(
// OUT: // weigh
// OUT-NEXT: rate_value = __fmul_rn(rate_value, 0.1f + w * a[i]);
// OUT: // add
// OUT-NEXT: rate[i] = (rate_value += b[i]);
// OUT: // step
// OUT-NEXT: C[i] = dt * rate_value + a[i];
#include <cstdio>
#include <cuda_runtime.h>

__global__ void first(const float *a, const float *b, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i >= 3)
    B[i] = a[i] + b[i];
}

__global__ void second(const float *B, const float *d, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i > 2)
    C[i] = 3.0f * B[i] + d[i];
}

__global__ void always(const float *a, const float *b, float *D, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    D[i] = a[i] + b[i];
}

__global__ void seldom(const float *D, const float *d, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i >= 3)
    C[i] = 3.0f * D[i] + d[i];
}

__global__ void slope(const float *a, float *rate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float d = 0;
  if (i > 0)
    d = a[i] - a[i - 1];
  rate[i] = d;
}

__global__ void weigh(float *rate, const float *a, float w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    rate[i] *= 0.1f + w * a[i];
}

__global__ void add(float *rate, const float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    rate[i] += b[i];
}

__global__ void step(const float *rate, const float *a, float *C, float dt,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = dt * rate[i] + a[i];
}

int main() {
  const int n = 1000;
  static float h[n];
  for (int i = 0; i < n; ++i)
    h[i] = 1.0f / (i + 1);
  float *a, *b, *B, *C, *D, *rate;
  for (float **each : {&a, &b, &B, &C, &D, &rate})
    cudaMalloc(each, sizeof(h));
  for (float *each : {a, b, C})
    cudaMemcpy(each, h, sizeof(h), cudaMemcpyHostToDevice);
  first<<<8, 128>>>(a, b, B, n);
  second<<<8, 128>>>(B, b, C, n);
  cudaMemcpy(h, C, sizeof(h), cudaMemcpyDeviceToHost);
  printf("%a\n", h[10]);
  always<<<8, 128>>>(a, b, D, n);
  seldom<<<8, 128>>>(D, b, C, n);
  cudaMemcpy(h, C, sizeof(h), cudaMemcpyDeviceToHost);
  printf("%a\n", h[12]);
  slope<<<8, 128>>>(a, rate, n);
  weigh<<<8, 128>>>(rate, a, 0.3f, n);
  add<<<8, 128>>>(rate, b, n);
  step<<<8, 128>>>(rate, a, C, 0.7f, n);
  cudaMemcpy(h, C, sizeof(h), cudaMemcpyDeviceToHost);
  printf("%a\n", h[11]);
}
