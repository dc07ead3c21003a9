// RUN: %kfuse verify %s
// RUN: %kfuse %s -o %t.cu -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: cmp %s %t.cu
//
// Behind its header a kernel's text would call another step().

// CHECK: remark: 'scale' and 'shift' not fused: KernelUnsupported: the text of 'shift' can't be copied: 'step' is declared behind it in its header
#include "Inputs/later-overload.cuh"
#include <cstdio>

int main() {
  const int n = 700;
  float host[n], *A, *B, *C;
  for (int i = 0; i < n; ++i)
    host[i] = i;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  scale<<<6, 128>>>(A, B, n);
  shift<<<6, 128>>>(B, C, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%f\n", host[699]);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}
