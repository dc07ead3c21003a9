// RUN: %kfuse verify %s 2>&1 | FileCheck %s
//
// A `continue` in a switch goes on with the loop around it: what follows the
// switch may not run.

// CHECK: launches -> 3
// CHECK: verified:

#include <cstdio>

constexpr int N = 256;

__global__ void make(const float *a, float *t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  t[i] = a[i] + 0.5f;
}
__global__ void take(const float *t, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = t[i] * 2.0f;
}
__global__ void finish(const float *b, float *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = b[N - 1 - i];
}

int main() {
  float *a, *b, *t, h[N] = {};
  cudaMalloc(&a, sizeof(h));
  cudaMalloc(&b, sizeof(h));
  cudaMalloc(&t, sizeof(h));
  cudaMemcpy(a, h, sizeof(h), cudaMemcpyHostToDevice);
  for (int k = 0; k < 3; ++k) {
    make<<<1, 256>>>(a, t);
    switch (k) {
    case 2:
      continue;
    }
    take<<<1, 256>>>(t, b);
    finish<<<1, 256>>>(b, a);
  }
  cudaMemcpy(h, b, sizeof(h), cudaMemcpyDeviceToHost);
  printf("%g\n", h[7]);
  cudaFree(a);
  cudaFree(b);
  cudaFree(t);
}
