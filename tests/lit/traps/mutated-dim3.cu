// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// The same text is not the same value: the grid's member changes between the
// launches. Fused, the second half of the blocks must stay out of 'half'.

// CHECK: remark: fused 'whole', 'half'
// OUT: if (blockIdx.x < half_grid.x) {
// OUT-NEXT: half_at(i, 
const int n = 1024;
static float host[n];
#include "Inputs/arrays.h"

__global__ void whole(const float *A, float *B) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  B[i] = A[i] + 1;
}

__global__ void half(const float *B, float *C) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  C[i] = 2 * B[i];
}

int main() {
  float *A = filled(), *B = filled(), *C = filled();

  dim3 grid(8), block(128);
  whole<<<grid, block>>>(A, B);
  grid.x = 4;
  half<<<grid, block>>>(B, C);

  printSum(A, B, C);
}
