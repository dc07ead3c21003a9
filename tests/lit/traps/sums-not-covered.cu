// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// Updates that can't leave their arrays of (nx + 2) * (ny + 2) elements: one
// leaves out the ghosts, and one has a grid for the interior alone.

// CHECK-NOT: remark: fused
// CHECK-COUNT-2: note: kfuse doesn't write it to another array: it may leave out elements of u
// CHECK-NOT: remark: fused
// OUT-NOT: kfuseSwap
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void difference(const float *u, float *d, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < m)
    d[j * n + i] = u[j * n + (i + 1 < n ? i + 1 : 0)] - u[j * n + i];
}
__global__ void interior(float *u, const float *d, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i > 0 && i < n - 1 && j > 0 && j < m - 1)
    u[j * n + i] = u[j * n + i] + d[j * n + i];
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

void withoutGhosts(int nx, int ny, float *host) {
  size_t bytes = (nx + 2) * (ny + 2) * sizeof(float);
  float *u, *d;
  cudaMalloc(&u, bytes);
  cudaMalloc(&d, bytes);
  cudaMemcpy(u, host, bytes, cudaMemcpyHostToDevice);
  dim3 block(16, 16), grid((nx + 2 + 15) / 16, (ny + 2 + 15) / 16);
  for (int k = 0; k < 3; ++k) {
    difference<<<grid, block>>>(u, d, nx + 2, ny + 2);
    interior<<<grid, block>>>(u, d, nx + 2, ny + 2);
  }
  cudaMemcpy(host, u, bytes, cudaMemcpyDeviceToHost);
  show(host, (nx + 2) * (ny + 2));
  cudaFree(u);
  cudaFree(d);
}

void onASmallerGrid(int nx, int ny, float *host) {
  size_t bytes = (nx + 2) * (ny + 2) * sizeof(float);
  float *u, *d;
  cudaMalloc(&u, bytes);
  cudaMalloc(&d, bytes);
  cudaMemcpy(u, host, bytes, cudaMemcpyHostToDevice);
  dim3 block(16, 16), grid((nx + 15) / 16, (ny + 15) / 16);
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
  withoutGhosts(70 + argc, 40 + argc, host);
  onASmallerGrid(70 + argc, 40 + argc, host);
  free(host);
}
