// RUN: %kfuse verify %s 2>&1 | FileCheck %s
//
// A helper that divides, or loops, may be protected by a guard: what it
// computes stays behind that.
//
// CHECK: verified: original and fused
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__device__ int parts(int i, int n) { return i / n; }
__device__ int steps(int from, int by) {
  int count = 0;
  for (int i = from; i > 0; i -= by)
    ++count;
  return count;
}
__global__ void fill(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] + 1;
}
__global__ void divide(const float *b, float *c, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (by == 0)
    return;
  int part = parts(i, by);
  if (i < n)
    c[i] = b[i] * part;
}
__global__ void walk(const float *b, float *c, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (by <= 0)
    return;
  int count = steps(i, by);
  if (i < n)
    c[i] = b[i] * count;
}

int main(int argc, char **argv) {
  const int n = 1000, by = argc > 1 ? atoi(argv[1]) : 0;
  float host[n], *a, *b, *c;
  for (int i = 0; i < n; ++i)
    host[i] = i % 13;
  for (float **each : {&a, &b, &c}) {
    cudaMalloc(each, sizeof host);
    cudaMemcpy(*each, host, sizeof host, cudaMemcpyHostToDevice);
  }
  fill<<<8, 128>>>(a, b, n);
  divide<<<8, 128>>>(b, c, n, by);
  cudaMemcpy(host, c, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g %g\n", host[3], host[n - 1]);
  fill<<<8, 128>>>(a, b, n);
  walk<<<8, 128>>>(b, c, n, by);
  cudaMemcpy(host, c, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g %g\n", host[3], host[n - 1]);
}
