// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// The neighbour hides in the argument: `B + 1` makes the thread's own index
// another thread's element: a plain register would hold the wrong one.

// CHECK: remark: fused 'scale', 'move'
// OUT: C[i] = B_tile[1];
const int n = 1000;
static float host[n];
#include "Inputs/arrays.h"

__global__ void scale(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = 2 * A[i];
}

__global__ void move(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i];
}

int main() {
  float *A = filled(), *B = filled(), *C = filled();

  scale<<<(n + 127) / 128, 128>>>(A, B, n);
  move<<<(n + 127) / 128, 128>>>(B + 1, C, n - 1);

  printSum(A, B, C);
}
