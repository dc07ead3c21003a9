// Right in one order, wrong in the other: a barrier is missing.
// RUN: %kfuse-cpu %s -o %t
// RUN: %t | FileCheck --check-prefix=FORWARD %s
// RUN: env KFUSE_CPU_ORDER=reverse %t | FileCheck --check-prefix=REVERSE %s
// RUN: %kfuse-cpu -DBARRIER=__syncthreads %s -o %t.right
// RUN: %t.right | FileCheck --check-prefix=FORWARD %s
// RUN: env KFUSE_CPU_ORDER=reverse %t.right | FileCheck --check-prefix=FORWARD %s
#include <cstdio>
#ifndef BARRIER
#define BARRIER(...)
#endif

__global__ void shift(int *out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  BARRIER();
  out[threadIdx.x] = threadIdx.x ? tile[threadIdx.x - 1] : 0;
}

int main() {
  int *out, host[64], wrong = 0;
  cudaMalloc(&out, sizeof(host));
  shift<<<1, 64>>>(out);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 1; i < 64; ++i)
    wrong += host[i] != i - 1;
  printf("wrong %d\n", wrong);
}
// FORWARD: wrong 0
// REVERSE: wrong 62
