// Errors are reported as a device reports them, and stay until asked for.
// RUN: %kfuse-cpu %s -o %t
// RUN: %t | FileCheck %s
#include <cstdio>
#include <cuda_runtime.h>

__global__ void nothing() {}

void show(const char *what) {
  cudaError_t peeked = cudaPeekAtLastError();
  cudaError_t got = cudaGetLastError();
  printf("%s: %s, %s\n", what, cudaGetErrorName(got),
         peeked == got ? cudaGetErrorString(got) : "peek differs");
}

int main() {
  nothing<<<1, 1>>>();
  show("fine"); // CHECK: fine: cudaSuccess, no error
  nothing<<<1, 1025>>>();
  // CHECK: threads: cudaErrorInvalidConfiguration, invalid configuration argument
  show("threads");
  nothing<<<0, 32>>>();
  show("no blocks"); // CHECK: no blocks: cudaErrorInvalidConfiguration
  nothing<<<dim3(1, 70000), 1>>>();
  show("many blocks"); // CHECK: many blocks: cudaErrorInvalidConfiguration
  nothing<<<1, 1, 300000>>>();
  show("shared"); // CHECK: shared: cudaErrorInvalidValue
  int *p;
  cudaMalloc(&p, 16);
  int host[8];
  cudaMemcpy(host, p, 32, cudaMemcpyDeviceToHost);
  show("too much"); // CHECK: too much: cudaErrorInvalidValue
  cudaFree(host);
  show("not mine"); // CHECK: not mine: cudaErrorInvalidValue
  cudaSetDevice(3);
  show("device"); // CHECK: device: cudaErrorInvalidDevice
  show("cleared"); // CHECK: cleared: cudaSuccess
}
