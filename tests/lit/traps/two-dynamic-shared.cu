// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// Both kernels size their shared memory at the launch. One kernel has one such
// array, and it isn't known which of the two sizes is the larger one.

// CHECK: remark: 'first' and 'second' not fused: DynamicShared: {{.+}} [-Rkfuse-missed]
// OUT: first<<<
// OUT: second<<<
const int n = 1024;
static float host[n];
#include "Inputs/arrays.h"

__global__ void first(const float *A, float *B) {
  extern __shared__ float tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = A[i];
  __syncthreads();
  B[i] = tile[threadIdx.x ^ 1];
}

__global__ void second(const float *B, float *C) {
  extern __shared__ float cache[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cache[threadIdx.x] = B[i];
  __syncthreads();
  C[i] = cache[threadIdx.x ^ 2];
}

int main(int argc, char **argv) {
  const int room = 127 + argc;
  float *A = filled(), *B = filled(), *C = filled();

  first<<<8, 128, 128 * sizeof(float)>>>(A, B);
  second<<<8, 128, room * sizeof(float)>>>(B, C);

  printSum(A, B, C);
}
