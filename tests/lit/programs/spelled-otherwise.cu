// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=VERIFY
//
// Kernels and launches as others spell them: compound literals, a barrier of
// cooperative groups, text for whoever compiles CUDA, launches under `case`. A
// barrier that some threads don't reach stays one.
//
// CHECK: 8 launches -> 3
// OUT:      switch (argc) {
// OUT-NEXT: case 1:
// OUT-NEXT:   kfuse_add_halve<<<
// OUT-NEXT:   break;
// OUT-NEXT: case 2:
// OUT-NEXT: case 3: kfuse_halve_add<<<
// OUT:      default:
// OUT-NEXT:   add<<<
// OUT-NEXT: }
// OUT-NEXT: kfuse_halve_turned_halve_turnedByMost<<<
// VERIFY: verified: original and fused
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

namespace cg = cooperative_groups;

__device__ float2 sum(float2 a, float2 b) {
  return (float2){a.x + b.x, a.y + b.y};
}
__global__ void add(float2 *x, int n) {
#if defined(__CUDACC__) // and not where a linter reads it
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#else
  int i = 0;
#endif
  if (i < n)
    x[i] = sum(x[i], x[i]);
}
__global__ void halve(float2 *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = (float2){x[i].x / 2, x[i].y / 2};
}
__global__ void turned(const float2 *x, float *y, int n) {
  cg::thread_block block = cg::this_thread_block();
  __shared__ float row[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  row[threadIdx.x] = i < n ? x[i].x : 0;
  block.sync();
  float other = row[127 - threadIdx.x];
  cg::sync(block);
  if (i < n)
    y[i] = other;
}
__global__ void turnedByMost(const float2 *x, float *y, int n) {
  auto block = cg::this_thread_block();
  __shared__ float row[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  row[threadIdx.x] = x[i].y;
  block.sync();
  y[i] = row[threadIdx.x / 2];
}

__global__ void chosen(const float *x, float *y, int k, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    switch (k)
    default:
      y[i] = x[i] + 1;
}
__global__ void atMostTwo(float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = y[i] < 2 ? y[i] : 2;
}

int main(int argc, char **) {
  const int n = 4000, grid = (n + 127) / 128;
  std::vector<float2> h(n);
  for (int i = 0; i < n; ++i)
    h[i] = {0.5f * (i % 7), 0.25f * (i % 11)};
  float2 *x;
  float *y, *z;
  cudaMalloc(&x, n * sizeof(float2));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&z, n * sizeof(float));
  cudaMemcpy(x, h.data(), n * sizeof(float2), cudaMemcpyHostToDevice);
  switch (argc) {
  case 1:
    add<<<grid, 128>>>(x, n);
    halve<<<grid, 128>>>(x, n);
    break;
  case 2:
  case 3: halve<<<grid, 128>>>(x, n); add<<<grid, 128>>>(x, n);
    break;
  default:
    add<<<grid, 128>>>(x, n);
  }
  halve<<<grid, 128>>>(x, n);
  turned<<<grid, 128>>>(x, y, n);
  halve<<<grid, 128>>>(x, n);
  turnedByMost<<<grid, 128>>>(x, z, n);
  chosen<<<grid, 128>>>(y, z, argc, n);
  atMostTwo<<<grid, 128>>>(z, n);
  std::vector<float> r(2 * n);
  cudaMemcpy(r.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(r.data() + n, z, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 2 * n; i += 331)
    std::printf("%g ", r[i]);
  std::printf("\n");
}
