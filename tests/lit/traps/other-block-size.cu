// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// The same number of threads in other blocks, and kernels that know their
// threads' places in their blocks.

// CHECK: remark: 'first' and 'second' not fused: DifferentShape: {{.+}} [-Rkfuse-missed]
// OUT: first<<<
// OUT: second<<<
const int n = 1000;
static float host[n];
#include "Inputs/arrays.h"

__global__ void first(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && threadIdx.x != 3)
    B[i] = A[i] + 1;
}

__global__ void second(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && threadIdx.x != 3)
    C[i] = 2 * B[i];
}

int main() {
  float *A = filled(), *B = filled(), *C = filled();

  first<<<8, 128>>>(A, B, n);
  second<<<16, 64>>>(B, C, n);

  printSum(A, B, C);
}
