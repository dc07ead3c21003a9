// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %kfuse verify %s
//
// A grid-stride loop that one thread runs has an order, which it would lose as
// a thread for each iteration.

// CHECK: remark: 'scale' and 'prefix' not fused: DifferentShape: 'prefix' {{.+}} in the order of its grid-stride loop
#include <cstdio>
#include <cuda_runtime.h>

__global__ void scale(float *A, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    A[i] = A[i] * 3;
}

__global__ void prefix(float *A, float *B, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    B[i + 1] = B[i] + A[i];
}

int main() {
  const int n = 1000;
  static float host[n + 1];
  for (int i = 0; i <= n; ++i)
    host[i] = (float)(i % 37);
  float *A, *B;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(B, 0, sizeof(host));
  scale<<<(n + 127) / 128, 128>>>(A, n);
  prefix<<<1, 1>>>(A, B, n);
  cudaMemcpy(host, B, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%.3f\n", host[n]);
  cudaFree(A);
  cudaFree(B);
}
