// RUN: not %kfuse verify %s 2>&1 | FileCheck %s
//
// The program tells on which line it stands, and the fused one is another text.

// CHECK: kfuse: mismatch in thread order forward: line 1 of the output
// CHECK-NEXT: original: {{[0-9]+}}
// CHECK-NEXT: fused: {{[0-9]+}}
#include <cstdio>
#include <cuda_runtime.h>

__global__ void scale(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] * 2;
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
  printf("%d\n", __LINE__);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}
