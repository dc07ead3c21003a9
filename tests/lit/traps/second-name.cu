// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// Two names for one array: the copy of a pointer is the same memory.

// CHECK: remark: fused 'scale', 'shift'
// OUT: C[i] = X_tile[1];
#include <cstdio>
#include <cuda_runtime.h>

__global__ void scale(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = 2 * A[i];
}

__global__ void shift(const float *X, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1)
    C[i] = X[i + 1];
}

int main() {
  const int n = 1000;
  static float host[1000];
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  float *A, *B, *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(B, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(C, host, sizeof(host), cudaMemcpyHostToDevice);

  float *const X = B;
  scale<<<(n + 127) / 128, 128>>>(A, B, n);
  shift<<<(n + 127) / 128, 128>>>(X, C, n);

  double sum = 0;
  cudaMemcpy(host, A, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  cudaMemcpy(host, B, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  printf("%.3f\n", sum);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}
