// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse verify %s --elements-per-thread=1
//
// A stage that takes a value, stores another one under a condition, and loads
// the element again: nobody takes the value later, but it does itself.

// CHECK: 2 launches -> 1
// CHECK: verified
#include <cstdio>

__global__ void triple(const int *A, int *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] * 3;
}

__global__ void replace(const int *A, int *B, int *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (A[i] < 8)
      B[i] = 7;
    C[i] = B[i];
  }
}

int main() {
  const int n = 1000;
  int host[n], *A, *B, *C;
  for (int i = 0; i < n; ++i)
    host[i] = i % 23;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  triple<<<4, 256>>>(A, B, n);
  replace<<<4, 256>>>(A, B, C, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[3], host[9]);
  cudaMemcpy(host, B, sizeof(host), cudaMemcpyDeviceToHost);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}
