#include <cuda_runtime.h>

#define STEP 1
#define ONE STEP

__global__ void scale(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] * 2;
}

__global__ void shift(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    C[i] = B[i] + ONE;
  }
}

#undef STEP
#define STEP 2
