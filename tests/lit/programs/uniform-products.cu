// RUN: %kfuse %s --elements-per-thread=4 -o %t.cu --quiet
// RUN: %code %t.cu | FileCheck %s
// RUN: %kfuse verify %s --elements-per-thread=4
//
// A thread's elements have the product `s * 0.25f` in common, which the
// compiler would compute once instead of contracting it with each sum. Setting
// its factor apart is enough for one body. Variables that `?:` chooses between
// are only read.
//
// CHECK: void kfuse_scale_clamp_lessen(
// CHECK: // clamp
// CHECK-NEXT: float clamped = kfuseIsolate(
// CHECK: // lessen
// CHECK-NEXT: float s_lessen_apart = kfuseIsolate(s_lessen, kfuseZero.at[1 * 4 + v]);
// CHECK-NEXT: b[i] = clamped - s_lessen_apart * 0.25f;
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

__global__ void scale(const float *a, float *b, float s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] * s + 0.5f;
}

__global__ void clamp(const float *a, float *b, float s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] > s ? s : a[i];
}

__global__ void lessen(const float *a, float *b, float s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] - s * 0.25f;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 10000;
  const size_t bytes = n * sizeof(float);
  std::vector<float> h(n);
  for (int i = 0; i < n; ++i)
    h[i] = 1.0f / (i + 1);
  float *a, *scaled, *clamped, *b;
  cudaMalloc(&a, bytes);
  cudaMalloc(&scaled, bytes);
  cudaMalloc(&clamped, bytes);
  cudaMalloc(&b, bytes);
  cudaMemcpy(a, h.data(), bytes, cudaMemcpyHostToDevice);
  const int blocks = (n + 255) / 256;
  scale<<<blocks, 256>>>(a, scaled, 1.5f, n);
  clamp<<<blocks, 256>>>(scaled, clamped, 0.7f, n);
  lessen<<<blocks, 256>>>(clamped, b, 0.3f, n);
  cudaFree(scaled);
  cudaFree(clamped);
  cudaMemcpy(h.data(), b, bytes, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float each : h)
    sum = sum * 1.001 + each;
  printf("%.9g\n", sum);
}
