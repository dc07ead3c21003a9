// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu -Rkfuse-missed 2>&1 | FileCheck %s --check-prefix=MISSED
// CHECK: 6 launches -> 2
// CHECK: verified: original and fused
//
// CUB's collectives are known by what they do: all threads of a block come to
// them, and they access nothing but what they are given.
// MISSED: 'bias' and 'dot' not fused: AmbiguousContraction: the compiler may contract a sum of 'dot' in more than one way

#include <cstdio>
#include <cub/cub.cuh>
#include <cuda_runtime.h>

struct Larger {
  __device__ float operator()(float a, float b) const { return a > b ? a : b; }
};

template <int Threads>
__global__ void rowNorm(const float *x, float *y) {
  using Reduce = cub::BlockReduce<float, Threads>;
  __shared__ typename Reduce::TempStorage sums;
  __shared__ typename Reduce::TempStorage maxima;
  __shared__ float mean, most;
  const float value = x[blockIdx.x * Threads + threadIdx.x];
  const float sum = Reduce(sums).Sum(value);
  const float m = Reduce(maxima).Reduce(value, Larger());
  if (threadIdx.x == 0) {
    mean = sum / Threads;
    most = m;
  }
  __syncthreads();
  y[blockIdx.x * Threads + threadIdx.x] = (value - mean) / most;
}

__global__ void bias(float *y, const float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = y[i] + b[threadIdx.x];
}

__global__ void prefix(const float *y, float *z) {
  typedef cub::BlockScan<float, 128> Scan;
  __shared__ Scan::TempStorage storage;
  int i = blockIdx.x * 128 + threadIdx.x;
  float before, total;
  Scan(storage).ExclusiveSum(y[i], before, total);
  z[i] = before / total;
}

__global__ void relu(float *z) {
  int i = blockIdx.x * 128 + threadIdx.x;
  z[i] = fmaxf(z[i], 0.0f);
}

// The collective may add the product into an FMA of its own.
__global__ void dot(const float *x, const float *y, float *sums) {
  using Reduce = cub::BlockReduce<float, 128>;
  __shared__ Reduce::TempStorage storage;
  int i = blockIdx.x * 128 + threadIdx.x;
  const float sum = Reduce(storage).Sum(x[i] * y[i]);
  if (threadIdx.x == 0)
    sums[blockIdx.x] = sum;
}

int main() {
  const int rows = 50, n = rows * 128;
  static float h[n];
  float *x, *y, *z, *b;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&z, n * sizeof(float));
  cudaMalloc(&b, 128 * sizeof(float));
  for (int i = 0; i < n; ++i)
    h[i] = (i * 37 % 101) * 0.25f;
  cudaMemcpy(x, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, h, 128 * sizeof(float), cudaMemcpyHostToDevice);
  rowNorm<128><<<rows, 128>>>(x, y);
  bias<<<rows, 128>>>(y, b);
  prefix<<<rows, 128>>>(y, z);
  relu<<<rows, 128>>>(z);
  cudaMemcpy(h, z, n * sizeof(float), cudaMemcpyDeviceToHost);
  bias<<<rows, 128>>>(y, b);
  dot<<<rows, 128>>>(x, y, z);
  cudaMemcpy(&h[1], z, rows * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += h[i] * (i % 7);
  printf("%.9g\n", sum);
}
