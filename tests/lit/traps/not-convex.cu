// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// `first` and `last` share an array, but what runs between them needs the one
// and feeds the other and can be fused with neither.

// CHECK-DAG: remark: 'first' and 'middle' not fused: CrossThreadFlow:
// CHECK-DAG: remark: 'middle' and 'last' not fused: CrossThreadFlow:
// CHECK-DAG: the same keeps apart 'first' and 'last'
// OUT: first<<<
// OUT: middle<<<
// OUT: last<<<
const int n = 1000;
static float host[n];
#include "Inputs/arrays.h"

__global__ void first(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

__global__ void middle(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    C[i] = B[n - 1 - i];
}

__global__ void last(const float *B, const float *C, float *D, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    D[i] = B[i] + C[n - 1 - i];
}

int main() {
  float *A = filled(), *B = filled(), *C = filled(), *D = filled();

  first<<<(n + 127) / 128, 128>>>(A, B, n);
  middle<<<(n + 127) / 128, 128>>>(B, C, n);
  last<<<(n + 127) / 128, 128>>>(B, C, D, n);

  printSum(A, B, C, D);
}
