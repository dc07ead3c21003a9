// The product that reads a value which may be missing is written as a whole:
// `__fmul_rn((B_written ? B_value : B[i]), 0.5f)`.
//
// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s --check-prefix=SUMMARY
// SUMMARY: 3 launches -> 1
// RUN: FileCheck %s < %t.cu
// CHECK: __fmul_rn((B_written ? B_value : B[i]), 0.5f)
// RUN: %kfuse verify %s

#include <cuda_runtime.h>

__global__ void some(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 3 && i < n)
    B[i] = A[i];
}
__global__ void halve(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] * 0.5f;
}
__global__ void add(const float *C, float *D, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    D[i] = C[i] + 1;
}

static float host[2000];

int main() {
  float *A, *B, *C, *D;
  cudaMalloc(&A, 8000);
  cudaMalloc(&B, 8000);
  cudaMalloc(&C, 8000);
  cudaMalloc(&D, 8000);
  for (int i = 0; i < 2000; ++i)
    host[i] = i * 0.75f;
  cudaMemcpy(A, host, 8000, cudaMemcpyHostToDevice);
  cudaMemcpy(B, host, 8000, cudaMemcpyHostToDevice);
  some<<<16, 128>>>(A, B, 2000);
  halve<<<16, 128>>>(B, C, 2000);
  add<<<16, 128>>>(C, D, 2000);
  cudaMemcpy(host, D, 8000, cudaMemcpyDeviceToHost);
}
