// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// Together the kernels need more shared memory than a block may have.

// CHECK: remark: 'first' and 'second' not fused: SharedMemoryLimit: {{.+}} [-Rkfuse-missed]
// OUT: first<<<
// OUT: second<<<
const int n = 1024;
static float host[n];
#include "Inputs/arrays.h"

__global__ void first(const float *A, float *B) {
  __shared__ float tile[8000];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x * 62] = A[i];
  __syncthreads();
  B[i] = tile[(threadIdx.x ^ 1) * 62];
}

__global__ void second(const float *B, float *C) {
  __shared__ float tile[8000];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x * 62] = B[i];
  __syncthreads();
  C[i] = tile[(threadIdx.x ^ 2) * 62];
}

int main() {
  float *A = filled(), *B = filled(), *C = filled();

  first<<<8, 128>>>(A, B);
  second<<<8, 128>>>(B, C);

  printSum(A, B, C);
}
