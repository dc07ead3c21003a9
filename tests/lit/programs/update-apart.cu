// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify %s -- 300 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse %s -o %t.cu --quiet --save-plan=%t.json
// RUN: %kfuse %s -o %t2.cu --quiet --plan=%t.json
// RUN: cmp %t.cu %t2.cu
//
// A stencil reads an array at neighbours and a later kernel updates all of it,
// in place or not, or in both arms of an `if`. The update goes to the array
// that the stencil wrote, which nobody needs any more, and the host swaps the
// two pointers.

// CHECK: remark: fused 'laplace', 'update'
// CHECK: remark: fused 'laplace', 'relax'
// CHECK: remark: fused 'laplace', 'clamp'
// CHECK: remark: writing the new u into lap becomes a swap of u with lap
// CHECK: remark: writing the new u into lap becomes a swap of u with lap
// CHECK: remark: writing the new u into next becomes a swap of u with next
// SAME: verified: original and fused

// OUT:     {{^}}static __device__ __forceinline__ void update_at(
// OUT:     {{^ *}}lap[i] = u[i] + (dt * lap_value);
// OUT:     {{^}}static __device__ __forceinline__ void relax_at(
// OUT:     {{^ *}}old[i] = w * old_value + 3;
// OUT:     {{^}}static __global__ void kfuse_laplace_clamp(
// OUT:     {{^ *}}lap[i] = old - 0.125f;
// OUT:     {{^}}int main(
// OUT:     {{^ *}}kfuse_laplace_update<<<
// OUT:     {{^ *}}kfuseSwap(u, lap);
// OUT:     {{^ *}}kfuse_laplace_relax<<<
// OUT:     {{^ *}}kfuseSwap(u, lap);
// OUT:     {{^ *}}kfuse_laplace_clamp<<<
// OUT:     {{^ *}}kfuseSwap(u, next);
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

// Of a ring.
__global__ void laplace(const float *u, float *lap, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int left = i > 0 ? i - 1 : n - 1, right = i < n - 1 ? i + 1 : 0;
  lap[i] = u[left] - 2 * u[i] + u[right];
}

__global__ void update(float *__restrict__ u, const float *__restrict__ lap,
                       float dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    u[i] += dt * lap[i];
}

__global__ void relax(float *next, const float *old, float w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    next[i] = w * old[i] + 3;
}

// Doesn't look at what the stencil wrote.
__global__ void clamp(float *u, const float *bound, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float old = u[i];
    if (old > bound[i])
      u[i] = bound[i];
    else
      u[i] = old - 0.125f;
  }
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1000, blocks = (n + 127) / 128;
  const size_t bytes = n * sizeof(float);
  float *host = (float *)malloc(bytes);
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  float *u, *lap, *bound, *next;
  cudaMalloc(&u, bytes);
  cudaMalloc(&lap, bytes);
  cudaMalloc(&bound, bytes);
  cudaMalloc(&next, bytes);
  cudaMemcpy(u, host, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(bound, host, bytes, cudaMemcpyHostToDevice);
  for (int step = 0; step < 5; ++step) {
    laplace<<<blocks, 128>>>(u, lap, n);
    update<<<blocks, 128>>>(u, lap, 0.1f, n);
  }
  cudaMemcpy(host, u, bytes, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    printf("%g ", host[i]);
  for (int step = 0; step < 4; ++step) {
    laplace<<<blocks, 128>>>(u, lap, n);
    relax<<<blocks, 128>>>(u, lap, 0.25f, n);
  }
  cudaMemcpy(host, u, bytes, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    printf("%g ", host[i]);
  laplace<<<blocks, 128>>>(u, next, n);
  clamp<<<blocks, 128>>>(u, bound, n);
  cudaMemcpy(host, u, bytes, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    printf("%g ", host[i]);
  cudaFree(u);
  cudaFree(lap);
  cudaFree(bound);
  cudaFree(next);
  free(host);
}
