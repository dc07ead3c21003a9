// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// Threads leave before the barrier; as an earlier stage of a kernel they would
// go on to the next stage, and the barriers would no longer match. Nothing
// follows the last stage.

// CHECK: remark: 'second' and 'third' not fused: BarrierMismatch: {{.+}} [-Rkfuse-missed]
// CHECK: 3 launches -> 2
// OUT: kfuse_first_second<<<
// OUT: third<<<
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
  __shared__ float tile[128];
  if (i >= n)
    return;
  tile[threadIdx.x] = B[i];
  __syncthreads();
  C[i] = tile[threadIdx.x] * 2;
}

__global__ void third(float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = C[i] * C[i];
}

int main() {
  float *A = filled(), *B = filled(), *C = filled();

  first<<<(n + 127) / 128, 128>>>(A, B, n);
  second<<<(n + 127) / 128, 128>>>(B, C, n);
  third<<<(n + 127) / 128, 128>>>(C, n);

  printSum(A, B, C);
}
