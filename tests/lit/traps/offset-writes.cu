// RUN: %kfuse %s -o - --quiet -Rkfuse-missed 2>&1 | FileCheck %s
//
// The producer's pointer begins within the array, behind the first rows, so
// that each value is another thread's. The remark counts from the array's begin.

// CHECK: CrossThreadFlow: 'twice' reads B at (i), which another thread of 'next' writes at (i + 200)
#include <cstdio>
#include <cuda_runtime.h>

__global__ void next(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

__global__ void twice(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = 2 * B[i];
}

int main() {
  const int n = 1000;
  static float host[n];
  float *A, *B, *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host) + 200 * sizeof(float));
  cudaMalloc(&C, sizeof(host));
  cudaMemset(A, 0, sizeof(host));
  cudaMemset(B, 0, sizeof(host));
  next<<<8, 128>>>(A, B + 200, n);
  twice<<<8, 128>>>(B, C, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%g %g\n", host[0], host[n - 1]);
}
