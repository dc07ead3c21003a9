// RUN: %kfuse verify %s
// RUN: %kfuse %s -o %t.cu -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: cmp %s %t.cu
//
// A copy of the kernel stands on other lines.

// CHECK: remark: 'scale' and 'shift' not fused: KernelUnsupported: the text of 'shift' can't be copied: it uses '__LINE__', which depends on the place in the file
#include <cuda_runtime.h>
#define HERE __LINE__

__global__ void scale(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] * 2;
}

__global__ void shift(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float line = HERE;
    C[i] = B[i] + line;
  }
}
#include <cstdio>

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
  printf("%f\n", host[699]);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}
