// Barriers, dynamic and static shared memory, shuffles, atomics.
// RUN: %kfuse-cpu %s -o %t
// RUN: %t | FileCheck %s
// RUN: env KFUSE_CPU_ORDER=reverse %t | FileCheck %s
// RUN: env KFUSE_CPU_ORDER=shuffle:7 %t | FileCheck %s
// RUN: %kfuse-cpu --sanitize %s -o %t.sanitized
// RUN: %t.sanitized 2>&1 | FileCheck %s
#include <cstdio>

__global__ void sumDynamic(const int *in, int *out, int n) {
  extern __shared__ int partial[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (threadIdx.x < s)
      partial[threadIdx.x] += partial[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(out, partial[0]);
}

__global__ void sumShuffles(const int *in, int *out, int n) {
  __shared__ int warps[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? in[i] : 0;
  for (int d = warpSize / 2; d > 0; d /= 2)
    value += __shfl_down_sync(0xffffffff, value, d);
  if (threadIdx.x % warpSize == 0)
    warps[threadIdx.x / warpSize] = value;
  __syncthreads();
  if (threadIdx.x < warpSize) {
    value = threadIdx.x < blockDim.x / warpSize ? warps[threadIdx.x] : 0;
    for (int d = 16; d > 0; d /= 2)
      value += __shfl_xor_sync(0xffffffff, value, d);
    if (threadIdx.x == 0)
      atomicAdd(out, value);
  }
}

// A thread that has left the kernel counts as arrived.
__global__ void earlyReturn(const int *in, int *out, int n) {
  __shared__ int tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  int other = threadIdx.x ^ 1;
  if (i - threadIdx.x + other < n)
    atomicAdd(out, tile[other]);
}

int run(void (*kernel)(const int *, int *, int), int threads, int bytes) {
  const int n = 1001;
  int *in, *out, sum = -1;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  for (int i = 0; i < n; ++i)
    in[i] = i;
  kernel<<<(n + threads - 1) / threads, threads, bytes>>>(in, out, n);
  cudaMemcpy(&sum, out, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  return sum;
}

int main() {
  // CHECK: dynamic 500500
  printf("dynamic %d\n", run(sumDynamic, 128, 128 * sizeof(int)));
  // CHECK: shuffles 500500
  printf("shuffles %d\n", run(sumShuffles, 96, 0));
  // CHECK: early 499500
  printf("early %d\n", run(earlyReturn, 64, 0));
}
