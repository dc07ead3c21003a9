// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// CHECK: 4 launches -> 1
// CHECK: verified: original and fused
//
// Cooperative groups of a block and of its warps are known by what they do: how
// many threads they have, which one it is, and that they wait and exchange.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void scale(float *x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] * by;
}

// A row of 256 for each block.
__global__ void rowSums(const float *x, float *sums) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  __shared__ float parts[8];
  float value = x[blockIdx.x * 256 + block.thread_rank()];
  for (int half = warp.size() / 2; half > 0; half /= 2)
    value += warp.shfl_down(value, half);
  if (warp.thread_rank() == 0)
    parts[warp.meta_group_rank()] = value;
  block.sync();
  if (block.thread_rank() == 0) {
    float sum = 0;
    for (int i = 0; i < 8; ++i)
      sum += parts[i];
    sums[blockIdx.x] = sum;
  }
}

__device__ float warpMax(const cg::thread_block_tile<32> &warp, float value) {
  return cg::reduce(warp, value, cg::greater<float>());
}

__global__ void rowMax(const float *x, float *most) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  __shared__ float parts[8];
  const float value = warpMax(warp, x[blockIdx.x * 256 + threadIdx.x]);
  if (warp.thread_rank() == 0)
    parts[warp.meta_group_rank()] = value;
  cg::sync(block);
  if (threadIdx.x == 0) {
    float m = parts[0];
    for (int i = 1; i < 8; ++i)
      m = fmaxf(m, parts[i]);
    most[blockIdx.x] = m;
  }
}

__global__ void centre(float *y, const float *x, const float *sums,
                       const float *most) {
  int i = blockIdx.x * 256 + threadIdx.x;
  y[i] = (x[i] - sums[blockIdx.x]) / most[blockIdx.x];
}

int main() {
  const int rows = 64, n = rows * 256;
  static float h[n];
  float *x, *y, *s, *m;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&s, rows * sizeof(float));
  cudaMalloc(&m, rows * sizeof(float));
  for (int i = 0; i < n; ++i)
    h[i] = (i * 37 % 101) * 0.25f;
  cudaMemcpy(x, h, n * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<rows, 256>>>(x, 0.5f, n);
  rowSums<<<rows, 256>>>(x, s);
  rowMax<<<rows, 256>>>(x, m);
  centre<<<rows, 256>>>(y, x, s, m);
  cudaMemcpy(h, y, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += h[i] * (i % 7);
  printf("%.9g\n", sum);
}
