// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// Ping-pong: the host swaps the pointers between two stencils, so that the
// second reads what the first wrote, under the name that the first read.

// CHECK: remark: 'step' and 'next' not fused: CrossThreadAntiDependence: {{.+}} [-Rkfuse-missed]
// OUT: step<<<
// OUT: next<<<
const int n = 1000;
static float host[n];
#include "Inputs/arrays.h"

__global__ void step(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    B[i] = A[i - 1] + A[i + 1];
}

__global__ void next(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    B[i] = A[i - 1] - A[i + 1];
}

int main() {
  float *A = filled(), *B = filled();

  step<<<(n + 127) / 128, 128>>>(A, B, n);
  float *swap = A;
  A = B;
  B = swap;
  next<<<(n + 127) / 128, 128>>>(A, B, n);

  printSum(A, B);
}
