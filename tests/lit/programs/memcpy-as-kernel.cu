// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=OUT < %t.cu
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// A copy within the device is a stage of what stands beside it, in front or
// behind, with its check or without, of a part of an array too. A copy to the
// host, one whose direction isn't said, one of another type, and one that
// fuses with nothing stay as they were.

// CHECK: remark: fused 'memcpy_float', 'step'
// CHECK: remark: fused 'step', 'memcpy_float'
// SAME: verified: original and fused

// OUT:      // kfuse: cudaMemcpy of float as a kernel.
// OUT-NEXT: static __global__ void memcpy_float(float *to, const float *from, long long count) {
// OUT:      {{^}}int main() {
// OUT:      kfuse_memcpy_float_step<<<
// OUT:      CHECK(cudaSuccess);
// OUT:      kfuse_step_memcpy_float<<<
// OUT:      cudaMemcpy(old, a, bytes, cudaMemcpyDefault);
// OUT-NEXT: step<<<
// OUT:      cudaMemcpy(old, marks, n, cudaMemcpyDeviceToDevice);
// OUT-NEXT: step<<<
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t status = call;                                                 \
    if (status != cudaSuccess) {                                               \
      printf("%s\n", cudaGetErrorString(status));                              \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

__global__ void step(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = a[i] * 0.5f + 1;
}

float sum(const float *d, int n) {
  static float h[1000];
  float all = 0;
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    all += h[i];
  return all;
}

int main() {
  const int n = 1000, blocks = (n + 255) / 256;
  const size_t bytes = n * sizeof(float);
  static float h[n];
  for (int i = 0; i < n; ++i)
    h[i] = i % 23;
  float *a, *old;
  unsigned char *marks;
  cudaMalloc(&a, bytes);
  cudaMalloc(&old, bytes);
  cudaMalloc(&marks, bytes);
  cudaMemcpy(a, h, bytes, cudaMemcpyHostToDevice);
  cudaMemset(marks, 1, bytes);
  cudaDeviceSynchronize();
  CHECK(cudaMemcpy(old, a, bytes, cudaMemcpyDeviceToDevice));
  step<<<blocks, 256>>>(a, n);
  printf("%g %g\n", sum(a, n), sum(old, n));
  step<<<blocks, 256>>>(a, n);
  cudaMemcpyAsync(old, a, (n - 10) * sizeof(float), cudaMemcpyDeviceToDevice);
  printf("%g %g\n", sum(a, n), sum(old, n));
  cudaMemcpy(old, a, bytes, cudaMemcpyDefault);
  step<<<blocks, 256>>>(a, n);
  printf("%g %g\n", sum(a, n), sum(old, n));
  cudaMemcpy(old, marks, n, cudaMemcpyDeviceToDevice);
  step<<<blocks, 256>>>(a, n);
  printf("%g %g\n", sum(a, n), sum(old, n));
  cudaFree(a);
  cudaFree(old);
  cudaFree(marks);
}
