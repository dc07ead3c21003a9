// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// The producer writes the interior, the consumer reads everything: at the
// edges it must see what memory held before.

// CHECK: remark: fused 'interior', 'all'
// OUT: 2 * (B_written ? B_value : B[i])
const int n = 1000;
static float host[n];
#include "Inputs/arrays.h"

__global__ void interior(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    B[i] = A[i] + A[i - 1] + A[i + 1];
}

__global__ void all(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = 2 * B[i];
}

int main() {
  float *A = filled(), *B = filled(), *C = filled();

  interior<<<(n + 127) / 128, 128>>>(A, B, n);
  all<<<(n + 127) / 128, 128>>>(B, C, n);

  printSum(A, B, C);
}
