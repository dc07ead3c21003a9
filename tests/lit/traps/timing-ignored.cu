// RUN: %kfuse --ignore-timing %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify --ignore-timing %s
//
// With the user's word timing code is no obstacle, and the numbers that it
// prints are the user's affair.

// CHECK: remark: fused 'first', 'second'
// OUT: kfuse_first_second<<<
const int n = 1000;
static float host[n];
#include "Inputs/arrays.h"

__global__ void first(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = 3 * A[i];
}

__global__ void second(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] + 1;
}

int main() {
  float *A = filled(), *B = filled(), *C = filled();

  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  first<<<(n + 127) / 128, 128>>>(A, B, n);
  cudaEventRecord(stop);
  second<<<(n + 127) / 128, 128>>>(B, C, n);
  cudaEventSynchronize(stop);

  printSum(A, B, C);
}
