// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// The producer writes one member, the consumer reads the whole element: no
// register has the value, only memory.

// CHECK: remark: {{.*}}'kfuse_setX_length': B through memory
// OUT: B[i].x = A[i];
// OUT: float2 value = B[i];
// OUT: setX_at(i, A, B, n);
// OUT-NEXT: length_at(i, B, C, n);
const int n = 1000;
static float host[n];
#include "Inputs/arrays.h"

__global__ void setX(const float *A, float2 *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i].x = A[i];
}

__global__ void length(const float2 *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float2 value = B[i];
    C[i] = value.x + 2 * value.y;
  }
}

int main() {
  float *A = filled(), *C = filled();

  float2 *B;
  cudaMalloc(&B, 2 * sizeof(host));
  cudaMemset(B, 0, 2 * sizeof(host));
  setX<<<(n + 127) / 128, 128>>>(A, B, n);
  length<<<(n + 127) / 128, 128>>>(B, C, n);
  cudaFree(B);

  printSum(A, C);
}
