// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// A stencil reads its neighbours' values, which other threads write: the blocks
// make them again.

// CHECK: remark: fused 'scale', 'stencil'
// OUT: C[i] = B_tile[-1] - 2 * B_tile[0] + B_tile[1];
// OUT: scale_around(i, A, B_tile
const int n = 1000;
static float host[n];
#include "Inputs/arrays.h"

__global__ void scale(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = 2 * A[i];
}

__global__ void stencil(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    C[i] = B[i - 1] - 2 * B[i] + B[i + 1];
}

int main() {
  float *A = filled(), *B = filled(), *C = filled();

  scale<<<(n + 127) / 128, 128>>>(A, B, n);
  stencil<<<(n + 127) / 128, 128>>>(B, C, n);

  printSum(A, B, C);
}
