// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse verify %s --elements-per-thread=1 2>&1 | FileCheck %s
//
// A load that comes before all else replaces loads alone: not a store, whatever
// stands between the element and `=`, nor the element's address. A load under a
// condition that a macro hides doesn't come first: x may have no such element.
//
// CHECK: verified: original and fused
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define AND &&

__global__ void inParentheses(float *x, const float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (y[i] > 3)
      (x[i]) = 1;
  }
}

__global__ void withComment(float *x, const float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (y[i] > 2)
      x[i] /* new */ = 2;
  }
}

__global__ void byPointer(float *x, const float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float *p = &x[i];
    if (y[i] > 1)
      *p = 3;
  }
}

__global__ void copy(const float *x, float *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    z[i] = x[i];
}

__global__ void place(const float *x, float *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float s = x[i];
    z[i] = s + (&x[i] - x);
  }
}

__global__ void few(float *x, const float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (i < 10 && y[i] > 3)
      x[i] = 1;
  }
}

__global__ void areFewLarge(const float *x, float *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    z[i] = i < 10 AND x[i] > 2;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1003;
  const int blocks = (n + 127) / 128;
  float *x, *y, *z, *ten, *host = (float *)malloc(n * sizeof(float));
  for (int i = 0; i < n; ++i)
    host[i] = i % 7;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&z, n * sizeof(float));
  cudaMalloc(&ten, 10 * sizeof(float));
  for (float *each : {x, y})
    cudaMemcpy(each, host, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(ten, host, 10 * sizeof(float), cudaMemcpyHostToDevice);
  const auto show = [&](const float *from, int count) {
    cudaMemcpy(host, from, count * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; ++i)
      printf("%g ", host[i]);
    printf("\n");
  };
  inParentheses<<<blocks, 128>>>(x, y, n);
  copy<<<blocks, 128>>>(x, z, n);
  show(x, n);
  show(z, n);
  withComment<<<blocks, 128>>>(x, y, n);
  place<<<blocks, 128>>>(x, z, n);
  show(x, n);
  show(z, n);
  byPointer<<<blocks, 128>>>(x, y, n);
  copy<<<blocks, 128>>>(x, z, n);
  show(x, n);
  show(z, n);
  few<<<blocks, 128>>>(ten, y, n);
  areFewLarge<<<blocks, 128>>>(ten, z, n);
  show(ten, 10);
  show(z, n);
  for (float *each : {x, y, z, ten})
    cudaFree(each);
  free(host);
}
