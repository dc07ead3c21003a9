// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// Two threads write each element: which of them a reader would take from a
// register is open.

// CHECK: remark: 'pairs' and 'take' not fused: NotInjective: {{.+}} [-Rkfuse-missed]
// OUT: pairs<<<
// OUT: take<<<
const int n = 1000;
static float host[n];
#include "Inputs/arrays.h"

__global__ void pairs(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i / 2] = A[i - i % 2];
}

__global__ void take(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i / 2] + 1;
}

int main() {
  float *A = filled(), *B = filled(), *C = filled();

  pairs<<<(n + 127) / 128, 128>>>(A, B, n);
  take<<<(n + 127) / 128, 128>>>(B, C, n);

  printSum(A, B, C);
}
