// The branches of an #if may each open the brace that is closed behind it: what follows is at the outermost level.
// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse verify %s -D BACKWARDS 2>&1 | FileCheck %s
// CHECK: 2 launches -> 1
// CHECK: verified: original and fused
#include <cstdio>
#include <cuda_runtime.h>

__global__ void gather(const float *A, float *B, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float most = 0;
#ifdef BACKWARDS
  for (int k = 7; k >= 0; --k) {
#else
  for (int k = 0; k < 8; ++k) {
#endif
    const float value = A[i * 8 + k];
    if (value > most)
      most = value;
  }
  B[i] = most;
}

__global__ void twice(const float *B, float *C, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = 2 * B[i];
}

int main() {
  const int n = 1000;
  static float host[8 * n];
  for (int i = 0; i < 8 * n; ++i)
    host[i] = i % 37;
  float *A, *B, *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, n * sizeof(float));
  cudaMalloc(&C, n * sizeof(float));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  gather<<<(n + 127) / 128, 128>>>(A, B, n);
  twice<<<(n + 127) / 128, 128>>>(B, C, n);
  cudaMemcpy(host, C, n * sizeof(float), cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 5);
  printf("%.1f\n", sum);
}
