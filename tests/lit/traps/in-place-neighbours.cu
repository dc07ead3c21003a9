// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// A solver's update in place: `update` overwrites what `smooth` of a
// neighbouring thread, perhaps in another block, may not have read yet.

// CHECK: remark: 'smooth' and 'update' not fused: CrossThreadAntiDependence: {{.+}} [-Rkfuse-missed]
// OUT: smooth<<<
// OUT: update<<<
const int n = 1000;
static float host[n];
#include "Inputs/arrays.h"

__global__ void smooth(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    B[i] = A[i - 1] + A[i + 1];
}

__global__ void update(float *A, const float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    A[i] = 0.5f * B[i];
}

int main() {
  float *A = filled(), *B = filled();

  smooth<<<(n + 127) / 128, 128>>>(A, B, n);
  update<<<(n + 127) / 128, 128>>>(A, B, n);

  printSum(A, B);
}
