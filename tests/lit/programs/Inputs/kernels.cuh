#pragma once
#include <cuda_runtime.h>

#define OFFSET 1

__global__ void scale(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] * 2;
}

namespace app {
namespace {

template <typename T> __device__ T by(T x) { return x; }

template <typename T> __global__ void shift(const T *B, T *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] + by(T(OFFSET));
}

} // namespace
} // namespace app
