// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// `reverse` reads the mirrored element: linear, the same range, another
// thread.

// CHECK: remark: 'scale' and 'reverse' not fused: CrossThreadFlow: {{.+}} [-Rkfuse-missed]
// OUT: scale<<<
// OUT: reverse<<<
const int n = 1000;
static float host[n];
#include "Inputs/arrays.h"

__global__ void scale(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = 2 * A[i];
}

__global__ void reverse(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[n - 1 - i];
}

int main() {
  float *A = filled(), *B = filled(), *C = filled();

  scale<<<(n + 127) / 128, 128>>>(A, B, n);
  reverse<<<(n + 127) / 128, 128>>>(B, C, n);

  printSum(A, B, C);
}
