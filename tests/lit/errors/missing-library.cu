// RUN: not %kfuse verify %s 2>&1 | FileCheck %s
//
// kfuse reads a program of a library that isn't there; the executor can't run it.
//
// CHECK: kfuse: error: the original program does not build on the CPU executor
// CHECK-NEXT: kfuse: note: the executor has none of CUDA's libraries, of which the program includes 'cublas_v2.h'; scripts/gpu-verify.py verifies on a GPU
#include <cublas_v2.h>
#include <cuda_runtime.h>

__global__ void scale(const float *A, float *B) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  B[i] = A[i] * 2;
}

__global__ void shift(const float *B, float *C) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  C[i] = B[i] + 1;
}

int main() {
  float *A, *B, *C;
  cudaMalloc(&A, 4096);
  cudaMalloc(&B, 4096);
  cudaMalloc(&C, 4096);
  scale<<<8, 128>>>(A, B);
  shift<<<8, 128>>>(B, C);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}
