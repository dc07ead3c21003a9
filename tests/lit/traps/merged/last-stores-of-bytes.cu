// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse verify %s --elements-per-thread=1 2>&1 | FileCheck %s
//
// A thread has sixteen neighbouring bytes, of which some are behind the last
// one. The store that is made for both kernels must leave these out, and is more
// than what a table of one byte's results holds.
//
// CHECK: 4 launches -> 2
// CHECK: verified: original and fused
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void copy(unsigned char *x, const unsigned char *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = y[i];
}

__global__ void mix(unsigned char *x, const unsigned char *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = (y[i] * 7 ^ 3) + y[i] / 3 + y[i] % 5;
}

__global__ void raise(unsigned char *x, unsigned char *z, int n, int more) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (more)
      x[i] += 1;
    z[i] = (x[i] * 3 + 1) / 7 + (x[i] ^ 5) + x[i] % 11;
  }
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1003;
  unsigned char *x, *y, *z, *host = (unsigned char *)malloc(n);
  for (int i = 0; i < n; ++i)
    host[i] = i % 253;
  cudaMalloc(&x, n);
  cudaMalloc(&y, n);
  cudaMalloc(&z, n);
  cudaMemcpy(y, host, n, cudaMemcpyHostToDevice);
  const int blocks = (n + 127) / 128;
  copy<<<blocks, 128>>>(x, y, n);
  raise<<<blocks, 128>>>(x, z, n, argc);
  for (const unsigned char *each : {x, z}) {
    cudaMemcpy(host, each, n, cudaMemcpyDeviceToHost);
    printf("%d %d\n", host[3], host[n - 1]);
  }
  mix<<<blocks, 128>>>(x, y, n);
  raise<<<blocks, 128>>>(x, z, n, argc);
  for (const unsigned char *each : {x, z}) {
    cudaMemcpy(host, each, n, cudaMemcpyDeviceToHost);
    printf("%d %d\n", host[3], host[n - 1]);
  }
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
  free(host);
}
