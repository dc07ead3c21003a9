// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// The source is added to one cell and every thread reads its own: in all other
// cells the reader needs what memory held before.

// CHECK: remark: fused 'inject', 'halve'
// OUT: (A_written ? A_value : A[i])
const int n = 1000;
static float host[n];
#include "Inputs/arrays.h"

__global__ void inject(float *A, int cell, float amount) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == cell)
    A[i] += amount;
}

__global__ void halve(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = 0.5f * A[i];
}

int main() {
  float *A = filled(), *B = filled();

  inject<<<(n + 127) / 128, 128>>>(A, 500, 8);
  halve<<<(n + 127) / 128, 128>>>(A, B, n);

  printSum(A, B);
}
