// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// One thread adds a source to one cell; the next kernel reads the cell from
// its neighbours.

// CHECK: remark: 'inject' and 'spread' not fused: CrossThreadFlow: {{.+}} [-Rkfuse-missed]
// OUT: inject<<<
// OUT: spread<<<
const int n = 1000;
static float host[n];
#include "Inputs/arrays.h"

__global__ void inject(float *A, int cell, float amount) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == cell)
    A[i] += amount;
}

__global__ void spread(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    B[i] = 0.5f * (A[i - 1] + A[i + 1]);
}

int main() {
  float *A = filled(), *B = filled();

  inject<<<(n + 127) / 128, 128>>>(A, 500, 8);
  spread<<<(n + 127) / 128, 128>>>(A, B, n);

  printSum(A, B);
}
