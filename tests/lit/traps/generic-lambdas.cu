// RUN: %kfuse verify %s 2>&1 | FileCheck %s
//
// The text of a generic lambda stands in a kernel once, without types; what it
// computes is in its instances.

// CHECK: 2 launches ->
// CHECK: verified
#include <cstdio>
#include <cuda_runtime.h>

__global__ void scale(const float *A, float *B, float s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto take = [](const float *p, int k) { return p[k]; };
  if (i < n)
    B[i] = s * take([](const auto *q, int k) { return &q[k]; }(A, i), 0) +
           [](const auto *q, int k) { return q[k]; }(A, i) * 3;
}

__global__ void shift(const float *B, float *C, float s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = s * [](const auto *q, int k) { return q[k]; }(B, i) + B[i];
}

int main() {
  const int n = 1000;
  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = i % 17;
  float *A, *B, *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  scale<<<8, 128>>>(A, B, 0.3f, n);
  shift<<<8, 128>>>(B, C, 0.7f, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%g\n", host[17]);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
  return 0;
}
