#include <cuda_runtime.h>

__device__ double step(double x) { return x + 1; }

__global__ void scale(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] * 2;
}

__global__ void shift(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    C[i] = step(B[i]);
  }
}

__device__ float step(float x) { return x + 2; }
