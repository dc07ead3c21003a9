// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %kfuse verify %s
//
// A launcher that takes the kernel as a function pointer launches the one that
// a call gives it.
//
// CHECK: 'scale', 'shift'; never stored: A, B
#include <cstdio>

__global__ void scale(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = 2 * A[i];
}

__global__ void shift(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

void launch(void (*kernel)(const float *, float *, int), const float *A,
            float *B, int n) {
  kernel<<<(n + 127) / 128, 128>>>(A, B, n);
}

int main() {
  const int n = 700;
  float host[n], *A, *B, *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemset(A, 0, sizeof(host));
  launch(scale, A, B, n);
  launch(shift, B, C, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%f\n", host[699]);
}
