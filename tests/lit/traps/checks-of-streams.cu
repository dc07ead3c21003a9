// RUN: %kfuse %s -o - --quiet --sink-fatal-checks | FileCheck %s
//
// The copy waits for the first launch, and the host so makes those into another
// stream wait: they can't come before it.

// CHECK:      {{^}}  first<<<8, 128>>>
// CHECK-NEXT: cudaMemcpy(&bad
// CHECK-NEXT: if (bad != 0)
// CHECK-NEXT: exit(1);
// CHECK-NOT:  {{^}}  second<<<
// CHECK:      kfuse_second_second<<<
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void first(const float *A, float *B, int *flag, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    B[i] = A[i] + 1;
    if (A[i] < 0)
      *flag = 1;
  }
}

__global__ void second(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = 2 * B[i];
}

int main() {
  const int n = 1000;
  static float host[n];
  float *A, *B, *C, *D;
  int *flag, bad = 0;
  cudaStream_t other;
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMalloc(&D, sizeof(host));
  cudaMalloc(&flag, sizeof(int));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(flag, &bad, sizeof(int), cudaMemcpyHostToDevice);
  first<<<8, 128>>>(A, B, flag, n);
  cudaMemcpy(&bad, flag, sizeof(int), cudaMemcpyDeviceToHost);
  if (bad != 0)
    exit(1);
  second<<<8, 128, 0, other>>>(B, C, n);
  second<<<8, 128, 0, other>>>(B, D, n);
  cudaStreamSynchronize(other);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  cudaMemcpy(host, D, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%f\n", host[3]);
}
