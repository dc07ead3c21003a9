// A test whether a variable is the number that another launch has would seldom hold, and the fused kernel seldom run; but
// it may be the number that the program takes by default, or nothing may be added to it.
// RUN: %kfuse %s -o %t.cu --assume=no-wrap -DFIRST=30 -DSECOND=n 2>&1 | FileCheck %s --check-prefix=SELDOM
// RUN: %kfuse %s -o %t.cu --assume=no-wrap -DFIRST=n -DSECOND=30001 2>&1 | FileCheck %s --check-prefix=SELDOM
// RUN: %kfuse %s -o %t.cu --assume=no-wrap -DFIRST=n/128 -DSECOND=235 2>&1 | FileCheck %s --check-prefix=SELDOM
// RUN: %kfuse %s -o %t.cu --assume=no-wrap -DFIRST=more+4 -DSECOND=5 2>&1 | FileCheck %s --check-prefix=SELDOM
// RUN: %kfuse %s -o %t.cu --assume=no-wrap -DFIRST=n -DSECOND=30000 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu --assume=no-wrap -DFIRST=n/128 -DSECOND=234 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu --assume=no-wrap -DFIRST=more+4 -DSECOND=4 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu --assume=no-wrap -DFIRST=n -DSECOND=more 2>&1 | FileCheck %s
// SELDOM: 2 launches -> 2
// SELDOM: left: 1 DifferentShape
// CHECK: 2 launches -> 1
// CHECK: under 1 condition tested at run time
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void twice(const float *A, float *B, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] * 2.0f;
}

__global__ void most(const float *B, float *C, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = fmaxf(B[i], 3.0f);
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 30000;
  const int more = argc > 2 ? atoi(argv[2]) : argc;
  float *A, *B, *C;
  cudaMalloc(&A, n * sizeof(float));
  cudaMalloc(&B, n * sizeof(float));
  cudaMalloc(&C, n * sizeof(float));
  cudaMemset(A, 1, n * sizeof(float));
  twice<<<FIRST, 128>>>(A, B, n);
  most<<<SECOND, 128>>>(B, C, n);
  float *result = static_cast<float *>(malloc(n * sizeof(float)));
  cudaMemcpy(result, C, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", result[n / 2]);
  cudaMemcpy(result, B, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", result[n / 2]);
  free(result);
  return 0;
}
