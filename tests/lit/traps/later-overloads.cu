// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// CHECK: launches -> 2
// CHECK: verified
//
// As a template, which what computes an array would make of it, 'kinds' would
// find the function behind it, where the structure's namespace is looked up
// again.

#include <cstdio>
#include <cuda_runtime.h>
struct Two {
  float x, y;
};
template <typename T> __device__ float kindOf(T) { return 1; }
__global__ void pairs(const float *a, Two *t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    t[i] = {a[i], a[i]};
}
__global__ void kinds(const Two *t, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = kindOf(t[n - 1 - i]);
}
__device__ float kindOf(Two) { return 2; }
int main() {
  const int n = 1000;
  static float h[n];
  float *a, *c;
  Two *t;
  for (int i = 0; i < n; ++i)
    h[i] = i;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  cudaMalloc(&t, n * sizeof(Two));
  cudaMemcpy(a, h, sizeof(h), cudaMemcpyHostToDevice);
  pairs<<<8, 128>>>(a, t, n);
  kinds<<<8, 128>>>(t, c, n);
  cudaMemcpy(h, c, sizeof(h), cudaMemcpyDeviceToHost);
  printf("%g\n", h[5]);
  cudaFree(a);
  cudaFree(c);
  cudaFree(t);
}
