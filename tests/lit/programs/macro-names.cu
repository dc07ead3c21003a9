// RUN: %kfuse verify %s -DN=4096 -Dwords=2 2>&1 | FileCheck %s
//
// Macros of the program, of its headers and of the command line have the names
// that kfuse would give to its own.

// CHECK: 2 launches -> 1
// CHECK: verified

#include <cstdio>
#include <cuda_runtime.h>

#include "Inputs/macro-names.cuh"

__global__ void scale(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] * 2 + zero;
}

__global__ void shift(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] + 1;
}

int main() {
  const int n = 700;
  float host[n], *A, *B, *C;
  for (int i = 0; i < n; ++i)
    host[i] = i;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  scale<<<6, 128>>>(A, B, n);
  shift<<<6, 128>>>(B, C, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%f %f\n", host[699], (T)N * v * value + words + zero + block + at);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}
