// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s -o - --quiet | FileCheck %s --check-prefix=OUT
//
// An element is stored in each arm of an `if`: whoever reads it always gets a
// value, and the array needs no memory.

// CHECK: 3 launches -> 1
// CHECK: never stored: B, D
// CHECK: verified: original and fused
// OUT-NOT: bool &{{[BD]}}_written
#include <cstdio>
#include <cuda_runtime.h>

__global__ void border(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    B[i] = A[i - 1] + A[i + 1];
  else if (i < n)
    B[i] = A[i];
}

__global__ void steps(const float *B, float *D, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (i % 3 == 0) {
      if (B[i] > 9)
        D[i] = B[i] * 2;
      else
        D[i] = B[i];
    } else {
      D[i] = -B[i];
    }
  }
}

__global__ void last(const float *B, const float *D, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] + D[i];
}

int main() {
  const int n = 1000;
  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = i % 37;
  float *A, *B, *C, *D;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&D, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  border<<<8, 128>>>(A, B, n);
  steps<<<8, 128>>>(B, D, n);
  last<<<8, 128>>>(B, D, C, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  printf("%.3f\n", sum);
}
