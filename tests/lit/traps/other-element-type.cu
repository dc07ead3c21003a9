// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// One array as floats and as pairs of floats: the consumer's element holds
// what two threads of the producer wrote.

// CHECK: remark: 'single' and 'pairs' not fused: NonPolynomialIndex: {{.+}} [-Rkfuse-missed]
// OUT: single<<<
// OUT: pairs<<<
const int n = 1000;
static float host[n];
#include "Inputs/arrays.h"

__global__ void single(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

__global__ void pairs(const float2 *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i].x + B[i].y;
}

int main() {
  float *A = filled(), *B = filled(), *C = filled();

  single<<<(n + 127) / 128, 128>>>(A, B, n);
  pairs<<<(n + 127) / 128, 128>>>((const float2 *)B, C, n / 2);

  printSum(A, B, C);
}
