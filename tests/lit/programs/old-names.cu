// RUN: %kfuse %s -DcudaThreadSynchronize=cudaDeviceSynchronize -o - 2>&1 | FileCheck %s
// RUN: %kfuse %s -o - 2>&1 | FileCheck %s
//
// With and without the define that CUDA 13 needs for the old name; `register` is
// no error for nvcc.

// CHECK: 2 launches -> 1
#include <cuda_runtime.h>

__global__ void scale(const int *A, int *B, int n) {
  register int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] * 2;
}

__global__ void shift(const int *B, int *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] + 1;
}

int main() {
  const int n = 700;
  int *A, *B, *C;
  cudaMalloc(&A, n * sizeof(int));
  cudaMalloc(&B, n * sizeof(int));
  cudaMalloc(&C, n * sizeof(int));
  scale<<<6, 128>>>(A, B, n);
  shift<<<6, 128>>>(B, C, n);
  cudaThreadSynchronize();
}
