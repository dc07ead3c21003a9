// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// `scatter` writes where a list says; which thread wrote a cell that `finish`
// reads is only known when the list is.

// CHECK: remark: 'scatter' and 'finish' not fused: NonPolynomialIndex: {{.+}} [-Rkfuse-missed]
// OUT: scatter<<<
// OUT: finish<<<
const int n = 1000;
static float host[n];
#include "Inputs/arrays.h"

__global__ void scatter(const float *A, const int *list, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[list[i]] = A[i];
}

__global__ void finish(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] + 1;
}

int main() {
  static int order[1000];
  for (int i = 0; i < n; ++i)
    order[i] = (i * 7) % n;
  int *list;
  cudaMalloc(&list, sizeof(order));
  cudaMemcpy(list, order, sizeof(order), cudaMemcpyHostToDevice);
  float *A = filled(), *B = filled(), *C = filled();

  scatter<<<(n + 127) / 128, 128>>>(A, list, B, n);
  finish<<<(n + 127) / 128, 128>>>(B, C, n);
  cudaFree(list);

  printSum(A, B, C);
}
