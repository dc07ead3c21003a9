// RUN: %kfuse verify %s
// RUN: %kfuse verify %s --elements-per-thread=1
// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
//
// Updates of one array in place, one after the other, in every spelling that
// an update has.

// CHECK: remark: fused 'add', 'multiply', 'subtract'
#include <cstdio>

__global__ void add(int *A, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    A[i] += 3;
}

__global__ void multiply(int *A, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    A[i] *= i % 5 + 1;
}

__global__ void subtract(int *A, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    A[i] = A[i] - 7;
}

__global__ void assign(int *A, int *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = (A[i] = 2 * A[i] + 1);
}

__global__ void increment(int *A, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    ++A[i];
}

int main() {
  const int n = 700;
  int host[n], *A, *B, sum = 0;
  for (int i = 0; i < n; ++i)
    host[i] = i;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  add<<<6, 128>>>(A, n);
  multiply<<<6, 128>>>(A, n);
  subtract<<<6, 128>>>(A, n);
  assign<<<6, 128>>>(A, B, n);
  increment<<<6, 128>>>(A, n);
  cudaMemcpy(host, A, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i];
  cudaMemcpy(host, B, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum -= host[i];
  printf("%d\n", sum);
  cudaFree(A);
  cudaFree(B);
}
