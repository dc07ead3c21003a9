// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify %s -- 5 2>&1 | FileCheck %s --check-prefix=SAME
//
// Updates leave their arrays though the sizes are sums of variables: the guards
// reach all of (nx + 2) * (ny + 2) elements.

// CHECK: remark: fused 'difference', 'update'
// CHECK: remark: fused 'difference', 'update'
// OUT-COUNT-2: kfuseSwap(u, d);
// SAME: verified: original and fused
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void difference(const float *u, float *d, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < m)
    d[j * n + i] = u[j * n + (i + 1 < n ? i + 1 : i - 1)] - u[j * n + i];
}
__global__ void update(float *u, const float *d, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < m)
    u[j * n + i] = u[j * n + i] + d[j * n + i];
}

void show(const float *host, int count) {
  float sum = 0;
  for (int k = 0; k < count; ++k)
    sum += host[k] * (k % 7);
  printf("%g\n", sum);
}

void ofArguments(int argc, float *host) {
  int n = 90 + argc, m = 45;
  size_t bytes = n * m * sizeof(float);
  float *u, *d;
  cudaMalloc(&u, bytes);
  cudaMalloc(&d, bytes);
  cudaMemcpy(u, host, bytes, cudaMemcpyHostToDevice);
  dim3 block(16, 16), grid((n + 15) / 16, (m + 15) / 16);
  for (int k = 0; k < 3; ++k) {
    difference<<<grid, block>>>(u, d, n, m);
    update<<<grid, block>>>(u, d, n, m);
  }
  cudaMemcpy(host, u, bytes, cudaMemcpyDeviceToHost);
  show(host, n * m);
  cudaFree(u);
  cudaFree(d);
}

void withGhosts(int nx, int ny, float *host) {
  size_t bytes = (nx + 2) * (ny + 2) * sizeof(float);
  float *u, *d;
  cudaMalloc(&u, bytes);
  cudaMalloc(&d, bytes);
  cudaMemcpy(u, host, bytes, cudaMemcpyHostToDevice);
  dim3 block(16, 16), grid((nx + 2 + 15) / 16, (ny + 2 + 15) / 16);
  for (int k = 0; k < 3; ++k) {
    difference<<<grid, block>>>(u, d, nx + 2, ny + 2);
    update<<<grid, block>>>(u, d, nx + 2, ny + 2);
  }
  cudaMemcpy(host, u, bytes, cudaMemcpyDeviceToHost);
  show(host, (nx + 2) * (ny + 2));
  cudaFree(u);
  cudaFree(d);
}

int main(int argc, char **argv) {
  float *host = (float *)malloc(100000 * sizeof(float));
  for (int k = 0; k < 100000; ++k)
    host[k] = k % 17;
  ofArguments(argc, host);
  withGhosts(70 + argc, 40 + argc, host);
  free(host);
}
