// RUN: %kfuse %s -o %t.cu -Rkfuse
// RUN: cmp %s %t.cu
// RUN: %kfuse verify %s 2>&1 | FileCheck %s
//
// Updates behind a stencil that have no other place: what the stencil wrote is
// read later; the borders aren't updated; the kernel reads its own update, or
// counts in its index; one variable is named as another; the arrays differ in
// size.

// CHECK: verified: nothing was fused
#include <cstdio>
#include <cuda_runtime.h>

__global__ void laplace(const float *u, float *lap, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int left = i > 0 ? i - 1 : n - 1, right = i < n - 1 ? i + 1 : 0;
  lap[i] = u[left] - 2 * u[i] + u[right];
}
__global__ void update(float *u, const float *lap, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    u[i] += 0.1f * lap[i];
}
__global__ void inner(float *u, const float *lap, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    u[i] += 0.1f * lap[i];
}
__global__ void twice(float *u, const float *lap, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    u[i] += 0.1f * lap[i];
    u[i] += 0.2f * lap[i];
  }
}
__global__ void counted(float *u, const float *lap, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int k = i;
  if (i < n)
    u[k++] += 0.1f * lap[i];
}
__global__ void renamed(float *u, const float *lap, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float *v = u;
    v[i] += 0.1f * lap[i];
  }
}

int main() {
  const int n = 1000, blocks = 8;
  static float host[n + 1];
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  float *u, *lap, *large;
  cudaMalloc(&u, n * sizeof(float));
  cudaMalloc(&lap, n * sizeof(float));
  cudaMalloc(&large, (n + 1) * sizeof(float));
  cudaMemcpy(u, host, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(large, host, (n + 1) * sizeof(float), cudaMemcpyHostToDevice);

  laplace<<<blocks, 128>>>(u, lap, n);
  update<<<blocks, 128>>>(u, lap, n);
  cudaMemcpy(host, lap, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", host[5]);

  laplace<<<blocks, 128>>>(u, lap, n);
  inner<<<blocks, 128>>>(u, lap, n);
  cudaDeviceSynchronize();

  laplace<<<blocks, 128>>>(u, lap, n);
  twice<<<blocks, 128>>>(u, lap, n);
  cudaDeviceSynchronize();

  laplace<<<blocks, 128>>>(u, lap, n);
  counted<<<blocks, 128>>>(u, lap, n);
  cudaDeviceSynchronize();

  laplace<<<blocks, 128>>>(u, lap, n);
  renamed<<<blocks, 128>>>(u, lap, n);
  cudaMemcpy(host, lap, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", host[6]);

  laplace<<<blocks, 128>>>(u, large, n);
  update<<<blocks, 128>>>(u, large, n);
  cudaMemcpy(host, large, (n + 1) * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", host[7]);
  cudaMemcpy(host, lap, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", host[8]);
  cudaMemcpy(host, u, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    printf("%g ", host[i]);
  cudaFree(u);
  cudaFree(lap);
  cudaFree(large);
}
