// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
// RUN: %kfuse verify %s -- 500
//
// A copy within the device at the end of a step, of an array that the next step
// overwrites: the host swaps pointers instead. The copy of the seed stays,
// since the seed is read again.

// CHECK: remark: 'cudaMemcpy(A, B, bytes, cudaMemcpyDeviceToDevice);' becomes a swap of A with B
// CHECK: 1 launches -> 1
// CHECK: becomes a swap of A with B
// OUT: {{^ *}}cudaMemcpy(A, seed, bytes, cudaMemcpyDeviceToDevice);
// OUT: {{^ *}}kfuseSwap(A, B);
// OUT-NOT: {{^ *}}cudaMemcpy(A, B
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void jacobi(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (i > 0 && i < n - 1)
    B[i] = 0.5f * (A[i - 1] + A[i + 1]);
  else
    B[i] = A[i];
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1000;
  static float host[1000], other[1000];
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  const size_t bytes = n * sizeof(float);
  float *A, *B, *seed;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMalloc(&seed, bytes);
  cudaMemcpy(seed, host, bytes, cudaMemcpyHostToDevice);
  double sum = 0;
  for (int round = 1; round < 4; ++round) {
    cudaMemcpy(A, seed, bytes, cudaMemcpyDeviceToDevice);
    for (int step = 0; step < round; ++step) {
      jacobi<<<(n + 127) / 128, 128>>>(A, B, n);
      cudaMemcpy(A, B, bytes, cudaMemcpyDeviceToDevice);
    }
    cudaMemcpy(other, A, bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
      sum += other[i] * (i % 7);
  }
  cudaMemcpy(host, seed, bytes, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i];
  printf("%.3f\n", sum);
  cudaFree(A);
  cudaFree(B);
  cudaFree(seed);
}
