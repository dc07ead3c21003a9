// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// Neither is the same name: n is another number at the second launch, and the
// consumer's guard is weaker than the producer's.

// CHECK: remark: fused 'first', 'second'
// OUT: 2 * (B_written ? B_value : B[i])
const int n = 1000;
static float host[n];
#include "Inputs/arrays.h"

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

  int m = 700;
  first<<<8, 128>>>(A, B, m);
  m += 200;
  second<<<8, 128>>>(B, C, m);

  printSum(A, B, C);
}
