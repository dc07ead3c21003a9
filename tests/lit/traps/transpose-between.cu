// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// `rows` writes row by row, `columns` reads column by column: the value comes
// from another thread.

// CHECK: remark: 'rows' and 'columns' not fused: CrossThreadFlow: {{.+}} [-Rkfuse-missed]
// OUT: rows<<<
// OUT: columns<<<
const int n = 1024;
static float host[n];
#include "Inputs/arrays.h"

__global__ void rows(const float *A, float *B, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n)
    B[y * n + x] = 2 * A[y * n + x];
}

__global__ void columns(const float *B, float *C, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n)
    C[y * n + x] = B[x * n + y];
}

int main() {
  float *A = filled(), *B = filled(), *C = filled();

  const dim3 block(8, 8), grid(4, 4);
  rows<<<grid, block>>>(A, B, 32);
  columns<<<grid, block>>>(B, C, 32);

  printSum(A, B, C);
}
