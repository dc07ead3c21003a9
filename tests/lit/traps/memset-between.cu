// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
// RUN: %kfuse verify %s -Rkfuse -DVALUE=0 2>&1 | FileCheck %s --check-prefix=ZERO
//
// A memset between the launches overwrites part of what the first wrote. Zeros
// can be a stage of their own; other bytes are no number that a kernel stores.

// CHECK: remark: 'first' and 'second' not fused: HostDependence: {{.+}} [-Rkfuse-missed]
// ZERO: remark: fused 'first', 'memset_float', 'second'
// OUT: first<<<
// OUT: second<<<
const int n = 1000;
static float host[n];
#include "Inputs/arrays.h"

#ifndef VALUE
#define VALUE 1
#endif

__global__ void first(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

__global__ void second(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = 2 * B[i];
}

int main() {
  float *A = filled(), *B = filled(), *C = filled();

  first<<<(n + 127) / 128, 128>>>(A, B, n);
  cudaMemset(B, VALUE, 10 * sizeof(float));
  second<<<(n + 127) / 128, 128>>>(B, C, n);

  printSum(A, B, C);
}
