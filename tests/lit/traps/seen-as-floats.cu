// RUN: %kfuse %s -o %t.cu -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: cmp %s %t.cu
// RUN: %kfuse verify %s
//
// The bits of floats, stored as integers and loaded through a cast. Within one
// kernel the compiler takes an int and a float for different places, and may
// load before it stores.

// CHECK: remark: 'store' and 'load' not fused: NonPolynomialIndex: {{.+}}different types
// CHECK: remark: 'load' and 'clear' not fused: NonPolynomialIndex: {{.+}}different types
#include <cstdio>
#include <cuda_runtime.h>

__global__ void store(const int *A, int *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 8;
}

__global__ void load(int *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = ((const float *)B)[i] * 2;
}

__global__ void clear(int *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = 0;
}

int main() {
  const int n = 1000;
  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  int *A, *B;
  float *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  store<<<8, 128>>>(A, B, n);
  load<<<8, 128>>>(B, C, n);
  clear<<<8, 128>>>(B, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  cudaMemcpy(host, B, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  printf("%.3f\n", sum);
}
