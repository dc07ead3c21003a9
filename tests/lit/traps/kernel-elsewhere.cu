// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-analysis 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
//
// The kernel is only declared: its body is in another file.

// CHECK: remark: launch left alone: the kernel 'second' isn't defined in this file [-Rkfuse-analysis]
// OUT: first<<<
// OUT: second<<<
const int n = 1000;
static float host[n];
#include "Inputs/arrays.h"

__global__ void first(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

__global__ void second(const float *B, float *C, int n);

int main() {
  float *A = filled(), *B = filled(), *C = filled();

  first<<<(n + 127) / 128, 128>>>(A, B, n);
  second<<<(n + 127) / 128, 128>>>(B, C, n);

  printSum(A, B, C);
}
