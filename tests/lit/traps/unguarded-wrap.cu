// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// Without a guard the threads of the last block go beyond the row's end into
// the next row.

// CHECK: remark: 'put' and 'get' not fused: NotInjective: {{.+}} [-Rkfuse-missed]
// OUT: put<<<
// OUT: get<<<
const int n = 1024;
static float host[n];
#include "Inputs/arrays.h"

__global__ void put(const float *A, float *B, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  B[y * width + x] = A[y * width + x] + 1;
}

__global__ void get(const float *B, float *C, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  C[y * width + x] = 2 * B[y * width + x];
}

int main() {
  float *A = filled(), *B = filled(), *C = filled();

  const dim3 block(8, 8), grid(4, 3);
  put<<<grid, block>>>(A, B, 30);
  get<<<grid, block>>>(B, C, 30);

  printSum(A, B, C);
}
