// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// The other way round: `gather` reads what another thread of `prepare` wrote.

// CHECK: remark: 'prepare' and 'gather' not fused: NonPolynomialIndex: {{.+}} [-Rkfuse-missed]
// OUT: prepare<<<
// OUT: gather<<<
const int n = 1000;
static float host[n];
#include "Inputs/arrays.h"

__global__ void prepare(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = 2 * A[i];
}

__global__ void gather(const float *B, const int *list, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[list[i]];
}

int main() {
  static int order[1000];
  for (int i = 0; i < n; ++i)
    order[i] = (i * 7) % n;
  int *list;
  cudaMalloc(&list, sizeof(order));
  cudaMemcpy(list, order, sizeof(order), cudaMemcpyHostToDevice);
  float *A = filled(), *B = filled(), *C = filled();

  prepare<<<(n + 127) / 128, 128>>>(A, B, n);
  gather<<<(n + 127) / 128, 128>>>(B, list, C, n);
  cudaFree(list);

  printSum(A, B, C);
}
