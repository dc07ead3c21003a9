// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// Two names for one array: the copy of a pointer is the same memory.

// CHECK: remark: fused 'scale', 'shift'
// OUT: C[i] = X_tile[1];
const int n = 1000;
static float host[n];
#include "Inputs/arrays.h"

__global__ void scale(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = 2 * A[i];
}

__global__ void shift(const float *X, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1)
    C[i] = X[i + 1];
}

int main() {
  float *A = filled(), *B = filled(), *C = filled();

  float *const X = B;
  scale<<<(n + 127) / 128, 128>>>(A, B, n);
  shift<<<(n + 127) / 128, 128>>>(X, C, n);

  printSum(A, B, C);
}
