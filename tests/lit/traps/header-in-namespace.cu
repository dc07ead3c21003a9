// RUN: %kfuse verify %s
// RUN: %kfuse %s -o %t.cu -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: cmp %s %t.cu
//
// The directive stands in a namespace: behind it, in it, there is no place
// where the header's own names could be reopened.

// CHECK: not fused: KernelUnsupported: the text of 'scale' can't be copied: its header is included in the middle of a namespace
namespace app {
#include "Inputs/plain-kernels.cuh"
} // namespace app
using namespace app;
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
