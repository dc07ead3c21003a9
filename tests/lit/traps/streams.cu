// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// The launches are on two streams with an event between: their order is the
// event's, and it would be lost.

// CHECK: remark: 'first' and 'second' not fused: DifferentStream: {{.+}} [-Rkfuse-missed]
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

__global__ void second(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = 2 * B[i];
}

int main() {
  float *A = filled(), *B = filled(), *C = filled();

  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaDeviceSynchronize();
  first<<<(n + 127) / 128, 128, 0, s>>>(A, B, n);
  cudaStreamSynchronize(s);
  second<<<(n + 127) / 128, 128, 0, t>>>(B, C, n);
  cudaStreamSynchronize(t);
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);

  printSum(A, B, C);
}
