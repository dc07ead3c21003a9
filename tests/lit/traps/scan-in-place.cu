// RUN: %kfuse %s -o %t.cu -Rkfuse --relaxed-rounding
// RUN: cmp %s %t.cu
// RUN: %kfuse verify --relaxed-rounding %s 2>&1 | FileCheck %s
//
// One thread that goes through all of an array reads what it has just written:
// the new content can't go to another array.

// CHECK: verified: nothing was fused
#include <cstdio>
#include <cuda_runtime.h>

__global__ void laplace(const float *u, float *lap, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    lap[i] = i > 0 && i < n - 1 ? u[i - 1] - 2 * u[i] + u[i + 1] : 0;
}
__global__ void scan(float *u, const float *lap, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x) {
    const float before = i > 0 ? u[i - 1] : 0;
    u[i] = before * 0.5f + lap[i];
  }
}

int main() {
  const int n = 1000;
  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  float *u, *lap;
  cudaMalloc(&u, n * sizeof(float));
  cudaMalloc(&lap, n * sizeof(float));
  cudaMemcpy(u, host, n * sizeof(float), cudaMemcpyHostToDevice);
  laplace<<<1, 1>>>(u, lap, n);
  scan<<<1, 1>>>(u, lap, n);
  cudaMemcpy(host, u, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    printf("%g ", host[i]);
  cudaFree(u);
  cudaFree(lap);
}
